import Foundation
import Testing

/// The commands over a folder of calendars.
@Suite("A store in a folder of calendars")
struct VdirTests {
  private static let config = """
    store: { type: vdir, path: calendars }
    sinks: { out: { type: stdout, format: json } }
    """
  private let box: Sandbox

  init() throws { box = try Sandbox(config: Self.config) }

  private func write(_ lines: [String], to name: String) throws {
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other", "BEGIN:VTODO", "DTSTAMP:20260101T000000Z"] + lines
      + ["END:VTODO", "END:VCALENDAR", ""]
    try FileManager.default.createDirectory(
      atPath: box.path("calendars/home"), withIntermediateDirectories: true)
    try box.write(text.joined(separator: "\r\n"), to: "calendars/home/\(name)")
  }

  /// The content of the file with a UID, on the list home.
  private func file(of uid: String) -> String {
    box.files(in: "calendars/home").map { box.text("calendars/home/\($0)") }
      .first { $0.contains("UID:\(uid)\r\n") } ?? ""
  }

  @Test("is used like any other, and rings")
  func everyday() async throws {
    try write(["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "a.ics")
    #expect(try await box.ids("show") == [1])
    let added = try await box.json("add", "Bread", "-l", "home", "--due", "2096-12-24 09:00", "--repeat", "daily")
    #expect(added["id"] == .integer(2))
    try await box.belfry("list", "create", "Work & Play").requireDone()
    try await box.belfry("edit", "1", "--list", "Work & Play", "--text", "Oat milk").requireDone()
    #expect(box.files(in: "calendars/work-play").count == 2)
    try await box.belfry("undo").requireDone()
    #expect(file(of: "a").contains("SUMMARY:Milk\r\n"))
    let rung = try await box.belfry("run", "--once", options: .at("2096-12-24 09:00:10"))
    #expect(rung.isDone && rung.output.contains("Milk") && rung.output.contains("Bread"), "\(rung)")
    try await box.belfry("check", "1", "2", options: .at("2096-12-24 09:01:00")).requireDone()
    #expect(file(of: "a").contains("STATUS:COMPLETED\r\n"))
    #expect(try await box.ids("show") == [2])
    try await box.belfry("store", "check").requireDone()
    let info = try await box.json("store", "info")
    #expect(info["type"]?.text == "vdir")
    #expect(info["state"]?.text?.contains("/home/state/belfry/vdir/") == true)
    try await box.belfry("export", "-o", "all.ics").requireDone()
    try await box.belfry("import", "all.ics", "--strict").requireDone()
    #expect(try await box.ids("show", "--all") == [1, 2])
    let doctor = try await box.belfry("doctor")
    #expect(doctor.output.contains("calendars"), "\(doctor)")
    #expect(box.files(in: ".").isDisjoint(with: ["calendars.lock", "calendars.access"]))
  }

  @Test("a folder that does not exist yet is told by the check of the config and by the daemon, until it is made")
  func missing() async throws {
    let words = "/calendars does not exist: it is made at the first write"
    let check = try await box.belfry("config", "check")
    #expect(check.isDone && check.messages.contains("belfry.yaml:1:"), "\(check)")
    #expect(check.messages.contains(words) && check.messages.contains("is valid, with 1 warning"), "\(check)")
    let rung = try await box.belfry("run", "--once")
    #expect(rung.isDone && rung.messages.contains(words), "\(rung)")
    let added = try await box.belfry("add", "Milk")
    #expect(added.isDone && !added.messages.contains(words), "\(added)")
    let again = try await box.belfry("config", "check")
    #expect(again.isDone && again.messages.contains("is in order"), "\(again)")
  }

  @Test("is copied to a file and back, numbers and all")
  func copied() async throws {
    try box.write(Sandbox.defaultConfig, to: "file.yaml")
    try write(["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "a.ics")
    try await box.belfry("add", "Bread", "-l", "home").requireDone()
    try await box.belfry("store", "copy", "--to", "file.yaml").requireDone()
    #expect(try await box.ids("show", "--config", "file.yaml").sorted() == [1, 2])
    try await box.belfry("add", "Tea", "-l", "home", "--config", "file.yaml").requireDone()
    let back = try await box.belfry("store", "copy", "--to", "belfry.yaml", "--config", "file.yaml", "--force")
    #expect(back.isDone, "\(back)")
    #expect(try await box.ids("show").sorted() == [1, 2, 3])
    #expect(box.files(in: "calendars/home").filter { $0.hasSuffix(".ics") }.count == 3)
  }

  @Test("rings while it runs what another program writes, and a check elsewhere is taken up")
  func daemon() async throws {
    try write(["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "a.ics")
    try await box.belfry("show").requireDone()
    try write(["UID:b", "SUMMARY:Bread", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "b.ics")
    try write(
      ["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000", "STATUS:COMPLETED"], to: "a.ics")
    // The clock of the daemon moves the times of files too.
    for name in ["a.ics", "b.ics"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date() - 3_600], ofItemAtPath: box.path("calendars/home/\(name)"))
    }
    let rung = try await box.belfry("run", "--once", options: .at("2096-12-24 09:00:10"))
    #expect(rung.isDone && rung.output.contains("Bread") && !rung.output.contains("Milk"), "\(rung)")
  }

  @Test("is refused without its state, and adopted")
  func adopted() async throws {
    try write(["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "a.ics")
    try await box.belfry("show").requireDone()
    try FileManager.default.removeItem(atPath: box.path("home/state"))
    let refused = try await box.belfry("show")
    #expect(refused.status == 74 && refused.messages.contains("--adopt"), "\(refused)")
    let adopted = try await box.belfry("store", "check", "--adopt")
    #expect(adopted.isDone && adopted.messages.contains("starts over"), "\(adopted)")
    #expect(try await box.ids("show") == [1])
    try box.write(Sandbox.defaultConfig, to: "file.yaml")
    let wrong = try await box.belfry("store", "check", "--adopt", "--config", "file.yaml")
    #expect(wrong.status == 64, "\(wrong)")
  }

  @Test("init finds the folders of other programs, says what would ring, and leaves the folder as it is")
  func initialized() async throws {
    try write(["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "a.ics")
    try write(["UID:b", "SUMMARY:Old", "DUE;TZID=Europe/Zurich:20261101T090000"], to: "b.ics")
    try box.write(
      """
      BEGIN:VCALENDAR\r
      BEGIN:VEVENT\r
      UID:c\r
      SUMMARY:Choir\r
      DTSTART:20961224T180000Z\r
      BEGIN:VALARM\r
      ACTION:DISPLAY\r
      TRIGGER:-PT10M\r
      END:VALARM\r
      END:VEVENT\r
      END:VCALENDAR\r

      """, to: "calendars/home/c.ics")
    let config = box.path("home/config/todoman")
    try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
    try box.write("path = \"\(box.path("calendars"))/*\"\n", to: "home/config/todoman/config.py")
    let plain = try await box.belfry("init", "--config", "plain.yaml")
    #expect(plain.isDone && plain.messages.contains("todoman keeps lists in \(box.path("calendars"))"), "\(plain)")
    let missing = try await box.belfry("init", "--config", "new.yaml", "--vdir", "nowhere")
    #expect(missing.status == 66 && missing.messages.contains("todoman keeps lists"), "\(missing)")
    let made = try await box.belfry(
      "init", "--config", "new.yaml", "--vdir", "calendars", options: .at("2096-12-23 12:00:00"))
    #expect(made.isDone && made.messages.contains("24 Dec 2096 09:00"), "\(made)")
    #expect(made.messages.contains("1 event with alarms would ring only with 'events: true'"), "\(made)")
    #expect(made.messages.contains("1 reminder would ring") && made.messages.contains("1 overdue to-do would not ring"))
    #expect(made.messages.contains("adds to the list home"), "\(made)")
    #expect(box.files(in: "calendars") == ["home"])
    #expect(box.files(in: "calendars/home") == ["a.ics", "b.ics", "c.ics"])
    #expect(try await box.ids("show", "--config", "new.yaml").sorted() == [1, 2])
    try await box.belfry("add", "Tea", "--config", "new.yaml").requireDone()
    #expect(box.files(in: "calendars") == ["home", ".belfry-vdir"])
    #expect(box.files(in: "calendars/home").count == 4)
  }

  @Test("files that cannot be read are named, and the rest goes on")
  func faults() async throws {
    try write(["UID:a", "SUMMARY:Milk"], to: "a.ics")
    try box.write("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n", to: "calendars/home/half.ics")
    let check = try await box.belfry("store", "check")
    #expect(check.status == 74 && check.output.contains("half.ics"), "\(check)")
    #expect(try await box.ids("show") == [1])
  }

  @Test("files that vanish one by one ring on, are told, and are deleted once that is accepted")
  func vanished() async throws {
    for number in 1...120 {
      try write(["UID:n\(number)", "SUMMARY:\(number)", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "\(number).ics")
    }
    // A fault of less weight, which must not come before what vanished.
    try box.write("", to: "calendars/above.ics")
    let daemon = try await box.daemon(at: "2096-12-24 08:59:30")
    for number in 1...100 {
      unlink(box.path("calendars/home/\(number).ics"))
      poll(nil, 0, 10)
    }
    try await daemon.waitForRinging(120)
    #expect(Set(try daemon.rungTexts).count == 120)
    try await daemon.waitForLog("home: the files of 100 to-dos vanished")
    let clock = RunOptions.at("2096-12-24 09:02:00")
    let shown = try await box.belfry("show", options: clock)
    #expect(shown.isDone && shown.messages.contains("--accept-deletions"), "\(shown)")
    #expect(shown.messages.split(separator: "\n").count == 1, "\(shown)")
    let doctor = try await box.belfry("doctor", options: clock)
    #expect(doctor.output.contains("the files of 100 to-dos vanished"), "\(doctor)")
    #expect(try await box.belfry("store", "check", options: clock).status == 74)
    unlink(box.path("calendars/above.ics"))
    let accepted = try await box.belfry("store", "check", "--accept-deletions", options: clock)
    #expect(accepted.isDone && accepted.messages.contains("100 items"), "\(accepted)")
    #expect(try await box.json("show", at: "2096-12-24 09:02:10").elements?.count == 20)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("without its marker every command is refused, and the daemon rings on and says so")
  func markerless() async throws {
    try write(["UID:a", "SUMMARY:Milk", "DUE;TZID=Europe/Zurich:20961224T090000"], to: "a.ics")
    let daemon = try await box.daemon(at: "2096-12-24 08:59:40")
    unlink(box.path("calendars/.belfry-vdir"))
    for command in [
      ["show"], ["add", "x", "-l", "home"], ["check", "1"], ["lists"], ["pending"], ["undo"], ["explain", "1"],
      ["store", "info"], ["store", "check"], ["store", "check", "--accept-deletions"], ["export"], ["doctor"],
      ["access", "list"],
    ] {
      let refused = try await box.run([Programs.belfry] + command, .at("2096-12-24 08:59:50"))
      #expect(refused.status == 74, "\(refused)")
      #expect((refused.messages + refused.output).contains("lost its marker"), "\(refused)")
    }
    let face = try await box.run([Programs.belfryWeb], .at("2096-12-24 08:59:50"))
    #expect(face.status == 74 && face.messages.contains("lost its marker"), "\(face)")
    try await daemon.waitForRinging(1)
    try await daemon.waitForLog("lost its marker")
    let adopted = try await box.belfry("store", "check", "--adopt", options: .at("2096-12-24 09:01:00"))
    #expect(adopted.isDone, "\(adopted)")
    #expect(try await box.ids("show") == [1])
    let stopped = await daemon.stop()
    #expect(stopped.end == .exited(0), "\(stopped): \(daemon.log)")
  }

  @Test(
    "a file that the system cannot read at one look is told, and read at the next although nothing of it has changed",
    arguments: ["openat", "newfstatat", "read"], [false, true])
  func unreadable(call: String, isKnown: Bool) async throws {
    func write(_ text: String) throws { try self.write(["UID:a", "SUMMARY:\(text)"], to: "a.ics") }
    if isKnown {
      try write("Milk")
      try await box.belfry("show").requireDone()
    }
    try write("Bread")
    let tracer = [
      "/usr/bin/strace", "-f", "-o", "/dev/null", "-P", box.path("calendars/home/a.ics"),
      "-e", "inject=\(call):error=EIO",
    ]
    let failed = try await box.run([Programs.belfry, "show"], RunOptions(prefix: tracer))
    #expect(failed.isDone && !failed.output.contains("Bread"), "\(failed)")
    #expect(failed.output.contains("Milk") == isKnown && failed.messages.contains("a.ics"), "\(failed)")
    let shown = try await box.belfry("show")
    #expect(shown.isDone && shown.output.contains("Bread") && shown.messages.isEmpty, "\(shown)")
    try await box.belfry("store", "check").requireDone()
  }
}
