import Foundation

/// Folders of iCalendar files, as other programs write them.
enum CalendarFiles {
  /// Writes a file with a to-do for each item.
  static func writeTodos(_ items: SampleItems, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for index in 0..<items.count { try writeTodo(index, items.text(index), due: items.due(index), to: folder) }
  }

  /// Writes the file of a to-do, or replaces it as programs do that share a folder.
  static func writeTodo(_ index: Int, _ text: String, due: Int, to folder: String) throws {
    try write(
      "VTODO", index, text, ["DUE:\(moment(due))", "STATUS:NEEDS-ACTION"], to: folder)
  }

  /// Writes a file with an event for each item, which begins a quarter of an hour after its alarm.
  static func writeEvents(_ items: SampleItems, every minutes: Int, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for index in 0..<items.count {
      let start = Int(Clock.wall) / 60 * 60 + (index + 1) * minutes * 60
      let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:soon", "TRIGGER:-PT15M", "END:VALARM"]
      try write(
        "VEVENT", index, items.text(index), ["DTSTART:\(moment(start))", "DURATION:PT30M"] + alarm, to: folder)
    }
  }

  private static func moment(_ seconds: Int) -> String { Timestamp.format(seconds, "%Y%m%dT%H%M%SZ", isLocal: false) }

  private static func write(
    _ kind: String, _ index: Int, _ text: String, _ more: [String], to folder: String
  ) throws {
    let lines =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//belfry-bench", "BEGIN:\(kind)", "UID:item-\(index)",
        "DTSTAMP:20260101T000000Z", "CREATED:20260101T000000Z", "SUMMARY:\(text)",
      ] + more + ["END:\(kind)", "END:VCALENDAR", ""]
    try lines.joined(separator: "\r\n")
      .write(toFile: "\(folder)/item-\(index).ics", atomically: true, encoding: .utf8)
  }
}
