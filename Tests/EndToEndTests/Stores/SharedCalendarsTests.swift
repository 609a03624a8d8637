import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Belfry, todoman, khal, vdirsyncer and a phone at a Radicale server change the same list and calendar, a day a round,
/// while `belfryd` is killed at any moment.
@Suite("A list and a calendar that five programs change", .ownThread)
struct SharedCalendarsTests {
  /// The days; a month with `BELFRY_DEEP=1`.
  private static let days = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 30 : 6

  private let programs: CalendarPrograms
  private let box: Sandbox
  private let server: RadicaleServer
  private let vdirsyncer: Synchroniser

  init() throws {
    programs = try CalendarPrograms()
    (box, server, vdirsyncer) = (programs.box, programs.server, programs.vdirsyncer)
  }

  @Test("no change is lost, nothing rings twice, and all agree at the end")
  func days() async throws {
    var random = SeededGenerator(seed: 35)
    // The texts, and whether they are done.
    var model: [String: Bool] = [:]
    var rung: [[String: Set<String>]] = []
    var meetings: Set<String> = []
    try await box.belfry("list", "create", "home", options: .at("2096-12-01 07:00:00")).requireDone()
    try vdirsyncer.discover()
    try server.phone(
      """
      due = datetime.datetime(2096, 12, 1, 9, tzinfo=datetime.timezone.utc)
      calendar('home').save_todo(summary='pill', dtstart=due, due=due, rrule={'FREQ': 'DAILY'})
      """)
    for number in 1...Self.days {
      let day = "2096-12-\(number < 10 ? "0" : "")\(number)"
      func add(_ text: String) { model[text] = false }
      let added = try await killed(
        [Programs.belfry, "add", "belfry \(number)", "-l", "home", "--due", "\(day) 09:00"], at: "\(day) 08:00:00",
        &random)
      let isThere = try await shown(at: "\(day) 08:10:00")["belfry \(number)"] != nil
      #expect(isThere || !added)
      if isThere { add("belfry \(number)") }
      try programs.todo("new", "--due", "\(day) 09:00", "todoman \(number)")
      add("todoman \(number)")
      try server.phone(
        "calendar('home').save_todo(summary=given[0], due=datetime.datetime.fromisoformat(given[1] + 'T09:00:00'))",
        ["phone \(number)", day])
      add("phone \(number)")
      try programs.khal("new", "--alarms", "10m", day, "09:10", "09:40", "khal \(number)")
      meetings.insert("khal \(number)")
      try vdirsyncer.sync()
      let isPostponed = number.isMultiple(of: 3)
      if isPostponed { try postpone("khal \(number)") }
      try await complete(&model, at: "\(day) 08:30:00", &random)
      try vdirsyncer.sync()
      let open = model.filter { $0.key.hasSuffix(" \(number)") && !$0.value }.keys
      var rings: [String: Set<String>] = [:]
      for attempt in 1...3 {
        let run = box.path("run-\(number)-\(attempt)")
        let words = [try Programs.belfryd, "--once"]
        if attempt < 3 {
          _ = try await killed(words, at: "\(day) 09:00:10", &random, output: run)
        } else {
          let options = RunOptions(output: .writing(run), clock: "\(day) 09:00:40")
          let end = try box.start(bytes: words.map { Array($0.utf8) }, options)
          #expect(await end.end == .exited(0))
        }
        for line in box.text(run).split(separator: "\n") {
          guard let data = try? JSON(String(line))["data"], let text = data["item"]?["text"]?.text else { continue }
          rings[text, default: []].insert(data["reminder_id"]?.text ?? "")
        }
      }
      // An event that the phone has moved rings at its new time, before the next day's run.
      let moved = number > 1 && (number - 1).isMultiple(of: 3) ? ["khal \(number - 1)"] : []
      let others = ["pill"] + moved + (isPostponed ? [] : ["khal \(number)"])
      #expect(Set(rings.keys) == Set(open).union(others), "day \(number)")
      rung.append(rings)
      if Self.isAnswered(number) { try await answer("khal \(number)", at: "\(day) 09:05:00") }
      try await take(number, on: day)
    }
    try vdirsyncer.sync()
    // A repeat after a kill has the same identity; nothing has two.
    for rings in rung { for (text, ids) in rings { #expect(ids.count == 1, "\(text)") } }
    let end = "2096-12-31 12:00:00"
    #expect(try await shown(at: end) == model)
    #expect(try await events(at: end) == meetings)
    #expect(try Set(programs.khal("list", "--format", "{title}", "--day-format", "", "2096-12-01", "31d")) == meetings)
    #expect(try todomanShows() == model)
    #expect(try phoneShows() == model)
    #expect(try acknowledged() == Set((1...Self.days).filter(Self.isAnswered).map { "khal \($0)" }))
    try await box.belfry("store", "check", options: .at(end)).requireDone()
  }

  /// Each program completes one of the open items.
  private func complete(
    _ model: inout [String: Bool], at clock: String, _ random: inout SeededGenerator
  ) async throws {
    func choose() -> String? {
      let text = model.filter { !$0.value }.keys.sorted().randomElement(using: &random)
      if let text { model[text] = true }
      return text
    }
    if let text = choose() {
      let items = try await box.json("show", at: clock).elements ?? []
      let id = try #require(items.first { $0["text"]?.text == text }?["id"]?.integer)
      try await box.belfry("check", "\(id)", options: .at(clock)).requireDone()
    }
    if let text = choose() {
      let number = try #require(programs.todos().first { $0["summary"] as? String == text }?["id"] as? Int)
      try programs.todo("done", "\(number)")
    }
    // The others' changes have to be there first: vdirsyncer itself decides between two changes of one item.
    try vdirsyncer.sync()
    if let text = choose() { try server.phone("[t.complete() for t in named('home', given[0])]", [text]) }
  }

  /// One of the programs completes the day's occurrence of what repeats: each writes it in its own way. Belfry moves
  /// the due date on, todoman makes a new to-do of the repeat, and the phone one of what is completed.
  private func take(_ number: Int, on day: String) async throws {
    let clock = "\(day) 18:00:00"
    switch number % 3 {
    case 0:
      let items = try await box.json("show", at: clock).elements ?? []
      let id = try #require(items.first { $0["text"]?.text == "pill" }?["id"]?.integer)
      try await box.belfry("check", "\(id)", options: .at(clock)).requireDone()
    case 1:
      let open = try programs.todos().first { $0["summary"] as? String == "pill" && $0["completed"] as? Bool == false }
      try programs.todo("done", "\(try #require(open?["id"] as? Int))")
    default:
      try vdirsyncer.sync()
      try server.phone(
        """
        open = [t for t in named('home', 'pill') if 'STATUS:COMPLETED' not in t.data]
        done = datetime.datetime.fromisoformat(given[0] + 'T09:00:00+00:00')
        open[0].complete(completion_timestamp=done, handle_rrule=True, rrule_mode='safe')
        """, [day])
    }
    try vdirsyncer.sync()
  }

  /// The phone moves an event to two hours later.
  private func postpone(_ text: String) throws {
    try server.phone(
      """
      for event in calendar('meetings').events():
        part = event.icalendar_component
        if str(part['SUMMARY']) != given[0]: continue
        for name in ['DTSTART', 'DTEND']: part[name].dt += datetime.timedelta(hours=2)
        event.save()
      """, [text])
  }

  /// True if the event of a day, which nobody moves then, is answered here.
  private static func isAnswered(_ number: Int) -> Bool { number.isMultiple(of: 2) && !number.isMultiple(of: 3) }

  /// Checks an event, which is written as the acknowledgement of its alarm.
  private func answer(_ text: String, at clock: String) async throws {
    let events = try await box.json("show", "--events", at: clock).elements ?? []
    let id = try #require(events.first { $0["text"]?.text == text }?["id"]?.integer)
    try await box.belfry("check", "\(id)", options: .at(clock)).requireDone()
  }

  /// The events of which the phone sees that an alarm was acknowledged.
  private func acknowledged() throws -> Set<String> {
    let lines = try server.phone(
      """
      for event in calendar('meetings').events():
        if 'ACKNOWLEDGED:' in event.data: print(event.icalendar_component['SUMMARY'])
      """)
    return Set(lines.split(separator: "\n").map(String.init))
  }

  /// Runs a program, and kills it after a random time. Returns whether it was done before.
  private func killed(
    _ words: [String], at clock: String, _ random: inout SeededGenerator, output: String? = nil
  ) async throws -> Bool {
    let milliseconds = Int32.random(in: 5...120, using: &random)
    let options = RunOptions(output: output.map { .writing($0) }, clock: clock)
    let child = try box.start(bytes: words.map { Array($0.utf8) }, options)
    poll(nil, 0, milliseconds)
    child.killGroup()
    return await child.end == .exited(0)
  }

  // MARK: What each shows

  private func shown(at clock: String) async throws -> [String: Bool] {
    let items = try await box.json("show", "--all", at: clock).elements ?? []
    return Self.once(items.map { ($0["text"]?.text ?? "", $0["is_checked"]?.bool ?? false) })
  }

  // A completed occurrence has the text of its repeat.
  private static func once(_ items: some Sequence<(String, Bool)>) -> [String: Bool] {
    Dictionary(items.filter { $0.0 != "pill" }) { $1 }
  }

  private func events(at clock: String) async throws -> Set<String> {
    let items = try await box.json("show", "--events", "--all", at: clock).elements ?? []
    return Set(items.compactMap { $0["text"]?.text })
  }

  private func todomanShows() throws -> [String: Bool] {
    Self.once(try programs.todos().map { ($0["summary"] as? String ?? "", $0["completed"] as? Bool ?? false) })
  }

  private func phoneShows() throws -> [String: Bool] {
    let lines = try server.phone("for t in todos('home'): print('STATUS:COMPLETED' in t.data, summary(t))")
    return Self.once(
      lines.split(separator: "\n").map { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return (String(parts[1]), parts[0] == "True")
      })
  }
}
