import Foundation
import Testing

/// It is 21 November 2026 in Zurich.
@Suite("Steps of escalations, made and to come")
struct EscalationStepTests {
  private static let config = """
    store: { type: sqlite, path: store.sqlite }
    sinks:
      anna-phone: { type: stdout, format: json }
      ben-phone: { type: stdout, format: json }
      mail:
        type: email
        url: smtp://mail.example.org
        tls: none
        from: a@example.org
        to: [team@example.org]
        quiet_hours: { from: "09:25", to: "09:35" }
    people:
      anna: { sinks: [anna-phone] }
      ben: { sinks: [ben-phone], away: [{ from: 2026-11-21 12:00, until: 2026-11-21 }] }
      cleo: { sinks: [mail], address: cleo@example.org }
    escalations:
      home:
        - { to: [anna] }
        - { after: 10m, to: [ben] }
        - { after: 30m, to: [anna, cleo], every: 10m, times: 6 }
      pets: [{ to: [ben] }, { after: 1h, to: [anna] }]
    categories: { medicine: { escalation: home, again_after: 1h } }
    lists: { "Pet*": { escalation: pets } }
    routes: [{ sinks: [cleo] }]
    """

  private let box: Sandbox

  init() throws { box = try Sandbox(config: Self.config) }

  /// The output of a command at a time.
  private func shown(_ words: String..., at clock: String) async throws -> String {
    let outcome = try await box.run([try Programs.belfry] + words, .at("2026-11-21 \(clock)"))
    try #require(outcome.isDone, "\(outcome)")
    return outcome.output
  }

  private func addInsulin() async throws {
    try await box.json(
      "add", "Insulin", "--due", "09:00", "--category", "medicine", "--nag", "15m", at: "2026-11-21 08:00:00")
  }

  @Test("plan and agenda show the steps that a reminder begins; their JSON has each")
  func begins() async throws {
    try await addInsulin()
    let words = "then ben 09:10; anna and cleo 09:30 and 5 more times"
    let plan = try await shown("plan", at: "08:30:00")
    #expect(plan.split(separator: "\n").map(String.init).last == "    \(words)", "\(plan)")
    let agenda = try await shown("agenda", at: "08:30:00")
    #expect(agenda.contains("\n  09:00  Insulin  (Inbox)\n         \(words)\n"), "\(agenda)")
    for command in ["plan", "agenda"] {
      let entries = try JSON(await shown(command, "--json", at: "08:30:00")).elements ?? []
      #expect(entries.count == 1 && Shape.planned.faults(in: entries) == [])
      let entry = try #require(entries.first)
      #expect(entry["kind"] == .text("planned") && entry["escalation"] == .text("home"))
      #expect(entry["step"] == .integer(1) && entry["people"] == .array([.text("anna")]))
      #expect(entry["sinks"] == .array([.text("anna-phone")]))
      let steps = entry["steps"]?.elements ?? []
      #expect(Shape.comingStep.faults(in: steps) == [])
      #expect(steps.map { $0["step"]?.integer } == [2, 3] && steps.map { $0["times"]?.integer } == [1, 6])
      #expect(steps.map { $0["at"]?.text } == ["2026-11-21T09:10:00+01:00", "2026-11-21T09:30:00+01:00"])
      #expect(steps.last?["to"] == .array([.text("anna"), .text("cleo")]))
    }
  }

  @Test("a scheduled step shows as what it is, and is counted once")
  func scheduled() async throws {
    try await addInsulin()
    #expect(try await box.runOnce(at: "2026-11-21 09:00:05").count == 1)
    #expect(try await shown("pending", at: "09:05:00").hasSuffix("\n    step 2 of 3 to ben\n"))
    let pending = try JSON(await shown("pending", "--json", at: "09:05:00")).elements ?? []
    #expect(pending.count == 1 && Shape.pending.faults(in: pending) == [])
    let step = try #require(pending.first)
    #expect(step["kind"] == .text("escalation") && step["escalation"] == .text("home"))
    #expect(step["step"] == .integer(2) && step["ring"] == .integer(1))
    #expect(step["people"] == .array([.text("ben")]) && step["sinks"] == .array([.text("ben-phone")]))
    let plan = try await shown("plan", at: "09:05:00").split(separator: "\n")
    #expect(plan.count == 3 && plan[1].contains("today 09:10"), "\(plan)")
    #expect(plan[2] == "    step 2 of 3 to ben, then anna and cleo 09:30 and 5 more times")
  }

  @Test("on a narrow terminal the steps go over several lines, none too wide", arguments: [40, 60])
  func narrow(width: Int) async throws {
    try await addInsulin()
    for command in ["plan", "agenda", "pending", "explain 1 --if-unanswered"] {
      let outcome = try await box.shell(
        "script -qec 'stty cols \(width) rows 24; \"$BELFRY\" \(command) --color never' /dev/null",
        options: .at("2026-11-21 08:30:00"))
      try #require(outcome.isDone, "\(outcome)")
      let lines = outcome.output.replacing("\r\n", with: "\n").split(separator: "\n")
      // Marks of direction take no column.
      let widths = lines.map { line in line.unicodeScalars.count { $0.properties.generalCategory != .format } }
      #expect(lines.count > 1 && widths.allSatisfy { $0 <= width }, "\(command): \(outcome.output)")
    }
  }

