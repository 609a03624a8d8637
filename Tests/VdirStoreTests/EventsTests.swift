import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Interchange
import SQLiteStore
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday, and the machine's zone is UTC.
@Suite("Events of calendars that ring")
struct EventsTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry(readsEvents: true)
  }

  /// Writes a calendar with an event of these lines, and events that change occurrences of it, each with an alarm at its
  /// start.
  private func write(
    _ lines: [String], alarms: [String] = ["TRIGGER:PT0S"], changing occurrences: [[String]] = []
  ) throws {
    var calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"]
    for more in [lines] + occurrences {
      calendar += ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z", "SUMMARY:Choir", "X-ODD:1"] + more
      for alarm in alarms { calendar += ["BEGIN:VALARM", "ACTION:DISPLAY", alarm, "END:VALARM"] }
      calendar += ["END:VEVENT"]
    }
    try place.write((calendar + ["END:VCALENDAR", ""]).joined(separator: "\r\n"))
  }

  /// The times at which it will ring, as `21 09:00`.
  private func rings() throws -> [String] {
    _ = try belfry.planEdits()
    let now = place.time.now
    return try belfry.read { reading in
      try reading.preview(from: now, until: now.addingTimeInterval(9 * 86_400), limit: 50).rings.map { ring in
        let time = Zone.utc.wallTime(at: ring.fireDate.date)
        return String(time.description.dropFirst(8)).replacing("T", with: " ")
      }
    }
  }

  @Test(
    "an event rings by its alarms, in its zone, floating or all day, whatever its end is",
    arguments: [
      (["DTSTART:20261123T090000Z", "DTEND:20261123T100000Z"], ["TRIGGER:-PT15M"], ["23 08:45"]),
      (
        ["DTSTART;TZID=Asia/Tokyo:20261123T090000", "DURATION:PT1H"], ["TRIGGER:PT0S", "TRIGGER:-P1D"],
        ["22 00:00", "23 00:00"]
      ),
      (["DTSTART:20261123T090000"], ["TRIGGER;VALUE=DATE-TIME:20261123T070000Z"], ["23 07:00"]),
      (
        ["DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261126"], ["TRIGGER:PT10H", "TRIGGER:-PT6H"],
        ["23 18:00", "24 10:00"]
      ),
      (["DTSTART:20261123T090000Z", "STATUS:CANCELLED"], ["TRIGGER:PT0S"], []),
      (["DTSTART:20261123T090000Z"], [], []),
      // Alarms that count from the end, or ring after the start.
      (["DTSTART:20261123T090000Z"], ["TRIGGER;RELATED=END:-PT5M"], ["23 08:55"]),
      (["DTSTART:20261123T090000Z", "DTEND:20261123T100000Z"], ["TRIGGER;RELATED=END:-PT2H"], ["23 08:00"]),
      (
        ["DTSTART:20261123T090000Z", "DTEND:20261123T100000Z"], ["TRIGGER;RELATED=END:-PT5M", "TRIGGER:-PT15M"],
        ["23 08:45", "23 09:55"]
      ),
      (["DTSTART:20261123T090000Z", "DURATION:PT1H"], ["TRIGGER:PT30M"], ["23 09:30"]),
      (
        ["DTSTART;TZID=Asia/Tokyo:20261123T090000", "DTEND;TZID=Europe/Berlin:20261123T030000"],
        ["TRIGGER;RELATED=END:PT0S"], ["23 02:00"]
      ),
      (["DTSTART;VALUE=DATE:20261124"], ["TRIGGER;RELATED=END:-PT6H"], ["24 18:00"]),
      (
        ["DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261126"],
        ["TRIGGER;RELATED=END:-PT6H", "TRIGGER:PT9H"], ["24 09:00", "25 18:00"]
      ),
    ] as [([String], [String], [String])])
  func forms(lines: [String], alarms: [String], expected: [String]) throws {
    try write(lines, alarms: alarms)
    #expect(try rings() == expected)
  }

  @Test("a repeat rings with its exceptions, additions, and moved and cancelled occurrences")
  func repeats() throws {
    try write(
      [
        "DTSTART:20240101T090000Z", "DTEND:20240101T100000Z", "RRULE:FREQ=DAILY", "EXDATE:20261124T090000Z",
        "RDATE:20261124T120000Z",
      ],
      changing: [
        ["RECURRENCE-ID:20261125T090000Z", "DTSTART:20261125T183000Z"],
        ["RECURRENCE-ID:20261126T090000Z", "DTSTART:20261126T090000Z", "STATUS:CANCELLED"],
      ])
    #expect(
      try rings() == [
        "21 09:00", "22 09:00", "23 09:00", "24 12:00", "25 18:30", "27 09:00", "28 09:00", "29 09:00",
      ])
    #expect(try belfry.store.items().first?.due?.local == WallTime(parsing: "2026-11-21T09:00"))
  }

  @Test("an invitation to one occurrence of a repeat rings without the others, until the repeat itself is there")
  func invitation() throws {
    try write(["RECURRENCE-ID:20261123T090000Z", "DTSTART:20261123T100000Z"])
    #expect(try rings() == ["23 10:00"])
    try write(["RECURRENCE-ID:20261123T090000Z", "DTSTART:20261123T100000Z"], alarms: [])
    _ = try rings()
    place.time.advance(by: 120)
    #expect(try rings() == [] && belfry.store.damage().isEmpty)
    try write(
      ["DTSTART:20261122T090000Z", "RRULE:FREQ=DAILY;COUNT=3"],
      changing: [["RECURRENCE-ID:20261123T090000Z", "DTSTART:20261123T100000Z"]])
    #expect(try rings() == ["22 09:00", "23 10:00", "24 09:00"])
  }

  @Test("a repeat rings before its ends, also where an occurrence was moved")
  func repeatedEnds() throws {
    try write(
      ["DTSTART:20261101T090000Z", "DTEND:20261101T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=SU,MO"],
      alarms: ["TRIGGER;RELATED=END:-PT5M"],
      changing: [["RECURRENCE-ID:20261123T090000Z", "DTSTART:20261124T120000Z", "DTEND:20261124T133000Z"]])
    #expect(try rings() == ["22 09:55", "24 13:25", "29 09:55"])
  }

  @Test("a repeat whose ends no rule gives rings by the alarms that count from its start")
  func endsWithoutRule() throws {
    try write(
      ["DTSTART:20261122T230000Z", "DTEND:20261123T010000Z", "RRULE:FREQ=WEEKLY;BYDAY=SU"],
      alarms: ["TRIGGER;RELATED=END:-PT3H", "TRIGGER;RELATED=START:-PT30M", "TRIGGER;RELATED=END:-PT30M"])
    #expect(try rings() == ["22 22:00", "22 22:30", "29 22:00", "29 22:30"])
  }

  @Test("an event has its tags and priority; it is no to-do of its list, which is cleared without it and not deleted")
  func noToDo() throws {
    try write(["DTSTART:20261123T090000Z", "CATEGORIES:music,at home", "PRIORITY:2"])
    try place.write(Place.todo(uid: "b", "SUMMARY:Pay"), to: "home/b.ics")
    #expect(try rings() == ["23 09:00"])
    let event = try #require(try belfry.store.items().first { $0.isEvent })
    #expect(event.tags == (try ItemTags(["music"])) && event.priority == ItemPriority(number: 2))
    func counts() throws -> [Int] {
      try belfry.read { try $0.view.listSummaries(now: $0.now).flatMap { [$0.items, $0.remaining] } }
    }
    #expect(try counts() == [1, 1])
    let file = try place.read()
    let refusal = try #require(throws: BelfryError.self) { try belfry.deleteList(1) }
    #expect(refusal.kind == .badInput && refusal.message.contains("has 1 event of a calendar"))
    _ = try belfry.clearList(1)
    #expect(try counts() == [0, 0] && place.read() == file && rings() == ["23 09:00"])
    #expect(!FileManager.default.fileExists(atPath: place.path("home/b.ics")))
    _ = try belfry.undo()
    #expect(try counts() == [1, 1] && place.read() == file)
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("an event stays in its calendar: neither a copy of the store nor an export has it, and no import takes it")
  func copies() throws {
    try write(["DTSTART:20261123T090000Z", "RRULE:FREQ=DAILY"])
    try place.write(Place.todo(uid: "b", "SUMMARY:Pay"), to: "home/b.ics")
    #expect(try rings().first == "23 09:00")
    let copy = SQLiteStore(path: place.folder.file("copy.sqlite"))
    _ = try StoreCopy(from: belfry.store, to: copy).run(replacing: false)
    #expect(try copy.items().map(\.text) == ["Pay"] && copy.read { try $0.pending() }.isEmpty)
    for format in ExportFormat.allCases {
      var bytes: [UInt8] = []
      let written = try belfry.read { try Exporter.export($0, as: format) { bytes += $0 } }
      #expect(written.items == 1 && !String(decoding: bytes, as: UTF8.self).contains("Choir"), "\(format)")
    }
    let export = """
      {"format":"belfry-store","version":1,"lists":[{"id":1,"name":"Old"}],"items":[
      {"id":7,"list":"Old","text":"Choir","is_checked":false,"should_remind":true,"properties":["\(ItemContent.eventProperty)"]}
      ]}
      """
    let context = ImportContext(defaultListName: "", planner: Sample.planner, now: place.time.now)
    let entries = try Importer.entries(in: Array(export.utf8), format: .belfry, context: context)
    #expect(entries.last == .leftOut("VEVENT") && entries.count == 2)
  }

  @Test("a copy of the store leaves behind what is about events alone: reminders, messages, deliveries, answers")
  func copiedAnswers() async throws {
    try write(["DTSTART:20261121T080500Z"])
    #expect(try rings() == ["21 08:05"])
    place.time.advance(by: 360)
    try await TestDaemon(belfry, sinks: [ActiveSink(name: "phone", sink: RecordingSink())]).tick()
    let reminder = try #require(
      try belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .fired) }.first)
    _ = try belfry.answer(Press(reminder: reminder.id, choice: .acknowledgement, channel: .cli))
    #expect(try belfry.store.read { try $0.counts().deliveries.values.reduce(0, +) } == 1)
    let copy = SQLiteStore(path: place.folder.file("copy.sqlite"))
    let digest = try StoreCopy(from: belfry.store, to: copy).run(replacing: false)
    #expect(digest.lists == 1 && digest.records == 1)
  }

  @Test(
    "a past event rings nothing and is over; one that begins is over an hour later, a repeat at its next occurrence")
  func ends() async throws {
    try write(["DTSTART:20261120T090000Z"])
    #expect(try rings() == [] && belfry.store.items().map(\.isChecked) == [true])
    try write(["DTSTART:20261121T090000Z"])
    #expect(try rings() == ["21 09:00"] && belfry.store.items().map(\.isChecked) == [false])
    place.time.advance(by: 3_600)
    let daemon = try TestDaemon(belfry, sinks: [])
    try await daemon.tick()
    #expect(try belfry.store.items().map(\.isChecked) == [false])
    place.time.advance(by: 3_700)
    try belfry.store.tidy()
    #expect(try belfry.store.items().map(\.isChecked) == [true])
    try write(["DTSTART:20261121T090000Z", "RRULE:FREQ=WEEKLY"])
    #expect(try rings() == ["28 09:00"])
    #expect(try belfry.store.items().first?.due?.local == WallTime(parsing: "2026-11-28T09:00"))
    #expect(try belfry.store.items().map(\.isChecked) == [false])
  }

  @Test("a check and a snooze stay here, any other change is refused, and the file keeps its bytes")
  func readOnly() throws {
    try write(["DTSTART:20261123T090000Z", "RRULE:FREQ=DAILY"])
    let file = try place.read()
    #expect(try rings().first == "23 09:00")
    _ = try belfry.setChecked(true, [1])
    #expect(try rings().first == "24 09:00")
    _ = try belfry.snooze(1, until: .after(CalendarDuration(days: 0, minutes: 90)))
    #expect(try rings().first == "21 09:30")
    var edit = ItemEdit()
    edit.text = "Another"
    #expect(throws: BelfryError.self) { try belfry.edit(1, edit) }
    #expect(throws: BelfryError.self) { try belfry.delete([1]) }
    #expect(try place.read() == file && belfry.store.items().map(\.text) == ["Choir"])
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("the feed has each ring of an event, with its text and its calendar")
  func feed() throws {
    try write(["DTSTART:20261121T090000Z", "RRULE:FREQ=DAILY;COUNT=3"], alarms: ["TRIGGER:-PT5M"])
    _ = try rings()
    let bytes = try belfry.read { reading in
      let until = place.time.now.addingTimeInterval(9 * 86_400)
      return try FeedWriter.calendar(of: reading.preview(from: place.time.now, until: until, limit: 50).rings, reading)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    #expect(
      lines.filter { $0.hasPrefix("DTSTART:") } == [
        "DTSTART:20261121T085500Z", "DTSTART:20261122T085500Z", "DTSTART:20261123T085500Z",
      ])
    #expect(
      Set(lines.filter { $0.hasPrefix("SUMMARY:") || $0.hasPrefix("CATEGORIES:") }) == [
        "SUMMARY:Choir", "CATEGORIES:home",
      ])
    #expect(Set(lines.filter { $0.hasPrefix("UID:") }).count == 3)
  }

  @Test("events ring only where the config says so, also in a folder that was used without, and back")
  func setting() throws {
    try write(["DTSTART:20261123T090000Z"])
    let without = place.belfry()
    _ = try without.planEdits()
    #expect(try without.store.items().isEmpty)
    #expect(try rings() == ["23 09:00"] && belfry.store.items().map(\.isEvent) == [true])
    _ = try without.planEdits()
    #expect(try without.store.items().isEmpty && without.store.damage().isEmpty)
    #expect(try rings() == ["23 09:00"])
  }

  @Test("a changed event rings at its new time, and one that is gone rings no more")
  func changes() throws {
    try write(["DTSTART:20261123T090000Z"])
    #expect(try rings() == ["23 09:00"])
    try write(["DTSTART:20261124T090000Z"])
    #expect(try rings() == ["24 09:00"])
    try place.remove("home/a.ics")
    _ = try rings()
    place.time.advance(by: 120)
    #expect(try rings() == [])
  }
}
