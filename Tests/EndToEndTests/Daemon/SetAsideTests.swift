import Foundation
import Testing

@Suite("No item stops another")
struct SetAsideTests {
  static let early = "2026-11-21 08:00:00"
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("a rule with seconds rings at its minute, an ordinary item beside it, and SIGTERM ends the daemon")
  func seconds() async throws {
    try await box.json("add", "bad", "--due", "09:00", "--repeat", "FREQ=DAILY;BYSECOND=30", at: Self.early)
    try await box.json("add", "Milk", "--due", "09:00", at: Self.early)
    let daemon = try await box.daemon(at: "2026-11-21 09:00:01")
    try await daemon.waitForRinging(2)
    #expect(Set(try daemon.rungTexts) == ["bad", "Milk"])
    let stopped = await daemon.stop()
    #expect(stopped.end == .exited(0) && stopped.seconds < 5, "\(stopped)")
    let pending = try #require(try await box.json("pending", at: "2026-11-21 09:01:00").elements)
    #expect(pending.compactMap { $0["fire_date"] } == [.text("2026-11-22T09:00:00+01:00")])
    for words in [
      ["check", "1"], ["undo"], ["edit", "1", "--text", "Bread"], ["agenda"], ["explain", "1"], ["doctor"],
    ] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions(clock: "2026-11-21 09:02:00"))
      #expect(outcome.isDone || words == ["doctor"], "\(words): \(outcome)")
    }
  }

  @Test("an imported calendar with such a rule rings, and so does the item beside it")
  func imported() async throws {
    let todo = { (text: String, more: String) in
      "BEGIN:VTODO\r\nUID:\(text)\r\nSUMMARY:\(text)\r\nDTSTART:20261121T090000\r\nDUE:20261121T090000\r\n\(more)"
        + "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER;RELATED=END:PT0S\r\nEND:VALARM\r\nEND:VTODO\r\n"
    }
    try box.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + todo("bad", "RRULE:FREQ=DAILY;BYSECOND=30\r\n")
        + todo("Milk", "") + "END:VCALENDAR\r\n", to: "in.ics")
    try await box.json("import", "in.ics", at: Self.early)
    let bodies = try await box.runOnce(at: "2026-11-21 09:00:05")
    #expect(Set(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text }) == ["bad", "Milk"])
  }

  @Test("a spoilt row is set aside and told by its number in the log, in doctor and in explain; the others ring")
  func spoiltRow() async throws {
    try await box.json("add", "bad", "--due", "09:00", at: Self.early)
    try await box.json("add", "Milk", "--due", "09:00", at: Self.early)
    let spoilt = try await box.python(
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(\"UPDATE item SET alerts = 'soon' WHERE id = 1\"); c.commit()",
      [box.store])
    #expect(spoilt.isDone)
    let copy = "\(box.store).bak"
    try box.write("the last good copy", to: copy)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: copy)
    let daemon = try await box.daemon(at: "2026-11-21 09:00:05")
    try await daemon.waitForRinging(1)
    #expect(try daemon.rungTexts == ["Milk"])
    #expect(await daemon.stop().end == .exited(0))
    #expect(
      daemon.log.contains("item 1 is skipped: table item, row 1: an invalid duration: 'soon'"), "\(daemon.log)")
    // It may still have the item.
    #expect(box.text(copy) == "the last good copy")
    let doctor = try await box.belfry("doctor", options: .at("2026-11-21 09:01:00"))
    #expect(doctor.status != 0 && doctor.output.contains("table item, row 1: an invalid duration: 'soon'"), "\(doctor)")
    for words in [["explain", "1"], ["edit", "1", "--text", "x"], ["check", "1"], ["delete", "1"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions(clock: "2026-11-21 09:02:00"))
      #expect(outcome.status == 74 && outcome.messages.contains("row 1"), "\(words): \(outcome)")
    }
  }

  @Test(
    "a spoilt row is told by its table and number, with status 74, beside what the others are",
    arguments: [false, true])
  func shownBeside(isJSON: Bool) async throws {
    try await box.json("add", "bad", "--due", "09:00", "--repeat", "daily", at: Self.early)
    try await box.json("add", "Milk", "--due", "09:00", at: Self.early)
    let spoilt = try await box.python(
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(\"UPDATE item SET text = x'00' WHERE id = 1\"); c.commit()",
      [box.store])
    #expect(spoilt.isDone)
    for words in [["show"], ["agenda"], ["plan"], ["pending"]] {
      let outcome = try await box.run(
        [Programs.belfry] + words + (isJSON ? ["--json"] : []), RunOptions(clock: "2026-11-21 08:30:00"))
      #expect(outcome.status == 74, "\(words): \(outcome)")
      #expect(outcome.output.contains("Milk"), "\(words): \(outcome)")
      let place = words == ["pending"] ? "table reminder, owner_id 1" : "table item, row 1"
      #expect(outcome.messages.contains("\(place), column text: not a text"), "\(words): \(outcome)")
    }
  }

  @Test("agenda and plan show a part of what rings each minute, and say so")
  func capped() async throws {
    try await box.json("add", "tick", "--due", "09:00", "--repeat", "FREQ=MINUTELY", at: Self.early)
    try await box.json("add", "Milk", "--due", "2026-11-29 09:00", at: Self.early)
    let agenda = try await box.belfry("agenda", "--days", "30", "--json", options: .at(Self.early))
    #expect(agenda.messages.contains("Item 1 rings too often to show every time"), "\(agenda.messages)")
    let rings = try #require(try agenda.json.elements)
    #expect(rings.count == 5_001)
    #expect(rings.last?["text"] == .text("Milk"))
    let plan = try await box.belfry("plan", options: .at(Self.early))
    #expect(plan.messages.contains("and over 980 more"), "\(plan.messages)")
    let json = try await box.belfry("plan", "--json", options: .at(Self.early))
    #expect(json.messages.contains("Only the first 1000 are shown"), "\(json.messages)")
  }

  @Test("SIGTERM in the middle of a long claim ends the daemon in time; the rest rings at the next start")
  func stopInClaim() async throws {
    let box = try Sandbox(config: Sandbox.defaultConfig + "\nmissed: { policy: all, max_age: 3650d }\n")
    for number in 1...4 {
      try await box.json("add", "tick \(number)", "--due", "09:00", "--repeat", "FREQ=MINUTELY", at: Self.early)
    }
    let daemon = try await box.daemon(at: "2027-11-21 09:00:05")
    try await daemon.waitForRinging(100)
    let stopped = await daemon.stop()
    #expect(stopped.end == .exited(0) && stopped.seconds < 8, "\(stopped)")
    let pending = try #require(try await box.json("pending", at: "2027-11-21 09:01:00").elements)
    #expect(Set(pending.compactMap { $0["item_id"]?.integer }) == [1, 2, 3, 4])
    #expect(try await box.belfry("store", "check").isDone)
  }

  @Test("SIGTERM ends a daemon that hangs before it has begun, on a config that nobody writes")
  func stopBeforeStart() async throws {
    try await box.run(["/usr/bin/mkfifo", "fifo"], RunOptions()).requireDone()
    let words = [try Programs.belfryd, "--config", box.path("fifo")].map { Array($0.utf8) }
    let process = try box.start(bytes: words, RunOptions())
    try await waitUntil("the daemon waits for its config", within: 100) {
      let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/task")
      return (tasks?.count ?? 0) > 1
    }
    let start = ContinuousClock.now
    process.send(SIGTERM)
    process.send(SIGTERM)
    #expect(await process.end == .exited(0))
    #expect(ContinuousClock.now - start < .seconds(8))
  }
}
