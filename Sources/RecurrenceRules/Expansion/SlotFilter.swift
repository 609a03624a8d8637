import CivilTime

/// The hours of a day for FREQ=HOURLY, or the minutes for FREQ=MINUTELY, that the rule allows and INTERVAL does not
/// skip.
///
/// For any other FREQ the day is its only slot, and INTERVAL is handled elsewhere. Slots are numbered from the epoch.
/// The slots of a day that INTERVAL does not skip depend only on the first of them, so one table, computed once, gives
/// the number of each day's slots.
struct SlotFilter: Sendable {
  /// The result of a search within one day.
  enum Outcome {
    /// The first slot.
    case found(Int)
    /// No slot in that day. The next slot is not before this one.
    case notBefore(Int)
  }

  /// True if INTERVAL skips all allowed slots of every day: FREQ=HOURLY;INTERVAL=6;BYHOUR=23 from 09:00.
  private(set) var isEmpty = false
  private let slotsPerDay: Int
  private let startSlot: Int
  private var interval: Int
  private var allowed: [Bool] = []
  private var counts: [Int] = []

  init(_ rule: RecurrenceRule, slotsPerDay: Int, startSlot: Int) {
    self.slotsPerDay = slotsPerDay
    self.startSlot = startSlot
    interval = slotsPerDay == 1 ? 1 : rule.interval
    let hasMinutes = slotsPerDay == 1_440 && !rule.minutes.isEmpty
    guard slotsPerDay > 1, hasMinutes || !rule.hours.isEmpty else { return }
    let slotsPerHour = slotsPerDay / 24
    allowed = Array(repeating: false, count: slotsPerDay)
    for hour in rule.hours.isEmpty ? Array(0..<24) : rule.hours {
      for minute in hasMinutes ? rule.minutes : Array(0..<slotsPerHour) {
        allowed[hour * slotsPerHour + minute] = true
      }
    }
    let step = greatestCommonDivisor(interval, slotsPerDay)
    isEmpty = !stride(from: floorRemainder(startSlot, step), to: slotsPerDay, by: step).contains { allowed[$0] }
    fillCounts()
  }

  /// Computes the number of a day's allowed slots if the first slot that INTERVAL does not skip is 0, 1, …
  private mutating func fillCounts() {
    guard !allowed.isEmpty else { return }
    counts = Array(repeating: 0, count: min(interval, slotsPerDay))
    for slot in 0..<slotsPerDay where allowed[slot] { counts[slot % interval] += 1 }
  }

  /// The same slots with the greatest INTERVAL that divides both the present one and a cycle's number of slots.
  func denser(cycle: Int) -> SlotFilter {
    var filter = self
    filter.interval = greatestCommonDivisor(interval, cycle)
    filter.fillCounts()
    return filter
  }

  /// True if INTERVAL selects the same slots in each cycle of this many slots.
  func isCyclic(cycle: Int) -> Bool { cycle % interval == 0 }

  /// True if every day has the same number of slots.
  var isEveryDayAlike: Bool { slotsPerDay % interval == 0 }

  /// The most slots of a day.
  var largestCount: Int { allowed.isEmpty ? (slotsPerDay - 1) / interval + 1 : counts.max() ?? 0 }

  /// An upper bound of the slots that INTERVAL selects in this many days.
  func metSlots(in days: Int) -> Int { days * slotsPerDay / interval + 1 }

  /// The first slot in a day, from `slot` of that day on.
  func next(from slot: Int, in day: Int) -> Outcome {
    let (start, end) = (day * slotsPerDay, (day + 1) * slotsPerDay)
    var slot = slot + floorRemainder(startSlot - slot, interval)
    guard !allowed.isEmpty else { return slot < end ? .found(slot) : .notBefore(slot) }
    guard count(in: day) > 0 else { return .notBefore(max(slot, end)) }
    while slot < end {
      if allowed[slot - start] { return .found(slot) }
      slot += interval
    }
    return .notBefore(slot)
  }

  /// Every slot of a day, ascending.
  func all(in day: Int) -> [Int] {
    let start = day * slotsPerDay
    return stride(from: floorRemainder(startSlot - start, interval), to: slotsPerDay, by: interval)
      .filter { allowed.isEmpty || allowed[$0] }.map { $0 + start }
  }

  /// The number of a day's slots.
  func count(in day: Int) -> Int {
    let first = floorRemainder(startSlot - day * slotsPerDay, interval)
    if allowed.isEmpty { return first < slotsPerDay ? (slotsPerDay - 1 - first) / interval + 1 : 0 }
    return first < counts.count ? counts[first] : 0
  }
}
