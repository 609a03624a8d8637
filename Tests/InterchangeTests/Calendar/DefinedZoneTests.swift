import BelfryModel
import CivilTime
import Foundation
import RecurrenceRules
import Testing

@testable import ICalendar
@testable import Interchange

/// The machine's zone is Europe/Zurich.
@Suite("Time zones that only a VTIMEZONE defines")
struct DefinedZoneTests {
  /// The entries of a calendar with a VTIMEZONE for the TZID `Desk` and a to-do.
  private func entries(_ parts: [[String]], todo: [String]) throws -> ReadCalendar {
    let observances = parts.flatMap { part in
      let fields = zip(["DTSTART", "TZOFFSETFROM", "TZOFFSETTO"], part).map { "\($0):\($1)" }
      return ["BEGIN:STANDARD"] + fields + part.dropFirst(3) + ["END:STANDARD"]
    }
    return try entries(zone: observances, todo: todo)
  }

  private func entries(zone: [String], todo: [String]) throws -> ReadCalendar {
    try CalendarTesting.entries(
      lines: ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:Desk"] + zone
        + ["END:VTIMEZONE", "BEGIN:VTODO", "SUMMARY:x"] + todo + ["END:VTODO", "END:VCALENDAR"])
  }

  private func due(_ entries: ReadCalendar) throws -> String {
    guard case .local(let wall, let zone)? = try #require(entries.items.first, "\(entries)").due else {
      throw ImportError(message: "\(entries)")
    }
    return "\(wall) \(zone)"
  }

  private static let europe = [
    ["16011028T030000", "+0200", "+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"],
    ["16010325T020000", "+0100", "+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"],
  ]

  @Test(
    "a TZID that is no name is a zone with the rules of its VTIMEZONE",
    arguments: [
      ("Europe/Zurich", europe),
      ("Europe/Zurich", [["19700101T000000", "+0100", "+0100"]] + europe),
      (
        "America/New_York",
        [
          ["20071104T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"],
          ["20070311T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"],
          ["19870405T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z"],
        ]
      ),
      (
        "Australia/Sydney",
        [
          ["20260405T030000", "+1100", "+1000", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU"],
          ["20261004T020000", "+1000", "+1100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU"],
        ]
      ),
      ("Etc/GMT-1", [["19700101T000000", "+0000", "+0100"]]), ("UTC", [["19700101T000000", "+0000", "+0000"]]),
      ("Etc/GMT+5", [["16010101T000000", "-0500", "-0500"]]),
      ("Asia/Kolkata", [["16010101T000000", "+0530", "+0530"]]),
      ("Asia/Kathmandu", [["19860101T000000", "+0530", "+0545"]]),
    ])
  func matched(zone: String, parts: [[String]]) throws {
    for day in ["20261201", "20270708"] {
      let read = try entries(parts, todo: ["DUE;TZID=Desk:\(day)T090000"])
      #expect(try due(read).hasSuffix("T09:00 \(zone)"))
      #expect(read.leftOut == [])
    }
  }

  @Test("the VTIMEZONE of any zone finds a zone whose clocks show the same for ten years")
  func everyZone() throws {
    let names = CalendarTesting.zones.sortedNames
    #expect(names.count > 300)
    let span = 1_767_225_600...2_082_758_400
    for (index, name) in names.enumerated() where index % 7 == 0 {
      let zone = try CalendarTesting.zones.zone(name)
      let read = try entries(
        zone: Array(ZoneComponent.lines(zone).dropFirst(2).dropLast()), todo: ["DUE;TZID=Desk:20270102T090000"])
      guard case .local(_, .fixed(let found))? = read.items.first?.due else {
        Issue.record("\(name): \(read)")
        continue
      }
      let match = try CalendarTesting.zones.zone(found)
      #expect(match.offsets(over: span) == zone.offsets(over: span), "\(name) is not \(found)")
      #expect(read.leftOut == [], "\(name)")
    }
  }

  @Test("rules of no zone keep the instant of each date, and are told")
  func unmatched() throws {
    let told = ["VTIMEZONE with rules of no known time zone"]
    let june = [
      ["20260101T020000", "-0400", "-0500"], ["20260601T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY"],
      ["20260901T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY"],
    ]
    for (day, offset) in [("20261201", -5), ("20270708", -4), ("20270515", -5)] {
      let read = try entries(june, todo: ["DUE;TZID=Desk:\(day)T090000"])
      guard case .local(let wall, .fixed(let name))? = read.items.first?.due else {
        throw ImportError(message: "\(read)")
      }
      let zone = try CalendarTesting.zones.zone(name)
      #expect(zone.offset(at: zone.instant(of: wall).instant) == offset * 3_600 && wall.time.description == "09:00")
      #expect(read.leftOut == told)
    }
    let odd = try entries([["20260101T000000", "+0017", "+0017"]], todo: ["DUE;TZID=Desk:20261201T090000"])
    #expect(try due(odd) == "2026-12-01T08:43 UTC")
    #expect(odd.leftOut == told)
  }

  @Test("a repeat by rules of no zone is told with its TZID and the zone in its place")
  func unmatchedRepeat() throws {
    let mars = [
      ["20260329T020000", "+0130", "+0330", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"],
      ["20261025T030000", "+0330", "+0130", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"],
    ]
    let read = try entries(mars, todo: ["DUE;TZID=Desk:20261201T090000", "RRULE:FREQ=DAILY"])
    #expect(try due(read) == "2026-12-01T07:30 UTC")
    #expect(
      read.items.first?.notUnderstood == [
        "its TZID 'Desk' has the rules of no known time zone: its repeat is kept on the clock of UTC, and shifts when "
          + "the clocks of 'Desk' change"
      ])
    #expect(read.leftOut == [])
    #expect(
      try entries(Self.europe, todo: ["DUE;TZID=Desk:20261201T090000", "RRULE:FREQ=DAILY"]).items[0].notUnderstood == []
    )
  }

  @Test("a VTIMEZONE counts wherever it stands in its calendar, and the to-dos keep their order")
  func anyOrder() throws {
    let zone =
      ["BEGIN:VTIMEZONE", "TZID:Desk"]
      + Self.europe.flatMap { part in
        [
          "BEGIN:STANDARD", "DTSTART:\(part[0])", "TZOFFSETFROM:\(part[1])", "TZOFFSETTO:\(part[2])", part[3],
          "END:STANDARD",
        ]
      } + ["END:VTIMEZONE"]
    let todos = ["a", "b", "c"].map { text in
      ["BEGIN:VTODO", "UID:\(text)", "SUMMARY:\(text)"] + (text == "b" ? ["DUE;TZID=Desk:20270708T090000"] : [])
        + ["END:VTODO"]
    }
    let change = [
      "BEGIN:VTODO", "UID:b", "RECURRENCE-ID;TZID=Desk:20270709T090000", "SUMMARY:d", "DUE;TZID=Desk:20270709T110000",
      "END:VTODO",
    ]
    for place in 0...4 {
      var parts = todos + [change]
      parts.insert(zone, at: place)
      let read = try CalendarTesting.entries(
        lines: ["BEGIN:VCALENDAR", "VERSION:2.0"] + parts.joined() + ["END:VCALENDAR"])
      #expect(read.items.map(\.text) == ["a", "b", "c"] && read.refusals == [], "\(place): \(read)")
      #expect(
        read.items.map(\.due) == [
          nil, .local(try CalendarTesting.wall("2027-07-08T09:00"), .fixed("Europe/Zurich")), nil,
        ])
    }
  }

  @Test(
    "a TZID without a VTIMEZONE is refused, however many to-dos follow, and a VTIMEZONE of another calendar is none")
  func missing() throws {
    let todo = ["BEGIN:VTODO", "SUMMARY:x", "DUE;TZID=Desk:20270708T090000", "END:VTODO"]
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Desk", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0100",
      "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
    ]
    let first = Array(repeating: todo, count: 10_010).joined()
    let read = try CalendarTesting.entries(
      lines: ["BEGIN:VCALENDAR", "VERSION:2.0"] + first + ["END:VCALENDAR", "BEGIN:VCALENDAR", "VERSION:2.0"] + zone
        + todo
        + ["END:VCALENDAR"])
    #expect(read.refusals.count == 10_010 && read.items.count == 1)
  }

  @Test("changes that a VTIMEZONE lists for a while find the zone that has them")
  func listed() throws {
    let changes = [["20260329T020000", "+0000", "+0100"], ["20261025T020000", "+0100", "+0000"]]
    let read = try entries(changes, todo: ["DUE;TZID=Desk:20260701T090000", "RRULE:FREQ=DAILY"])
    #expect(try due(read).hasPrefix("2026-07-01T09:00 "))
    let name = try #require(try due(read).split(separator: " ").last)
    let zone = try CalendarTesting.zones.zone(String(name))
    let winter = try CalendarTesting.date("2026-12-01T08:00:00Z")
    #expect(zone.offset(at: winter) == 0)
  }

  @Test(
    "a VTIMEZONE that cannot be read leaves its TZID unknown",
    arguments: [
      [["soon", "+0100", "+0100"]], [["20260101T000000", "1", "+0100"]],
      [["20260101T000000", "+0100", "+0160"]], [["20260101T000000", "+0100", "+0200", "RRULE:OFTEN"]],
      [["20260101T000000", "+0100", "+0200", "RDATE:soon"]],
    ])
  func broken(parts: [[String]]) throws {
    let read = try entries(parts, todo: ["DUE;TZID=Desk:20261201T090000"])
    #expect(read.items.isEmpty)
    #expect(read.refusals.first?.reason.hasPrefix("its TZID 'Desk' is not a known time zone") ?? false)
  }

  @Test(
    "rules that change the clocks more than once a day, or 10,000 times, leave their TZID unknown",
    arguments: [
      "FREQ=SECONDLY", "FREQ=MINUTELY", "FREQ=HOURLY", "FREQ=DAILY", "FREQ=YEARLY;BYHOUR=1,2",
      "FREQ=YEARLY;BYMINUTE=0,30", "FREQ=MONTHLY;BYSECOND=0,1", "FREQ=YEARLY;COUNT=1000000",
      "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "FREQ=MONTHLY;BYMONTHDAY=1,3,5,7,9,11,13,15,17,19",
    ])
  func restless(rule: String) throws {
    let part = ["20260101T000000", "+0100", "+0200", "RRULE:\(rule)"]
    let read = try entries([part], todo: ["DUE;TZID=Desk:20261201T090000"])
    #expect(read.items.isEmpty && read.refusals.first?.reason.contains("'Desk'") == true)
  }

  @Test(
    "of each rule at most 160 years are followed, its last ones, or its first ones where COUNT ends it",
    arguments: [
      ("FREQ=YEARLY", "1960", "2120"), ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "1960", "2120"),
      ("FREQ=YEARLY;UNTIL=19400101T000000", "1779", "1940"),
      ("FREQ=YEARLY;UNTIL=99991231", "1960", "2120"), ("FREQ=YEARLY;UNTIL=16101231T000000", "1601", "1610"),
      ("FREQ=YEARLY;COUNT=3", "1601", "1761"), ("FREQ=YEARLY;COUNT=1000", "1601", "1761"),
    ])
  func span(rule: String, first: String, last: String) throws {
    let span = try ZoneDefinition.span(of: RecurrenceRule(rule), from: CivilDateTime("16010101T000000"))
    #expect(span.last.secondsSinceEpoch - span.first.secondsSinceEpoch <= ZoneDefinition.longestSpan)
    #expect("\(span.first.date.year) \(span.last.date.year)" == "\(first) \(last)")
  }

  @Test("a rule that COUNT or UNTIL has ended long ago leaves its last offset, and so does one that began in 1601")
  func ended() throws {
    for end in ["COUNT=3", "UNTIL=18000101T000000Z", "UNTIL=19400101T000000Z"] {
      let parts = [
        ["16010101T000000", "+0000", "+0100", "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1;\(end)"],
        ["16010701T000000", "+0100", "+0000", "RRULE:FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=1;\(end)"],
      ]
      #expect(try due(entries(parts, todo: ["DUE;TZID=Desk:20261201T090000"])) == "2026-12-01T09:00 UTC", "\(end)")
    }
  }

  @Test("a time after 2120 has the rules of the years before", arguments: ["21500101", "99990701"])
  func farAway(day: String) throws {
    #expect(try due(entries(Self.europe, todo: ["DUE;TZID=Desk:\(day)T090000"])).hasSuffix("T09:00 Europe/Zurich"))
  }

  @Test("a TZID with commas is found, whether its VTIMEZONE escapes them or not", arguments: ["A, B", "A\\, B"])
  func commas(name: String) throws {
    let read = try CalendarTesting.entries(lines: [
      "BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:16010101T000000",
      "TZOFFSETFROM:+0530", "TZOFFSETTO:+0530", "END:STANDARD", "END:VTIMEZONE", "BEGIN:VTODO", "SUMMARY:x",
      "DUE;TZID=\"A, B\":20261201T090000", "END:VTODO", "END:VCALENDAR",
    ])
    #expect(try due(read) == "2026-12-01T09:00 Asia/Kolkata")
  }

  @Test(
    "many rules that never or seldom match are followed, and more are not",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;BYMONTH=2",
      "FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=FR;BYSETPOS=-1",
    ])
  func many(rule: String) throws {
    func parts(_ count: Int) -> [[String]] {
      (0..<count).map { ["16010101T0000\(10 + $0)", "+0100", $0 % 2 == 0 ? "+0200" : "+0100", "RRULE:\(rule)"] }
    }
    let todo = ["DUE;TZID=Desk:20261201T090000", "RRULE:FREQ=DAILY"]
    #expect(try entries(parts(40), todo: todo).items.count == 1)
    #expect(try entries(parts(41), todo: todo).refusals.count == 1)
  }

  @Test("a rule of 8,400 changes is followed, and two of them are not")
  func mostChanges() throws {
    let part = ["16010101T000000", "+0200", "+0200", "RRULE:FREQ=YEARLY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR,SA,SU"]
    let todo = ["DUE;TZID=Desk:20261201T090000"]
    #expect(try entries([part], todo: todo).items.count == 1)
    #expect(try entries([part, part], todo: todo).refusals.first?.reason.contains("'Desk'") == true)
  }
}
