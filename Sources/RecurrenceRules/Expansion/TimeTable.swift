/// The times of a slot (a day, an hour or a minute) that a rule allows, in seconds from its start, ascending.
///
/// Hours, minutes and seconds are combined on demand, so a rule with every hour, minute and second costs no more than a
/// rule with one of each.
struct TimeTable: RandomAccessCollection, Sendable {
  private let hours: [Int]
  private let minutes: [Int]
  private let seconds: [Int]
  private let selection: [Int]?
  let startIndex = 0
  let endIndex: Int

  /// Every combination, or only those at BYSETPOS positions if any are given. No list is empty.
  init(hours: [Int], minutes: [Int], seconds: [Int], positions: [Int] = []) {
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    let all = hours.count * minutes.count * seconds.count
    selection = positions.isEmpty ? nil : selectedIndices(positions, of: all)
    endIndex = selection?.count ?? all
  }

  /// The time at an index from 0 to `count` - 1.
  subscript(index: Int) -> Int {
    let index = selection?[index] ?? index
    let minute = index / seconds.count
    return hours[minute / minutes.count] * 3_600 + minutes[minute % minutes.count] * 60
      + seconds[index % seconds.count]
  }
}

/// The indices of BYSETPOS positions in a set of this size, ascending, without repeats.
func selectedIndices(_ positions: [Int], of count: Int) -> [Int] {
  let indices = positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { $0 >= 0 && $0 < count }
  return indices.count < 2 ? indices : Set(indices).sorted()
}
