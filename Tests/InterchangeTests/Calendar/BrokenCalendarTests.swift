import BelfryModel
import Foundation
import Testing

@testable import Interchange

struct BrokenCalendarTests {
  private static let good = ["BEGIN:VTODO", "SUMMARY:good", "END:VTODO"]

  /// The refusal and the items of a calendar with these lines between two good to-dos, as `place: reason`.
  private func refusals(_ lines: [String]) throws -> (refusals: [ImportRefusal], items: [String]) {
    let entries = try CalendarTesting.entries(
      lines: ["BEGIN:VCALENDAR"] + Self.good + lines + Self.good + ["END:VCALENDAR"])
    return (entries.refusals, entries.items.map(\.text))
  }

  @Test(
    "a broken to-do is refused with its line, and those beside it are taken",
    arguments: [
      // No END.
      (["BEGIN:VTODO", "SUMMARY:bad"], "line 5, VTODO 'bad'", "line 7 begins a VTODO before END:VTODO"),
      (
        ["BEGIN:VTODO", "SUMMARY:bad", "BEGIN:VALARM", "TRIGGER:PT0S", "END:VTODO"], "line 9, VTODO 'bad'",
        "END:VTODO without the END:VALARM of line 7"
      ),
      // Broken folding.
      (
        ["BEGIN:VTODO", "SUMMARY:bad", "DESCRIPTION:one", "two", "END:VTODO"], "line 8, VTODO 'bad'",
        "'two' is not NAME:VALUE"
      ),
      (["BEGIN:VTODO", "SUMMARY:bad", "", " more", "END:VTODO"], "line 8, VTODO 'bad'", "it starts with a space"),
      // Control characters, and duplicates of single properties.
      (["BEGIN:VTODO", "SUMMARY:bad", "X-A:\u{1}", "END:VTODO"], "line 7, VTODO 'bad'", "control character U+0001"),
      (["BEGIN:VTODO", "SUMMARY:bad", "SUMMARY:worse", "END:VTODO"], "line 7, VTODO 'bad'", "a second SUMMARY"),
      (
        ["BEGIN:VTODO", "SUMMARY:bad", "DUE:20260230", "END:VTODO"], "line 7, VTODO 'bad'",
        "its DUE '20260230' is not a time"
      ),
      // A property of vCalendar 1.0.
      (
        ["BEGIN:VTODO", "SUMMARY;ENCODING=QUOTED-PRINTABLE:bad=20", "END:VTODO"], "line 6, VTODO 'bad=20'",
        "export it as iCalendar 2.0"
      ),
      // Other components that are not closed.
      (["BEGIN:VEVENT", "SUMMARY:bad"], "line 5, VEVENT", "line 7 begins a VTODO before END:VEVENT"),
      (["END:VALARM"], "line 5", "END:VALARM without its BEGIN"),
    ])
  func broken(lines: [String], place: String, reason: String) throws {
    let found = try refusals(lines)
    #expect(found.refusals.map(\.place) == [place])
    #expect(found.refusals.first?.reason.contains(reason) ?? false, "\(found.refusals)")
    #expect(found.items == ["good", "good"])
  }

  @Test("bytes that are no UTF-8 refuse the to-do that they are in, and no other")
  func encodings() throws {
    var bytes = Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nX:".utf8) + [0xE9]
    bytes += "\nEND:VEVENT\nBEGIN:VTODO\nSUMMARY:Caf".utf8 + [0xE9]
    bytes += "\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:Café\nEND:VTODO\nEND:VCALENDAR".utf8
    let entries = try CalendarTesting.entries(bytes)
    #expect(entries.items.map(\.text) == ["Café"])
    #expect(entries.refusals.map(\.place) == ["line 6, VTODO"])
    #expect(entries.refusals.first?.reason.contains("iconv") ?? false)
  }

  @Test("an alarm outside of a to-do is left out, and one to-do is not taken for it")
  func strayAlarms() throws {
    let entries = try CalendarTesting.entries(
      lines: ["BEGIN:VCALENDAR", "BEGIN:VALARM", "TRIGGER:PT0S", "END:VALARM"] + Self.good + ["END:VCALENDAR"])
    #expect(entries.leftOut == ["VALARM outside of a to-do"])
    #expect(entries.items.map(\.alerts) == [[]])
  }

  @Test("a million alarms are refused, and the next to-do is taken", arguments: [1_001, 20_000])
  func tooManyAlarms(count: Int) throws {
    let alarm = ["BEGIN:VALARM", "TRIGGER:-PT1M", "END:VALARM"]
    let alarms = (0..<count).flatMap { _ in alarm }
    let found = try refusals(["BEGIN:VTODO", "SUMMARY:bad"] + alarms + ["END:VTODO"])
    #expect(found.refusals.map(\.reason) == ["it has more than 1000 alarms"])
    #expect(found.refusals.map(\.place) == ["line \(7 + 3 * 1_000), VTODO 'bad'"])
    #expect(found.items == ["good", "good"])
  }

