/// A set of days of one year, numbered from 0, as bits.
struct DaySet: Sendable {
  private var words = SIMD8<UInt64>()

  /// Adds a day; a day outside 0 to 511 is ignored.
  mutating func insert(_ day: Int) {
    guard day >= 0, day < 512 else { return }
    words[day >> 6] |= 1 << UInt64(day & 63)
  }

  /// Adds the days of a range that are within 0 to 511.
  mutating func insert(_ days: Range<Int>) {
    let days = days.clamped(to: 0..<512)
    guard let last = days.last else { return }
    let (lowWord, highWord) = (days.lowerBound >> 6, last >> 6)
    for word in lowWord...highWord {
      var mask = UInt64.max
      if word == lowWord { mask &= .max << UInt64(days.lowerBound & 63) }
      if word == highWord { mask &= .max >> UInt64(63 - last & 63) }
      words[word] |= mask
    }
  }

  /// Adds every seventh day of 53 weeks, from `first` on, which is 0 to 6.
  mutating func insertWeekly(from first: Int) { words |= DaySet.weekly[first].words }

  private static let weekly = (0..<7).map { first in
    var days = DaySet()
    for day in stride(from: first, to: 371, by: 7) { days.insert(day) }
    return days
  }

  /// Removes the days that are not in the other set.
  mutating func formIntersection(_ other: DaySet) { words &= other.words }

  var count: Int { words.indices.reduce(0) { $0 + words[$1].nonzeroBitCount } }

  /// The first day that is not before `day`, which is 0 or more.
  func first(from day: Int) -> Int? {
    var word = day >> 6
    guard word < 8 else { return nil }
    var bits = words[word] & (.max << UInt64(day & 63))
    while bits == 0 {
      word += 1
      guard word < 8 else { return nil }
      bits = words[word]
    }
    return word << 6 + bits.trailingZeroBitCount
  }
}

/// The days of one year that a rule's BY parts allow.
struct YearDays: Sendable {
  static let none = YearDays(firstDay: 0, length: 0, days: DaySet())

  /// The first of January, in days since the epoch.
  let firstDay: Int
  /// 365 or 366.
  let length: Int
  /// The days allowed, counted from the first of January.
  let days: DaySet

  /// True if a day since the epoch is in this year.
  func contains(_ day: Int) -> Bool { day >= firstDay && day < firstDay + length }

  /// The first allowed day of this year, since the epoch, on or after `day`, which is in this year.
  func first(from day: Int) -> Int? { days.first(from: day - firstDay).map { $0 + firstDay } }
}
