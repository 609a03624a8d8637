import BelfryTestKit
import Foundation
import TestSupport
import Testing

@Suite("A folder of hostile files beside a to-do, under a daemon")
struct HostileCalendarsTests {
  private static let count = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 10_000 : 600

  private let box: Sandbox

  init() throws {
    box = try Sandbox(
      config: """
        store: { type: vdir, path: calendars, events: true }
        sinks: { out: { type: stdout, format: json } }
        """)
  }

  @Test("rings the to-do within its minute, in little memory, and what cannot be read is told in a line")
  func rings() async throws {
    try fill()
    let daemon = try box.startDaemon(at: "2096-12-24 08:59:00", prefix: PermissionTests.bound)
    try await waitUntil("the to-do rang; log: \(daemon.log)", within: 300) {
      (try? daemon.rungTexts.contains("Pill")) ?? false
    }
    let ring = try #require(try daemon.rung.first { $0["data"]?["alert"]?["body"]?.text == "Pill" })
    #expect(ring["data"]?["fire_date"]?.text?.contains("T09:00:00") == true)
    #expect(ring["data"]?["late_seconds"]?.integer ?? .max < 60, "\(ring)")
    // While it runs, files come and go.
    var random = SeededGenerator(seed: 16)
    for number in 1...100 {
      try write(number, &random)
      unlink(box.path("calendars/home/\(number + 100).ics"))
    }
    let clock = RunOptions(clock: "2096-12-24 09:02:00", prefix: PermissionTests.bound)
    let shown = try await box.run([Programs.belfry, "show", "-l", "good"], clock)
    #expect(shown.isDone && shown.output.contains("Pill"), "\(shown)")
    #expect(shown.messages.split(separator: "\n").count == 1 && shown.messages.contains("store check"), "\(shown)")
    // It tells of a lock where the daemon holds it just then.
    var doctor = try await box.run([Programs.belfry, "doctor"], clock)
    try await waitUntil("'doctor' has looked at the folder") {
      if doctor.output.contains("locked by another program") {
        doctor = try await box.run([Programs.belfry, "doctor"], clock)
      }
      return !doctor.output.contains("locked by another program")
    }
    #expect(doctor.output.contains("more cannot be used"), "\(doctor)")
    #expect(doctor.output.split(separator: "\n").count { $0.contains("files") } < 20, "\(doctor)")
    let memory = box.text("/proc/\(daemon.process.pid)/status").firstMatch(of: #/VmHWM:\s+(\d+) kB/#)
    let kilobytes = try #require(memory.flatMap { Int($0.1) })
    #expect(kilobytes < 200 << 10)
    print("\(Self.count) hostile files: the daemon took \(kilobytes >> 10) MiB at most")
    #expect(await daemon.stop().end == .exited(0))
  }

  private func fill() throws {
    for list in ["home", "good", "sealed", "stranger"] {
      try FileManager.default.createDirectory(atPath: box.path("calendars/\(list)"), withIntermediateDirectories: true)
    }
    try box.write(
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other", "BEGIN:VTODO", "UID:pill", "DTSTAMP:20260101T000000Z",
        "SUMMARY:Pill", "DUE;TZID=Europe/Zurich:20961224T090000", "END:VTODO", "END:VCALENDAR", "",
      ].joined(separator: "\r\n"), to: "calendars/good/pill.ics")
    var random = SeededGenerator(seed: 43)
    for number in 1...Self.count { try write(number, &random) }
    let home = box.path("calendars/home")
    // Sparse files, just small enough to be read, and far too large.
    for (name, size) in [("zeros", 33 << 20), ("large", 100 << 20), ("terabyte", 1 << 40)] {
      try box.write("BEGIN:VCALENDAR\r\n", to: "calendars/home/\(name).ics")
      #expect(truncate("\(home)/\(name).ics", off_t(size)) == 0)
    }
    try box.write(Data(repeating: 0x20, count: 32 << 20), to: "calendars/home/spaces.ics")
    try box.write("X", to: "calendars/home/sealed.ics")
    chmod("\(home)/sealed.ics", 0)
    for (name, target) in [("link", "pill.ics"), ("self", "self.ics"), ("root", "/"), ("zero", "/dev/zero")] {
      symlink(target, "\(home)/\(name).ics")
    }
    mkfifo("\(home)/pipe.ics", 0o600)
    _ = try Python.run(
      "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", ["\(box.path("calendars"))/s.ics"])
    rename(box.path("calendars/s.ics"), "\(home)/socket.ics")
    mkdir("\(home)/folder.ics", 0o700)
    symlink("/dev", box.path("calendars/devices"))
    symlink(box.path("calendars"), box.path("calendars/stranger/above"))
    symlink("nowhere", box.path("calendars/dangling"))
    let name = Array("\(home)/".utf8) + [0xFF, 0xFE] + Array(".ics".utf8) + [0]
    name.withUnsafeBytes { bytes in
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
      close(creat(start, 0o600))
    }
    try box.write("X", to: "calendars/home/\(String(repeating: "n", count: 250)).ics")
    chmod(box.path("calendars/sealed"), 0)
  }

  private func write(_ number: Int, _ random: inout SeededGenerator) throws {
    let seed = try #require(Corpus.calendars.randomElement(using: &random))
    var bytes = Array(try Data(contentsOf: seed).prefix(6_000))
    // Most calendars of other programs consist of VEVENTs.
    if Bool.random(using: &random) {
      bytes = Array(String(decoding: bytes, as: UTF8.self).replacing("VEVENT", with: "VTODO").utf8)
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) { HostileCalendar.spoil(&bytes, &random) }
    try box.write(Data(bytes), to: "calendars/home/\(number).ics")
  }
}
