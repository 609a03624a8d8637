import CivilTime
import RecurrenceRules
import Testing

struct RecurrenceSetTests {
  @Test("a start that the rule does not match is no occurrence and uses up no COUNT")
  func unmatchedStart() throws {
    let set = try recurrence("20260101T090000", "FREQ=MONTHLY;BYMONTHDAY=15;COUNT=2")
    #expect(texts(set, 5) == ["20260115T090000", "20260215T090000"])
    #expect(try !set.contains(time("20260101T090000")))
  }

  @Test("without a rule the start is an occurrence beside the single dates")
  func startAlone() throws {
    let start = try time("20260101T090000")
    let dates = [try time("20260301T090000"), try time("20251201T090000")]
    let set = RecurrenceSet(start: start, rules: [], dates: dates)
    #expect(texts(set, 5) == ["20251201T090000", "20260101T090000", "20260301T090000"])
    #expect(texts(RecurrenceSet(start: start, rules: []), 5) == ["20260101T090000"])
  }

  @Test("exceptions take occurrences out and do not make up for COUNT")
  func exceptions() throws {
    let set = RecurrenceSet(
      start: try time("20260101T090000"), rules: [try RecurrenceRule("FREQ=DAILY;COUNT=4")],
      dates: [try time("20260110T120000"), try time("20260102T090000")],
      exceptions: [try time("20260103T090000"), try time("20260103T100000")])
    #expect(texts(set, 9) == ["20260101T090000", "20260102T090000", "20260104T090000", "20260110T120000"])
  }

  @Test("several rules give each moment once, in order")
  func severalRules() throws {
    let set = RecurrenceSet(
      start: try time("20260105T090000"),
      rules: [
        try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO;COUNT=3"), try RecurrenceRule("FREQ=DAILY;INTERVAL=7;COUNT=4"),
        try RecurrenceRule("FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2"),
      ])
    #expect(texts(set, 9) == ["20260105T090000", "20260112T090000", "20260119T090000", "20260126T090000"])
  }

  @Test("COUNT is right wherever one jumps to")
  func countAfterJump() throws {
    let set = try recurrence("19000101T083000", "FREQ=DAILY;BYDAY=MO,WE,FR;BYHOUR=8,18;COUNT=20000")
    let all = Array(set)
    #expect(all.count == 20_000)
    let last = try #require(all.last)
    #expect(set.next(atOrAfter: last) == last)
    #expect(set.next(after: last) == nil)
    #expect(set.last(before: try time("20260101T000000")) == last)
    #expect(set.next(after: all[12_344]) == all[12_345])
  }

  @Test("a span includes both of its ends")
  func span() throws {
    let set = try recurrence("20260101T090000", "FREQ=DAILY")
    let span = set.occurrences(from: try time("20280229T090000"), through: try time("20280301T090000"))
    #expect(span.map(\.description) == ["20280229T090000", "20280301T090000"])
    let backwards = set.occurrences(from: try time("20280301T090000"), through: try time("20280229T090000"))
    #expect(Array(backwards).isEmpty)
  }

  @Test("the last occurrence is found from far away and from beside it")
  func last() throws {
    let set = try recurrence("20260131T090000", "FREQ=MONTHLY")
    #expect(set.last(before: try time("20260131T090000")) == nil)
    #expect(set.last(atOrBefore: try time("20260131T090000"))?.description == "20260131T090000")
    #expect(set.last(before: try time("20260331T090000"))?.description == "20260131T090000")
    #expect(set.last(before: try time("99991231T235959"))?.description == "99991231T090000")
  }

  @Test("UNTIL includes the moment, or the whole day, that it names")
  func until() throws {
    #expect(texts(try recurrence("20260101T090000", "FREQ=DAILY;UNTIL=20260102T090000"), 5).count == 2)
    #expect(texts(try recurrence("20260101T090000", "FREQ=DAILY;UNTIL=20260102T085959"), 5).count == 1)
    #expect(texts(try recurrence("20260101T090000", "FREQ=DAILY;UNTIL=20260102"), 5).count == 2)
  }

