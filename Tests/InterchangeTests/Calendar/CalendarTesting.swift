import BelfryModel
import CivilTime
import Foundation
import Testing

@testable import Interchange
import TestSupport

/// Fixtures for tests of calendars.
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

  /// Our own calendars, and those of other programs where the corpus is there.
  static let corpus = Corpus.calendars
}

/// The entries read from a calendar.
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
