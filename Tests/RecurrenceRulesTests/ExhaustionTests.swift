import BelfryTestKit
import CivilTime
import RecurrenceRules
import Testing

struct ExhaustionTests {
  @Test(
    "a rule that never matches ends soon and says so",
    arguments: [
      "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;BYYEARDAY=60;BYMONTH=5",
      "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1", "FREQ=HOURLY;INTERVAL=6;BYHOUR=23",
      "FREQ=MINUTELY;INTERVAL=7;BYDAY=MO;BYHOUR=9;BYMINUTE=9",
      "FREQ=DAILY;INTERVAL=7;BYDAY=SA", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "FREQ=WEEKLY;BYMONTHDAY=15,9,-11;BYSETPOS=3",
      "FREQ=MONTHLY;BYDAY=6MO", "FREQ=MONTHLY;BYDAY=2WE;BYMONTHDAY=2", "FREQ=YEARLY;BYWEEKNO=1;BYMONTH=6",
      "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000000000", "FREQ=HOURLY;BYSETPOS=-366;BYMINUTE=1",
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "FREQ=WEEKLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30",
    ])
  func neverMatches(rule: String) throws {
    // 2027-01-04 is a Monday, and no leap year follows at a multiple of four years.
    let set = try recurrence("20270104T083000", rule)
    let elapsed = ProcessorTime.measure {
      #expect(set.next(atOrAfter: set.start) == nil)
      #expect(set.exhaustion == .neverMatches)
      #expect(set.last(before: CivilDateTime(secondsSinceEpoch: .max)) == nil)
    }
    #expect(elapsed < .seconds(10), "bounded work, also without optimisation")
  }

  @Test(
    "what ends is told apart",
    arguments: [
      ("FREQ=DAILY;COUNT=3", Exhaustion.ended), ("FREQ=DAILY;UNTIL=20300101", .ended),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20270401", .ended),
      ("FREQ=DAILY;UNTIL=20260101", .untilBeforeStart), ("FREQ=DAILY;UNTIL=20270104T082959", .untilBeforeStart),
      ("FREQ=DAILY", .beyondYear9999), ("FREQ=MINUTELY", .beyondYear9999),
      ("FREQ=YEARLY;INTERVAL=9000;BYMONTH=1;BYMONTHDAY=1", .beyondYear9999),
      ("FREQ=MINUTELY;COUNT=1000000000;INTERVAL=1000000000", .beyondYear9999),
    ])
  func reasons(rule: String, reason: Exhaustion) throws {
    #expect(try recurrence("20270104T083000", rule).exhaustion == reason)
  }

  @Test("the year 9999 has occurrences, the year after has none")
  func endOfTime() throws {
    let set = try recurrence("99981231T235900", "FREQ=YEARLY")
    #expect(texts(set, 9) == ["99981231T235900", "99991231T235900"])
    #expect(set.exhaustion == .beyondYear9999)
    let beyond = CivilDateTime(secondsSinceEpoch: 253_402_300_800)
    #expect(beyond.date.year == 10_000)
    let late = RecurrenceSet(start: beyond, rule: try RecurrenceRule("FREQ=DAILY"))
    #expect(late.next(atOrAfter: beyond) == nil)
    #expect(late.exhaustion == .beyondYear9999)
    #expect(late.last(before: beyond) == nil)
  }

  @Test("starts and questions from the ends of the calendar are answered")
  func extremes() throws {
    for seconds in [Int.min, -99_999_999_999_999, 0, 99_999_999_999_999, Int.max] {
      let start = CivilDateTime(secondsSinceEpoch: seconds)
      for text in ["FREQ=DAILY", "FREQ=WEEKLY;COUNT=3", "FREQ=MINUTELY;INTERVAL=1000000000", "FREQ=MONTHLY;BYDAY=1MO"] {
        let set = RecurrenceSet(start: start, rule: try RecurrenceRule(text))
        let first = set.next(atOrAfter: CivilDateTime(secondsSinceEpoch: .min))
        #expect((first == nil) == (start.date.year > 9_999))
        #expect(first.map { (0...9_999).contains($0.date.year) } ?? true)
        #expect(set.next(after: CivilDateTime(secondsSinceEpoch: .max)) == nil)
      }
    }
  }

  @Test("a set ends as its most lasting part does")
  func sets() throws {
    let start = try time("20270104T083000")
    let never = try RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
    let past = try RecurrenceRule("FREQ=DAILY;UNTIL=20260101")
    #expect(RecurrenceSet(start: start, rules: [never, past]).exhaustion == .untilBeforeStart)
    #expect(RecurrenceSet(start: start, rules: [never], dates: [start]).exhaustion == .ended)
    #expect(
      RecurrenceSet(start: start, rules: [never, try RecurrenceRule("FREQ=DAILY")]).exhaustion == .beyondYear9999)
    #expect(RecurrenceSet(start: start, rules: []).exhaustion == .ended)
    let excepted = RecurrenceSet(start: start, rules: [try RecurrenceRule("FREQ=DAILY;COUNT=1")], exceptions: [start])
    #expect(excepted.next(atOrAfter: start) == nil)
    #expect(excepted.exhaustion == .ended)
  }

  @Test("a rule without end and a huge COUNT are answered at once, two hundred years from the start")
  func farFromStart() throws {
    let now = try time("20261121T101112")
    let rules = [
      "FREQ=MINUTELY", "FREQ=MINUTELY;INTERVAL=7;BYHOUR=9", "FREQ=DAILY;COUNT=1000000000", "FREQ=MONTHLY;BYDAY=-1FR",
    ]
    for rule in rules {
      let set = try recurrence("18260312T083000", rule)
      let time = ProcessorTime.measure { #expect(set.next(after: now) != nil) }
      #expect(time < .seconds(5), "\(rule)")
    }
  }

  @Test("each reason has words for people")
  func words() {
    let reasons: [Exhaustion] = [.ended, .untilBeforeStart, .neverMatches, .beyondYear9999]
    #expect(Set(reasons.map(\.description)).count == 4)
  }
}