  @Test("an UNTIL in UTC is told apart and can be made local")
  func untilInUTC() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20260103T080000Z")
    #expect(rule.end == .until(.utc(try time("20260103T080000"))))
    let local = rule.withLocalUntil { CivilDateTime(secondsSinceEpoch: $0.secondsSinceEpoch + 3_600) }
    #expect(local.end == .until(.local(try time("20260103T090000"))))
    #expect(texts(RecurrenceSet(start: try time("20260101T090000"), rule: rule), 5).count == 2)
    #expect(texts(RecurrenceSet(start: try time("20260101T090000"), rule: local), 5).count == 3)
    let other = try RecurrenceRule("FREQ=DAILY;UNTIL=20260103T080000")
    #expect(other.withLocalUntil { _ in CivilDateTime(secondsSinceEpoch: 0) } == other)
  }

  @Test("BYMONTHDAY=31 leaves out the months that have no such day")
  func missingDay() throws {
    let set = try recurrence("20260131T090000", "FREQ=MONTHLY;BYMONTHDAY=31")
    #expect(texts(set, 3) == ["20260131T090000", "20260331T090000", "20260531T090000"])
    #expect(try recurrence("20260131T090000", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31").exhaustion == .neverMatches)
  }

  @Test("BYSETPOS counts in the whole first week, although the start cuts it short")
  func firstWeek() throws {
    // The start is a Wednesday; the first of Monday and Wednesday is a Monday.
    let set = try recurrence("20260107T090000", "FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=1")
    #expect(texts(set, 2) == ["20260112T090000", "20260119T090000"])
  }

  @Test("days with and without number are either of the two")
  func mixedDays() throws {
    let set = try recurrence("20260101T090000", "FREQ=MONTHLY;BYDAY=MO,-1FR;COUNT=6")
    let days = ["0105", "0112", "0119", "0126", "0130", "0202"]
    #expect(texts(set, 9) == days.map { "2026\($0)T090000" })
  }

  @Test("second 60 is second 59")
  func leapSecond() throws {
    #expect(texts(try recurrence("20260101T090000", "FREQ=DAILY;BYSECOND=60,59;COUNT=1"), 5) == ["20260101T090059"])
    #expect(try time("20260101T235960") == time("20260101T235959"))
  }

  @Test("one interval later keeps to the month's end and to the year 9999")
  func oneInterval() throws {
    let cases = [
      ("FREQ=MONTHLY", "20260131T090000", "20260228T090000"), ("FREQ=YEARLY", "20280229T090000", "20290228T090000"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "20260131T090000", "20260214T090000"),
      ("FREQ=DAILY;INTERVAL=3", "20261231T090000", "20270103T090000"),
      ("FREQ=DAILY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR", "20261120T090000", "20261125T090000"),
      ("FREQ=DAILY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR", "20261121T090000", "20261201T090000"),
      ("FREQ=DAILY;INTERVAL=10;BYDAY=MO,TU,WE,TH,FR", "20261122T090000", "20261204T090000"),
      ("FREQ=DAILY;BYDAY=WE", "20261125T090000", "20261202T090000"),
      ("FREQ=HOURLY", "20261231T233000", "20270101T003000"),
      ("FREQ=MINUTELY;INTERVAL=45", "20261231T233000", "20270101T001500"),
    ]
    for (rule, from, to) in cases {
      #expect(try RecurrenceRule(rule).oneInterval(after: time(from)) == time(to))
    }
    #expect(try RecurrenceRule("FREQ=YEARLY").oneInterval(after: time("99990101T000000")) == nil)
    #expect(try RecurrenceRule("FREQ=YEARLY;INTERVAL=1000000000").oneInterval(after: time("20260101T000000")) == nil)
    let workingDays = try RecurrenceRule("FREQ=DAILY;INTERVAL=1000000000;BYDAY=MO,TU,WE,TH,FR")
    #expect(try workingDays.oneInterval(after: time("20260101T000000")) == nil)
    #expect(try RecurrenceRule("FREQ=MONTHLY;INTERVAL=1000000000").oneInterval(after: time("20260101T000000")) == nil)
    #expect(try RecurrenceRule("FREQ=WEEKLY;INTERVAL=1000000000").oneInterval(after: time("20260101T000000")) == nil)
  }
}
