import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday.
@Suite("The time zone of what Belfry writes into a folder of calendars")
struct ZonedFilesTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry()
  }

  private func add() throws -> String {
    var draft = ItemDraft(text: "Pill")
    draft.due = WallTime(parsing: "2026-11-24T09:00")
    _ = try belfry.add([draft], to: ListChoice("home", createsMissing: true))
    return "home/\(try #require(belfry.store.items().first).uuid.uuidString.lowercased()).ics"
  }

  @Test("a new item is written in the machine's zone, and floats on, whatever other programs change")
  func zoned() throws {
    try belfry.store.write { try $0.setPlannedZone("Europe/Zurich") }
    let file = try add()
    let text = try place.read(file)
    #expect(text.contains("\r\nDUE;TZID=Europe/Zurich:20261124T090000\r\nX-BELFRY-TIME-ZONE:FLOATING\r\n"))
    #expect(text.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Zurich\r\n"))
    try place.write(text.replacing("Zurich:20261124T09", with: "Zurich:20261124T10"), to: file)
    let item = try #require(belfry.store.items().first)
    #expect(item.due?.local == WallTime(parsing: "2026-11-24T10:00") && item.zone == .floating)
    var edit = ItemEdit()
    edit.text = "Tablet"
    _ = try belfry.edit(1, edit)
    #expect(try place.read(file).contains("DUE;TZID=Europe/Zurich:20261124T100000\r\n"))
    edit.zone = .fixed("Asia/Tokyo")
    _ = try belfry.edit(1, edit)
    let moved = try place.read(file)
    #expect(moved.contains("DUE;TZID=Asia/Tokyo:20261124T100000\r\n") && !moved.contains("FLOATING"))
  }

  @Test("a repeat by rules of no known zone is told by its file's name, and a VTIMEZONE may follow its to-do")
  func unknownRules() throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Mars
      BEGIN:DAYLIGHT
      DTSTART:20260329T020000
      TZOFFSETFROM:+0130
      TZOFFSETTO:+0330
      RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
      END:DAYLIGHT
      BEGIN:STANDARD
      DTSTART:20261025T030000
      TZOFFSETFROM:+0330
      TZOFFSETTO:+0130
      RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
      END:STANDARD
      END:VTIMEZONE
      END:VCALENDAR
      """
    let todo = Place.todo("SUMMARY:a", "DUE;TZID=Mars:20261201T090000", "RRULE:FREQ=DAILY")
    try place.write(todo.replacing("END:VCALENDAR", with: zone.replacing("\n", with: "\r\n")))
    #expect(try belfry.store.items().first?.due?.local == WallTime(parsing: "2026-12-01T07:30"))
    let notes = try belfry.store.read { try $0.editNotes() }
    #expect(notes.count == 1 && notes[0].contains("home/a.ics: its TZID 'Mars' has the rules of no known"), "\(notes)")
    #expect(notes[0].contains("on the clock of UTC") && !notes[0].contains("ignored"), "\(notes)")
  }

  @Test("what another program wrote without a zone stays without one")
  func floating() throws {
    try place.write(Place.todo("SUMMARY:a", "DUE:20261124T090000"))
    _ = try belfry.store.items()
    try belfry.store.write { try $0.setPlannedZone("Europe/Zurich") }
    var edit = ItemEdit()
    edit.due = .at(try #require(WallTime(parsing: "2026-11-25T09:00")))
    _ = try belfry.edit(1, edit)
    #expect(try place.read().contains("\r\nDUE:20261125T090000\r\n"))
  }
}
