import BelfryTestKit
import CivilTime
import Testing

struct CivilDateTests {
  @Test("each day of 800 years follows the day before it")
  func succession() throws {
    var expected = try #require(CivilDate(year: 1_599, month: 12, day: 31))
    #expect(expected.weekday == .friday)
    var dayOfYear = 365
    for number in expected.daysSinceEpoch..<expected.daysSinceEpoch + 292_194 {
      let date = CivilDate(daysSinceEpoch: number)
      #expect(date == expected && date.daysSinceEpoch == number && date.dayOfYear == dayOfYear)
      let isMonthOver = date.day == CivilDate.daysInMonth(date.month, of: date.year)
      let isYearOver = isMonthOver && date.month == 12
      dayOfYear = isYearOver ? 1 : dayOfYear + 1
      expected = try #require(
        CivilDate(
          year: date.year + (isYearOver ? 1 : 0), month: isYearOver ? 1 : date.month + (isMonthOver ? 1 : 0),
          day: isMonthOver ? 1 : date.day + 1))
      let weekday = CivilDate(daysSinceEpoch: number + 1).weekday.rawValue
      #expect(weekday == date.weekday.rawValue % 7 + 1)
    }
  }

  @Test("the epoch was a Thursday, and years before it count as well")
  func knownDays() {
    #expect(CivilDate(daysSinceEpoch: 0).weekday == .thursday)
    #expect(CivilDate(year: 0, month: 2, day: 29)?.daysSinceEpoch == -719_469)
    #expect(CivilDate(year: -400, month: 3, day: 1).map { CivilDate(daysSinceEpoch: $0.daysSinceEpoch).year } == -400)
  }

  @Test("there is no 30 February, no month 13 and no year beyond a million")
  func missing() {
    #expect(CivilDate(year: 2027, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2028, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2027, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2027, month: .min, day: .max) == nil)
    #expect(CivilDate(year: .max, month: 1, day: 1) == nil)
  }

  @Test("arithmetic stops at the farthest dates and does not overflow")
  func saturation() throws {
    let date = try #require(CivilDate(year: 2027, month: 1, day: 1))
    #expect(date.adding(days: 31).month == 2)
    #expect(date.adding(days: -1).year == 2026)
    #expect(date.adding(days: .max) == CivilDate(daysSinceEpoch: .max))
    #expect(date.adding(days: .min) == CivilDate(daysSinceEpoch: .min))
    #expect(CivilDate(daysSinceEpoch: .max) > date && CivilDate(daysSinceEpoch: .min) < date)
  }
}

struct CivilDateTimeTests {
  @Test("seconds and minutes since the epoch convert both ways, before it, too")
  func conversion() throws {
    #expect(try time("19700101T000000").secondsSinceEpoch == 0)
    #expect(try time("19691231T235959").secondsSinceEpoch == -1)
    #expect(try time("19691231T235959").minutesSinceEpoch == -1)
    #expect(try time("20261121T101112").secondsSinceEpoch == 1_795_255_872)
    #expect(CivilDateTime(minutesSinceEpoch: -1).description == "19691231T235900")
    #expect(CivilDateTime(secondsSinceEpoch: 253_402_300_799).description == "99991231T235959")
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<10_000 {
      let seconds = Int.random(in: -62_167_219_200...253_402_300_799, using: &generator)
      let time = CivilDateTime(secondsSinceEpoch: seconds)
      #expect(time.secondsSinceEpoch == seconds)
      #expect(CivilDateTime(minutesSinceEpoch: time.minutesSinceEpoch).secondsSinceEpoch == seconds - time.second)
      #expect((try? CivilDateTime(time.description)) == time)
    }
  }

  @Test("times are ordered as they follow each other")
  func order() throws {
    let times = try ["20260101T235959", "20260102T000000", "20260102T000001", "20260102T000100", "20260102T010000"].map(
      time)
    #expect(times.shuffled().sorted() == times)
  }

  @Test("a day has 24 hours of 60 minutes of 60 seconds")
  func missing() throws {
    let date = try time("20260101").date
    #expect(CivilDateTime(date: date, hour: 24, minute: 0) == nil)
    #expect(CivilDateTime(date: date, hour: 23, minute: 60) == nil)
    #expect(CivilDateTime(date: date, hour: 23, minute: 59, second: 60) == nil)
    #expect(CivilDateTime(year: 2026, month: 1, day: 1, hour: 0, minute: 0) == CivilDateTime(midnightOf: date))
  }
}
