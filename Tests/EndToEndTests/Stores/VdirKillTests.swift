import Foundation
import Testing

/// The programs are killed at each call that changes a folder of calendars; then another program writes.
@Suite("A folder of calendars whose change is killed")
struct VdirKillTests {
  private static let changes = [
    ["edit", "1", "--notes", "ours"], ["check", "1"], ["delete", "1"], ["add", "Ours", "-l", "home"],
    ["edit", "1", "--list", "work"],
  ]

  private func todo(_ text: String) -> String {
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other", "BEGIN:VTODO", "UID:a", "DTSTAMP:20260101T000000Z"]
      .joined(separator: "\r\n") + "\r\nSUMMARY:\(text)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
  }

  @Test(
    "at each rename and unlink: no byte of another program is lost, and the next use mends the rest",
    arguments: ["renameat2", "unlink", "rename"], changes)
  func killed(call: String, change: [String]) async throws {
    var number = 1
    var isKilled = true
    while isKilled, number < 20 {
      let box = try Sandbox(config: "store: { type: vdir, path: calendars }\n")
      for list in ["home", "work"] {
        try FileManager.default.createDirectory(
          atPath: box.path("calendars/\(list)"), withIntermediateDirectories: true)
      }
      try box.write(todo("Milk"), to: "calendars/home/a.ics")
      try await box.belfry("show").requireDone()
      let tracer = [
        "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)",
        "-e", "inject=\(call):signal=KILL:when=\(number)",
      ]
      isKilled = try await !box.run([Programs.belfry] + change, RunOptions(prefix: tracer)).isDone
      let name = box.files(in: "calendars/home").filter { $0.hasSuffix(".ics") }.min() ?? "a.ics"
      try box.write(todo("Foreign"), to: "calendars/home/\(name)")
      let shown = try await box.belfry("show", "--all", "--json")
      #expect(shown.isDone, "\(shown)")
      let again = try await box.belfry("show", "--all", "--json")
      #expect(again.output == shown.output)
      let texts = ["home", "work"].flatMap { list in
        box.files(in: "calendars/\(list)").filter { $0 != "displayname" }.map { box.text("calendars/\(list)/\($0)") }
      }
      #expect(texts.contains { $0.contains("SUMMARY:Foreign\r\n") }, "\(call) \(number): \(texts)")
      #expect(texts.allSatisfy { $0.hasSuffix("END:VCALENDAR\r\n") }, "\(call) \(number): \(texts)")
      number += 1
    }
    #expect(!isKilled)
  }
}
