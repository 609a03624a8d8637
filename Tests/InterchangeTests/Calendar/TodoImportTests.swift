import CivilTime
import Foundation
import Testing

@testable import Interchange

struct TodoImportTests {
  @Test("text, notes and state come from SUMMARY, DESCRIPTION and STATUS; the rest is kept as it is")
  func fields() throws {
    let item = try CalendarTesting.item(
      #"SUMMARY;LANGUAGE=en:Buy milk\, fresh"#, #"DESCRIPTION:Two\nlitres"#, "STATUS:NEEDS-ACTION",
      "CREATED:20260101T080000Z", "LAST-MODIFIED:20260102T080000Z", "DTSTAMP:20260103T080000Z", "PRIORITY:4",
      "CATEGORIES:home,work", "GEO:47.4;8.5", "X-APPLE-SORT-ORDER:12", #"X-LONG;P="a;b":va"#, " lue")
    #expect(item.text == "Buy milk, fresh")
    #expect(item.notes == "Two\nlitres")
    #expect(!item.isChecked)
    #expect(try item.createdAt == CalendarTesting.date("2026-01-01T08:00:00Z"))
    #expect(try item.updatedAt == CalendarTesting.date("2026-01-02T08:00:00Z"))
    #expect(
      item.properties == [
        "GEO:47.4;8.5", "X-APPLE-SORT-ORDER:12", #"X-LONG;P="a;b":value"#,
      ])
    #expect(item.tags.names == ["home", "work"] && item.priority?.number == 4)
    #expect(item.place == "line 3, VTODO 'Buy milk, fresh'")
  }

