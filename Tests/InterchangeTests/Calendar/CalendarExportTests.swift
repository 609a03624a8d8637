import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange
import TestSupport

struct CalendarExportTests {
  private func lines(_ item: Item) throws -> [String] {
    let text = String(decoding: try CalendarTesting.written(item), as: UTF8.self)
    return text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }

  private func due(_ wall: String, _ zone: ItemZone = .floating) throws -> DueDate {
    try Contents.planner.resolve(CalendarTesting.wall(wall), in: Contents.planner.zone(zone))
  }

  @Test("an item is a VTODO with what other programs understand")
  func plain() throws {
    var item = Sample.calendarItem(
      text: "Buy milk, eggs; bread", due: try due("2026-12-24T18:30"), shouldRemind: true,
      properties: ["PRIORITY:0", "CATEGORIES:two words"])
    item.priority = ItemPriority(number: 2)
    item.tags = try ItemTags(["home", "a;b"])
    item.notes = "one\ntwo"
    item.alerts = [CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 10), .zero]
    let lines = try lines(item)
    let calendar = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN", "NAME:Inbox",
      "BEGIN:VTODO", "UID:\(item.uuid.text)", "DTSTAMP:20261121T080000Z", "CREATED:20261121T080000Z",
      "LAST-MODIFIED:20261121T080000Z", #"SUMMARY:Buy milk\, eggs\; bread"#, #"DESCRIPTION:one\ntwo"#,
      "DUE:20261224T183000", "STATUS:NEEDS-ACTION", "X-BELFRY-ID:7", #"CATEGORIES:home,a\;b"#,
      "PRIORITY:2", "X-BELFRY-PROPERTY:PRIORITY:0", "CATEGORIES:two words",
    ]
    let alarms = ["-P1D", "-PT10M", "PT0S"].flatMap {
      [
        "BEGIN:VALARM", "ACTION:DISPLAY", #"DESCRIPTION:Buy milk\, eggs\; bread"#, "TRIGGER;RELATED=END:\($0)",
        "END:VALARM",
      ]
    }
    #expect(lines == calendar + alarms + ["END:VTODO", "END:VCALENDAR"])
  }

  @Test(
    "a due date is written as its zone has it",
    arguments: [
      (ItemZone.floating, "DUE:20261224T090000"), (.fixed("Asia/Kathmandu"), "DUE;TZID=Asia/Kathmandu:20261224T090000"),
      (.fixed("UTC"), "DUE:20261224T090000Z"),
    ])
  func zones(zone: ItemZone, line: String) throws {
    let item = Sample.calendarItem(due: try due("2026-12-24T09:00", zone), zone: zone)
    let lines = try lines(item)
    #expect(lines.contains(line))
    #expect(lines.count { $0 == "BEGIN:VTIMEZONE" } == (zone == .fixed("Asia/Kathmandu") ? 1 : 0))
    #expect(try CalendarTesting.roundTrip(item) == CalendarTesting.expected(item))
  }

  @Test("an imported date is exported as a date until its time is changed")
  func dates() throws {
    let mark = ["X-BELFRY-DATE-ONLY:0900"]
    let date = Sample.calendarItem(due: try due("2026-12-24T09:00"), shouldRemind: true, properties: mark)
    #expect(try lines(date).contains("DUE;VALUE=DATE:20261224"))
    #expect(try lines(date).contains("TRIGGER;RELATED=END:PT9H"))
    #expect(try CalendarTesting.roundTrip(date) == CalendarTesting.expected(date))
    let time = Sample.calendarItem(due: try due("2026-12-24T10:00"), properties: mark)
    #expect(try lines(time).contains("DUE:20261224T100000"))
    #expect(try CalendarTesting.roundTrip(time) == CalendarTesting.expected(time))
  }

  @Test("a rule counts from the due date on, for whoever does not know Belfry's own")
  func repeats() throws {
    var item = Sample.calendarItem(due: try due("2026-12-03T09:00"))
    item.recurrence = Recurrence(
      rule: try RecurrenceRule("FREQ=DAILY;COUNT=5"), start: try CalendarTesting.wall("2026-12-01T09:00"))
    let lines = try lines(item)
    #expect(lines.contains("DTSTART:20261203T090000") && lines.contains("DUE:20261203T090000"))
    #expect(lines.contains("RRULE:FREQ=DAILY;UNTIL=20261205T090000"))
    let own = try #require(lines.first { $0.hasPrefix("X-BELFRY-REPEAT;") })
    #expect(
      own.hasSuffix(
        #";X-BELFRY-RRULE="FREQ=DAILY;UNTIL=20261205T090000";X-BELFRY-START=20261201T0900:FREQ=DAILY;COUNT=5"#))
  }

  @Test("UNTIL has the form that the due date's asks for")
  func ends() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20261231")
    for (zone, until) in [(ItemZone.floating, "20261231T235959"), (.fixed("Europe/Zurich"), "20261231T225959Z")] {
      var item = Sample.calendarItem(due: try due("2026-12-03T09:00", zone), zone: zone)
      item.recurrence = Recurrence(rule: rule, start: try CalendarTesting.wall("2026-12-03T09:00"))
      #expect(try lines(item).contains("RRULE:FREQ=DAILY;UNTIL=\(until)"))
    }
  }

  @Test("kept properties stand as they are while they say what the item does, and are kept as texts when they do not")
  func kept() throws {
    var item = Sample.calendarItem(
      due: try due("2026-12-24T09:00"), shouldRemind: true,
      properties: [
        "STATUS:IN-PROCESS", "DTSTART:20261223T090000", "UID:other@example.com", "SUMMARY:evil", "DUE:20200101",
        "no line",
        "END:VTODO", "BEGIN:VTODO",
      ])
    var written = try lines(item)
    #expect(written.contains("STATUS:IN-PROCESS") && !written.contains("STATUS:NEEDS-ACTION"))
    #expect(written.contains("DTSTART:20261223T090000"))
    #expect(written.contains("X-BELFRY-PROPERTY:UID:other@example.com"))
    #expect(written.count { $0.hasPrefix("UID:") } == 1)
    for name in ["SUMMARY:", "DUE", "BEGIN:VTODO", "END:VTODO"] { #expect(written.count { $0.hasPrefix(name) } == 1) }
    #expect(try CalendarTesting.roundTrip(item) == CalendarTesting.expected(item))
    item.isChecked = true
    item.due = try due("2026-12-22T09:00")
    written = try lines(item)
    #expect(written.contains("STATUS:COMPLETED") && written.contains("X-BELFRY-PROPERTY:STATUS:IN-PROCESS"))
    #expect(written.contains("X-BELFRY-PROPERTY:DTSTART:20261223T090000"))
    #expect(try CalendarTesting.roundTrip(item) == CalendarTesting.expected(item))
  }

  @Test("a kept alarm stands while the item rings as it says")
  func keptAlarms() throws {
    let alarm = ["BEGIN:VALARM", "UID:1", "ACTION:AUDIO", "TRIGGER;RELATED=END:-PT15M", "END:VALARM"]
    var item = Sample.calendarItem(due: try due("2026-12-24T09:00"), shouldRemind: true, properties: alarm)
    item.alerts = [CalendarDuration(days: 0, minutes: 15)]
    #expect(try lines(item).count { $0 == "BEGIN:VALARM" } == 1)
    #expect(try lines(item).contains("ACTION:AUDIO"))
    #expect(try CalendarTesting.roundTrip(item) == CalendarTesting.expected(item))
    item.alerts = [.zero]
    #expect(try lines(item).count { $0 == "BEGIN:VALARM" } == 1)
    #expect(try lines(item).contains("X-BELFRY-PROPERTY:ACTION:AUDIO"))
    #expect(try CalendarTesting.roundTrip(item) == CalendarTesting.expected(item))
    item.shouldRemind = false
    #expect(try !lines(item).contains("BEGIN:VALARM"))
  }

  @Test("a nag is written for other programs as an alarm that repeats")
  func nag() throws {
    var item = Sample.calendarItem(due: try due("2026-12-24T09:00"), shouldRemind: true)
    item.nag = CalendarDuration(days: 0, minutes: 10)
    #expect(try lines(item).contains("REPEAT:24") && lines(item).contains("DURATION:PT10M"))
    #expect(try CalendarTesting.roundTrip(item) == CalendarTesting.expected(item))
  }

  @Test("lists without items have a calendar, and a store without lists has an empty one")
  func empty() throws {
    let belfry = Contents.belfry()
    #expect(try CalendarTesting.entries(Contents.exported(belfry, as: .calendar).utf8).entries == [])
    _ = try belfry.createList("One")
    _ = try belfry.add([ItemDraft(text: "b")], to: ListChoice("Two", createsMissing: true))
    _ = try belfry.createList("Three")
    let read = try CalendarTesting.entries(Contents.exported(belfry, as: .calendar).utf8)
    #expect(read.lists.map(\.name) == ["One", "Two", "Three"])
    #expect(read.listNames == ["Two"])
  }

  /// Values that try to inject header fields, commands or calendar lines.
  private static let injections: [String] = {
    return ((try? Corpus.injections()) ?? []) + [
      "x\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:y", "x\r\nEND:VCALENDAR", "x\r\n\r\nEND:VTODO", "\\nEND:VTODO",
      "x\u{85}END:VTODO",
      "x\u{2028}END:VTODO", "\u{0B}END:VTODO", "\";X=\"", "^n", " folded", "\tfolded",
    ]
  }()

  @Test("no text of an item or list adds a line, in any field")
  func injection() throws {
    #expect(Self.injections.count > 20)
    var refused = 0
    for value in Self.injections {
      for field in 0..<5 {
        var item = Sample.calendarItem(due: try due("2026-12-24T09:00"), shouldRemind: true)
        var list = Checklist(
          id: 1, uuid: Sample.uuid("list"), name: "Inbox", createdAt: Sample.now, updatedAt: Sample.now)
        switch field {
        case 0: item.text = value
        case 1: item.notes = value
        case 2: item.category = value
        case 3: item.properties = [value, "X-A:\(value)", "X-B;P=\"\(value)\":x"]
        default: list.name = value
        }
        var writer = CalendarWriter(context: ExportContext(planner: Contents.planner, now: Sample.now))
        var bytes: [UInt8] = []
        do {
          writer.write(list, into: &bytes)
          try writer.write(ItemListing(item: item, listName: list.name, nextFireDate: nil), into: &bytes)
          try writer.finish(into: &bytes)
        } catch let error as BelfryError {
          #expect(error.kind == .badInput && value.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
          refused += 1
          continue
        }
        let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.allSatisfy { $0.utf8.last == 0x0D && $0.utf8.dropLast().allSatisfy { $0 >= 0x20 || $0 == 0x09 } })
        #expect(lines.count { $0.hasPrefix("BEGIN:") } == 3 && lines.count { $0.hasPrefix("END:") } == 3, "\(value)")
        let read = try CalendarTesting.entries(bytes)
        #expect(read.items.count == 1 && read.refusals == [] && read.lists.count <= 1, "\(value)")
      }
    }
    #expect(refused > 10)
  }

  @Test("a text that iCalendar cannot hold is refused by the item's number and the character")
  func unholdable() throws {
    let item = Sample.calendarItem(text: "bell\u{7}")
    #expect { try CalendarTesting.written(item) } throws: {
      ($0 as? BelfryError)?.message == #"item 7: 'bell\u{07}' holds the control character U+0007"#
    }
  }
}