  @Test("components a hundred thousand deep are refused, and the next to-do is taken")
  func tooDeep() throws {
    let depth = 100_000
    let nested = (0..<depth).map { _ in "BEGIN:X-A" } + (0..<depth).map { _ in "END:X-A" }
    let found = try refusals(["BEGIN:VTODO", "SUMMARY:bad"] + nested + ["END:VTODO"])
    #expect(found.refusals.map(\.reason) == ["components are nested more than 8 deep"])
    #expect(found.items == ["good", "good"])
  }

  @Test("a to-do of too many lines is refused")
  func tooManyLines() throws {
    let found = try refusals(["BEGIN:VTODO", "SUMMARY:bad"] + (0..<20_001).map { "X-A:\($0)" } + ["END:VTODO"])
    #expect(found.refusals.first?.reason.hasPrefix("it has more than 20000 lines") ?? false)
    #expect(found.items == ["good", "good"])
  }

  @Test("unknown zones by the thousand cost no more than some")
  func unknownZones() throws {
    let todos = (0..<5_000).flatMap {
      ["BEGIN:VTODO", "SUMMARY:x", "DUE;TZID=Europe/X\($0):20261121T090000", "END:VTODO"]
    }
    let found = try refusals(todos)
    #expect(found.refusals.count == 5_000)
    #expect(found.items == ["good", "good"])
  }

  @Test(
    "a file that was cut off keeps what came whole, and says where it ends",
    arguments: [
      (["BEGIN:VTODO", "SUMMARY:bad"], "line 5, VTODO 'bad'", "the file ends before END:VTODO"),
      (["BEGIN:VEVENT"], "line 5, VEVENT", "the file ends before END:VEVENT"),
      ([], "line 4", "the file ends before END:VCALENDAR"),
    ])
  func cutOff(lines: [String], place: String, reason: String) throws {
    let entries = try CalendarTesting.entries(lines: ["BEGIN:VCALENDAR"] + Self.good + lines)
    #expect(entries.items.map(\.text) == ["good"])
    #expect(entries.refusals.map(\.place) == [place])
    #expect(entries.refusals.first?.reason.hasPrefix(reason) ?? false)
  }

  @Test("calendars in each other, and to-dos in none, are read")
  func odd() throws {
    let nested = try CalendarTesting.entries(
      lines: ["BEGIN:VCALENDAR", "NAME:A"] + Self.good + ["BEGIN:VCALENDAR", "NAME:B"] + Self.good + ["END:VCALENDAR"])
    #expect(nested.listNames == ["A", "B"])
    #expect(nested.refusals.map(\.place) == ["line 6, VCALENDAR"])
    let bare = try CalendarTesting.entries(lines: Self.good + ["rubbish"] + Self.good)
    #expect(bare.listNames == ["Inbox", "Inbox"])
    #expect(bare.leftOut == ["line outside of a calendar"])
  }

  @Test(
    "a file that is no calendar is an error about the whole",
    arguments: [
      ([UInt8]("".utf8), "is not a calendar: its first line should be BEGIN:VCALENDAR, found nothing"),
      (Array("{\"a\": 1}".utf8), "found '{\"a\": 1}'"), ([0xFF, 0xFE, 0x42, 0x00], "UTF-16"),
      ([0xFE, 0xFF, 0x00, 0x42], "UTF-16"), ([0x42, 0x00, 0x45, 0x00], "UTF-16"), ([0x00], "is not a calendar"),
      (Array("BEGIN:VCALENDAR\rVERSION:2.0\rEND:VCALENDAR".utf8), "CR alone"), ([0x80, 0x81], "is not a calendar"),
    ])
  func noCalendar(bytes: [UInt8], message: String) {
    #expect { try CalendarTesting.entries(bytes) } throws: {
      ($0 as? ImportError)?.message.contains(message) ?? false
    }
  }

  @Test("a byte order mark, lower case and blank lines at the start do no harm")
  func slips() throws {
    let text = "\n\nbegin:vcalendar\nBegin:vTodo\nsummary:x\nEND:VTODO\nend:vcalendar\n"
    #expect(try CalendarTesting.entries([0xEF, 0xBB, 0xBF] + Array(text.utf8)).items.map(\.text) == ["x"])
    #expect(try CalendarTesting.entries(Array(text.utf8)).refusals == [])
  }

  @Test("no name, summary or line of a file reaches a message with what moves a terminal's cursor")
  func terminals() throws {
    let entries = try CalendarTesting.entries(
      lines: [
        "BEGIN:VCALENDAR", "BEGIN:\u{1B}[31m", "BEGIN:VTODO", "SUMMARY:a\u{202E}b\u{9B}c", "DUE:\u{9B}31m", "END:VTODO",
        "END:\u{1B}[0m", "\u{202E}no line", "END:VCALENDAR",
      ])
    #expect(entries.refusals.count == 4)
    for refusal in entries.refusals {
      let scalars = (refusal.place + refusal.reason).unicodeScalars
      #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E })
    }
    #expect(entries.leftOut == ["unknown component"])
  }
}