  @Test("explain tells the escalation, where it comes from, and each step")
  func explained() async throws {
    try await addInsulin()
    _ = try await box.runOnce(at: "2026-11-21 09:00:05")
    let lines = try await shown("explain", "1", at: "09:05:00").split(separator: "\n").map(String.init)
    #expect(lines[1].hasPrefix("It will ring Sat 21 Nov 2026 09:10 CET"))
    #expect(lines[1].hasSuffix(", as step 2 of its escalation."))
    for line in [
      "  escalation 'home' of the category 'medicine': 3 steps until somebody answers, in place of the routes",
      "  its nag every 15m is ignored: the escalation replaces it", "  step 2 goes to ben-phone",
      "  Sat 21 Nov 2026 09:00 CET (step 1 of 3 to anna): fired",
      "  Sat 21 Nov 2026 09:10 CET (step 2 of 3 to ben): scheduled",
    ] {
      #expect(lines.contains(line), "\(line): \(lines)")
    }
  }

  @Test("explain --if-unanswered prints the whole escalation: what was made, and what is to come")
  func unanswered() async throws {
    try await addInsulin()
    _ = try await box.runOnce(at: "2026-11-21 09:00:05")
    #expect(
      try await shown("explain", "1", "--if-unanswered", at: "09:05:00") == """
        1 (Inbox): Insulin
        If nobody answers, escalation 'home' of the category 'medicine' rings:
          step 1 of 3, Sat 21 Nov 2026 09:00 CET, already made:
            anna-phone for anna: delivered
          step 2 of 3, Sat 21 Nov 2026 09:10 CET:
            ben-phone for ben
          step 3 of 3, Sat 21 Nov 2026 09:30 CET:
            anna-phone for anna
            mail for cleo (cleo@example.org), held by quiet hours until Sat 21 Nov 2026 09:35 CET
          step 3 of 3, ring 2, Sat 21 Nov 2026 09:40 CET:
            anna-phone for anna
            mail for cleo (cleo@example.org)
            again 09:50, 10:00, 10:10, 10:20
          Nothing rings after that.
        An answer ends it; 1h after an acknowledgement it starts again, each time, unless the item is done.

        """)
    let json = try JSON(await shown("explain", "1", "--if-unanswered", "--json", at: "09:05:00"))
    #expect(json["escalation"]?["category"] == .text("medicine"))
    #expect(json["escalation"]?["again_after"] == .text("PT1H"))
    let rings = try #require(json["if_unanswered"]?.elements?.first?["rings"]?.elements)
    #expect(rings.map { $0["is_made"]?.bool } == [true] + Array(repeating: false, count: 7))
    #expect(rings[2]["recipients"]?.elements?[1]["held_until"] == .text("2026-11-21T09:35:00+01:00"))
    #expect(rings[3]["recipients"]?.elements?[1]["recipient"] == .text("cleo@example.org"))
  }

  @Test("a step that nobody is there for is skipped: it is told before and afterwards")
  func skipped() async throws {
    try await box.json("add", "Feed the cat", "-l", "Pets", "--create", "--due", "13:00", at: "2026-11-21 08:00:00")
    #expect(
      try await shown("explain", "1", "--if-unanswered", at: "08:30:00") == """
        1 (Pets): Feed the cat
        If nobody answers, escalation 'pets' of the lists 'Pet*' rings:
          step 1 of 2, Sat 21 Nov 2026 13:00 CET:
            nobody is reached: the next step follows at once
            ben is away until Sun 22 Nov 2026 00:00 CET
          step 2 of 2, Sat 21 Nov 2026 13:00 CET:
            anna-phone for anna
          Nothing rings after that.
        An answer ends it.

        """)
    let bodies = try await box.runOnce(at: "2026-11-21 13:00:05")
    #expect(bodies.map { $0["data"]?["escalation"]?["step"] } == [.integer(2)])
    let explanation = try await shown("explain", "1", at: "13:05:00")
    #expect(
      explanation.contains(
        """
          Sat 21 Nov 2026 13:00 CET (step 1 of 2): fired
            nobody was reached, ben was away: the next step came at once
          Sat 21 Nov 2026 13:00 CET (step 2 of 2 to anna): fired
        """), "\(explanation)")
  }

  @Test("an item without an escalation says so")
  func without() async throws {
    try await box.json("add", "Milk", "--due", "13:00", at: "2026-11-21 08:00:00")
    #expect(
      try await shown("explain", "1", "--if-unanswered", at: "08:30:00")
        == "1 (Inbox): Milk\nIt has no escalation: neither its category nor its list names one.\n")
    let json = try JSON(await shown("explain", "1", "--json", at: "08:30:00"))
    #expect(json["escalation"] == .null && json["if_unanswered"] == .array([]))
    let planned = try JSON(await shown("plan", "--json", at: "08:30:00")).elements?.first
    #expect(planned?["people"] == .array([.text("cleo")]) && planned?["steps"] == .array([]))
  }
}
