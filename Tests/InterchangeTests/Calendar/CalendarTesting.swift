import BelfryCore
import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

/// What the tests of calendars share.
enum CalendarTesting {
  static let zones = ZoneDatabase(environment: [:])

  static func entries(_ bytes: some Sequence<UInt8>) throws -> ReadCalendar {
    var source = CalendarSource(ByteSource(bytes), context: Contents.context)
    var entries: [ImportEntry] = []
    while let entry = try source.next() { entries.append(entry) }
    return ReadCalendar(entries: entries)
  }

  /// The entries of a file with these lines.
  static func entries(lines: [String]) throws -> ReadCalendar {
    try entries(lines.joined(separator: "\r\n").utf8)
  }

  /// The entries of a calendar with one to-do of these lines.
  static func entries(todo: [String]) throws -> ReadCalendar {
    try entries(lines: ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO"] + todo + ["END:VTODO", "END:VCALENDAR"])
  }

  /// The item of a calendar with one to-do of these lines.
  static func item(_ todo: String...) throws -> ImportedItem {
    let entries = try entries(todo: todo)
    return try #require(entries.items.first, "\(entries)")
  }

  /// The refusal of a calendar with one to-do of these lines, which are its lines from the fourth on.
  static func refusal(_ todo: String...) throws -> ImportRefusal {
    let entries = try entries(todo: todo)
    #expect(entries.items == [])
    return try #require(entries.refusals.first, "\(entries)")
  }

  static func wall(_ text: String) throws -> WallTime { try #require(WallTime(parsing: text)) }

  static func date(_ text: String) throws -> Date { try #require(parseRFC3339(text)) }

  /// The calendars that others wrote.
  static let corpus = files(in: Contents.corpus.appending(path: "ics"), ending: ".ics")

  private static func files(in folder: URL, ending: String) -> [URL] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { folder.appending(path: $0) }
  }

  /// What a Python program prints, which gets paths as its arguments.
  static func python(_ program: String, _ arguments: [String] = []) throws -> String {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let output = URL(filePath: folder.file("output"))
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-B", "-c", program] + arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    try #require(process.terminationStatus == 0, "the Python program failed")
    return try String(contentsOf: output, encoding: .utf8)
  }
}

/// What a calendar held.
struct ReadCalendar {
  let entries: [ImportEntry]

  var items: [ImportedItem] {
    entries.compactMap { if case .item(let item, _) = $0 { item } else { nil } }
  }

  var refusals: [ImportRefusal] {
    entries.compactMap { if case .refusal(let refusal) = $0 { refusal } else { nil } }
  }

  var leftOut: [String] {
    entries.compactMap { if case .leftOut(let words) = $0 { words } else { nil } }
  }

  var lists: [ImportedList] {
    entries.compactMap { if case .list(let list) = $0 { list } else { nil } }
  }

  var listNames: [String] {
    entries.compactMap { if case .item(_, let list) = $0 { list } else { nil } }
  }
}