  @Test("each word of CATEGORIES is a tag; what cannot be one stays a property, as do those of an alarm")
  func tags() throws {
    let item = try CalendarTesting.item(
      "SUMMARY:a", "CATEGORIES:home, Work,two words,HOME", "CATEGORIES:none,a\\,b", "CATEGORIES;LANGUAGE=de:Haus",
      "CATEGORIES:late", "DUE:20261224T090000", "BEGIN:VALARM", "ACTION:DISPLAY",
      "TRIGGER;VALUE=DATE-TIME:20261225T080000Z",
      "CATEGORIES:alarm", "END:VALARM")
    #expect(item.tags.names == ["home", "Work", "late"])
    #expect(
      item.properties.prefix(3) == ["CATEGORIES:two words", "CATEGORIES:none,a\\,b", "CATEGORIES;LANGUAGE=de:Haus"])
    #expect(item.properties.contains("CATEGORIES:alarm"))
  }

  @Test(
    "a PRIORITY from 1 to 9 is the priority; any other stays a property",
    arguments: [("PRIORITY:6", 6), ("PRIORITY:0", nil), ("PRIORITY:10", nil), ("PRIORITY;X-A=1:5", nil)])
  func priority(line: String, number: Int64?) throws {
    let item = try CalendarTesting.item("SUMMARY:a", line, "PRIORITY:high")
    #expect(item.priority?.number == number)
    #expect(item.properties == (number == nil ? [line] : []) + ["PRIORITY:high"])
  }

  @Test("a to-do is no event, whatever it says of itself")
  func noEvent() throws {
    let item = try CalendarTesting.item("SUMMARY:a", "X-BELFRY-EVENT:TRUE", "X-A:b")
    #expect(item.properties == ["X-A:b"])
  }

  @Test("an item keeps as many tags as it can have, and the others as a property")
  func mostTags() throws {
    let names = (1...60).map { "t\($0)" }
    let item = try CalendarTesting.item("SUMMARY:a", "CATEGORIES:" + names.joined(separator: ","))
    #expect(item.tags.names == Array(names.prefix(50)))
    #expect(item.properties == ["CATEGORIES:" + names.dropFirst(50).joined(separator: ",")])
  }

  @Test("the first line of SUMMARY is the text, or of DESCRIPTION where there is none")
  func texts() throws {
    let both = try CalendarTesting.item(#"SUMMARY:One\nTwo"#, "DESCRIPTION:Three")
    #expect([both.text, both.notes] == ["One", "Two\nThree"])
    let one = try CalendarTesting.item(#"DESCRIPTION:\nOne\nTwo"#)
    #expect([one.text, one.notes] == ["One", "Two"])
    #expect(try CalendarTesting.refusal("UID:1", "SUMMARY: ").reason.contains("no SUMMARY"))
  }

  @Test(
    "completed, cancelled and 100 percent count as checked",
    arguments: [
      ("STATUS:COMPLETED", true), ("STATUS:CANCELLED", true), ("STATUS:IN-PROCESS", false),
      ("PERCENT-COMPLETE:100", true),
      ("PERCENT-COMPLETE:50", false), ("COMPLETED:20260101T080000Z", true), ("COMPLETED;TZID=Mars:2026", true),
    ])
  func states(line: String, isChecked: Bool) throws {
    let item = try CalendarTesting.item("SUMMARY:x", line)
    #expect(item.isChecked == isChecked)
    #expect((item.checkedAt != nil) == (line == "COMPLETED:20260101T080000Z"))
  }

  @Test("STATUS decides over what an earlier completion left behind", arguments: ["NEEDS-ACTION", "IN-PROCESS"])
  func reopened(status: String) throws {
    let left = ["COMPLETED:20260101T080000Z", "PERCENT-COMPLETE:100"]
    for lines in [[left[0]], [left[1]], left] {
      let item = try CalendarTesting.entries(todo: ["SUMMARY:x", "STATUS:\(status)"] + lines).items.first
      #expect(item?.isChecked == false && item?.checkedAt == nil, "\(lines)")
    }
  }

  @Test("a UID that is a UUID is the item's own, and any other gives one and is kept")
  func identities() throws {
    let uuid = try #require(UUID(uuidString: "9a478274-4fe2-11d9-a2d6-c5a782812110"))
    let own = try CalendarTesting.item("SUMMARY:x", "UID:9a478274-4fe2-11d9-a2d6-c5a782812110")
    #expect(own.uuid == uuid && own.properties == [])
    let spelt = try CalendarTesting.item("SUMMARY:x", "UID:urn:uuid:9A478274-4FE2-11D9-A2D6-C5A782812110")
    #expect(spelt.uuid == uuid && spelt.properties == ["UID:urn:uuid:9A478274-4FE2-11D9-A2D6-C5A782812110"])
    let other = try CalendarTesting.item("SUMMARY:x", "UID:1@example.com")
    #expect(other.uuid == UUID(namespace: .belfry, name: "ical 1@example.com"))
    #expect(other.properties == ["UID:1@example.com"])
    #expect(try CalendarTesting.item("SUMMARY:x").uuid == nil)
  }

  @Test(
    "a due date is floating, in a zone, in UTC or a day",
    arguments: [
      ("DUE:20261121T090000", "2026-11-21T09:00 floating"),
      ("DUE;TZID=Europe/Berlin:20261121T090000", "2026-11-21T09:00 Europe/Berlin"),
      ("DUE;TZID=\"europe/berlin\":20261121T090059", "2026-11-21T09:00 Europe/Berlin"),
      ("DUE;VALUE=DATE:20261121", "2026-11-21T09:00 floating"),
      ("DTSTART:20261121T090000", "2026-11-21T09:00 floating"),
      ("DTSTART:20261121T090000\r\nDURATION:P1DT30M", "2026-11-22T09:30 floating"),
      ("DTSTART;TZID=Europe/Berlin:20261024T120000\r\nDURATION:PT24H", "2026-10-25T11:00 Europe/Berlin"),
      ("DUE;TZID=Pacific Standard Time:20261121T090000", "2026-11-21T09:00 America/Los_Angeles"),
      ("DUE;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261121T090000", "2026-11-21T09:00 Europe/Berlin"),
      (
        "DUE;TZID=/freeassociation.sourceforge.net/Tzfile/America/Argentina/Ushuaia:20261121T090000",
        "2026-11-21T09:00 America/Argentina/Ushuaia"
      ),
    ])
  func dueDates(lines: String, expected: String) throws {
    let item = try CalendarTesting.item("SUMMARY:x", lines)
    guard case .local(let wall, let zone)? = item.due else {
      throw ImportError(message: "\(String(describing: item.due))")
    }
    #expect("\(wall) \(zone)" == expected)
    #expect(!item.shouldRemind, "no alarm, so it does not remind")
  }

  @Test("a time in UTC is an instant, with its seconds")
  func instants() throws {
    let item = try CalendarTesting.item("SUMMARY:x", "DUE:20261121T080030Z")
    #expect(try item.due == .instant(CalendarTesting.date("2026-11-21T08:00:30Z")))
  }

  @Test("a start before the due date is kept, in the zone's IANA name")
  func starts() throws {
    let item = try CalendarTesting.item(
      "SUMMARY:x", "DTSTART;TZID=W. Europe Standard Time:20261120T090000", "DUE;TZID=Europe/Berlin:20261121T090000")
    #expect(item.properties == ["DTSTART;TZID=Europe/Berlin:20261120T090000"])
    let same = try CalendarTesting.item("SUMMARY:x", "DTSTART:20261121T090000", "DUE:20261121T090000")
    #expect(same.properties == [])
  }

  @Test("the X-LIC-LOCATION of a VTIMEZONE says what its TZID means, within its calendar")
  func locations() throws {
    let calendar = [
      "BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "TZID:Home", "X-LIC-LOCATION:Europe/Berlin", "END:VTIMEZONE",
      "BEGIN:VTODO", "SUMMARY:x", "DUE;TZID=Home:20261121T090000", "END:VTODO", "END:VCALENDAR",
    ]
    let entries = try CalendarTesting.entries(lines: calendar + calendar.filter { !$0.hasPrefix("X-LIC") })
    #expect(try entries.items.map(\.due) == [.local(CalendarTesting.wall("2026-11-21T09:00"), .fixed("Europe/Berlin"))])
    #expect(entries.refusals.map(\.place) == ["line 17, VTODO 'x'"])
  }

  @Test("a zone that is not known is refused, not guessed", arguments: ["Mars/Base", "Customized Time Zone", "CET+1"])
  func unknownZones(name: String) throws {
    let refusal = try CalendarTesting.refusal("SUMMARY:Dinner", "DUE;TZID=\(name):20261121T090000")
    #expect(refusal.place == "line 5, VTODO 'Dinner'")
    #expect(refusal.reason.hasPrefix("its TZID '\(name)' is not a known time zone: write an IANA name"))
  }

  @Test("each calendar is a list by its name, and one without name is the default list")
  func lists() throws {
    func calendar(_ heading: [String], _ text: String) -> [String] {
      ["BEGIN:VCALENDAR"] + heading + ["BEGIN:VTODO", "SUMMARY:\(text)", "END:VTODO", "END:VCALENDAR"]
    }
    let entries = try CalendarTesting.entries(
      lines: calendar(["X-WR-CALNAME:Work\\, mine"], "a") + calendar(["NAME:Home", "X-WR-CALNAME:Other"], "b")
        + calendar([], "c") + ["BEGIN:VCALENDAR", "NAME:Empty", "END:VCALENDAR"])
    #expect(entries.lists.map(\.name) == ["Work, mine", "Home", "Empty"])
    #expect(entries.listNames == ["Work, mine", "Home", "Inbox"])
    #expect(entries.refusals == [])
  }

  @Test("other components than to-dos are skipped and counted by kind")
  func others() throws {
    let kinds = ["VEVENT", "VJOURNAL", "VFREEBUSY", "VEVENT"]
    let entries = try CalendarTesting.entries(
      lines: ["BEGIN:VCALENDAR"] + kinds.flatMap { ["BEGIN:\($0)", "SUMMARY:x", "END:\($0)"] } + ["END:VCALENDAR"])
    #expect(entries.leftOut == kinds)
    #expect(entries.items == [])
  }

  @Test("Belfry's own properties are read")
  func own() throws {
    let item = try CalendarTesting.item(
      "SUMMARY:x", "X-BELFRY-ID:12", "X-BELFRY-NAG:PT10M", #"X-BELFRY-CATEGORY:shop\,ping"#, "X-BELFRY-ALERTS:P1D,PT5M",
      "X-BELFRY-SHOULD-REMIND:TRUE", #"X-BELFRY-PROPERTY:END:VTODO\nBEGIN:VTODO"#,
      "X-BELFRY-CHECKED-AT:20260101T000000Z")
    #expect(item.itemID == 12)
    #expect(item.nag == CalendarDuration(days: 0, minutes: 10))
    #expect(item.category == "shop,ping")
    #expect(item.alerts == [CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 5)])
    #expect(item.shouldRemind && !item.isChecked && item.checkedAt != nil)
    #expect(item.properties == ["END:VTODO\nBEGIN:VTODO"])
  }
}
