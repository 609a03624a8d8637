import Foundation

/// One record of a file: which it is and the bytes that it takes, none where it has to be written anew.
package struct RecordEntry<Key: Hashable & Sendable>: Sendable {
  package let key: Key
  package let range: Range<Int>

  package init(key: Key, range: Range<Int>) {
    self.key = key
    self.range = range
  }

  /// The same record so many bytes further on.
  func shifted(by shift: Int) -> RecordEntry {
    RecordEntry(key: key, range: (range.lowerBound + shift)..<(range.upperBound + shift))
  }
}

/// The records of one kind, in the order of their places.
package struct RecordSection<Key: Hashable & Sendable>: Sendable {
  package private(set) var entries: [RecordEntry<Key>] = []
  private var last: RecordPlace?
  private var isSorted = true

  package init() {}

  /// A section of entries that are in order.
  package init(sorted entries: [RecordEntry<Key>]) { self.entries = entries }

  /// Makes room.
  mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  /// Takes in the next record of a file.
  mutating func append(_ key: Key, _ range: Range<Int>, at place: RecordPlace) {
    if let last, !(last < place) { isSorted = false }
    last = place
    entries.append(RecordEntry(key: key, range: range))
  }

  /// Puts the records in order where a hand has moved some.
  mutating func sort(by place: (Key) -> RecordPlace?) {
    if isSorted { return }
    entries.sort { one, other in
      guard let left = place(one.key), let right = place(other.key) else { return false }
      return left < right
    }
    isSorted = true
  }

  /// The entries after a change: without those that are gone, with those that were touched in their places, to be
  /// written anew.
  ///
  /// - Parameter place: where a record now stands; nil for one that is gone.
  package func merging(_ touched: Set<Key>, at place: (Key) -> RecordPlace?) -> [RecordEntry<Key>] {
    guard !touched.isEmpty else { return entries }
    let kept = entries.filter { !touched.contains($0.key) }
    let added = touched.compactMap { key in place(key).map { (key: key, place: $0) } }.sorted { $0.place < $1.place }
    var merged: [RecordEntry<Key>] = []
    merged.reserveCapacity(kept.count + added.count)
    var next = kept.startIndex
    for (key, newPlace) in added {
      let end = kept[next...].partitioningIndex { entry in place(entry.key).map { newPlace < $0 } ?? false }
      merged += kept[next..<end]
      merged.append(RecordEntry(key: key, range: 0..<0))
      next = end
    }
    merged += kept[next...]
    return merged
  }
}

/// Where the records of a file stand, and what it holds beside what Belfry knows.
package struct RecordLayout: Sendable {
  /// The bytes of the file, from which untouched records are copied; empty where there is nothing to copy.
  package var source = FileBytes()
  /// The lists.
  package var lists = RecordSection<Int64>()
  /// The items.
  package var items = RecordSection<Int64>()
  /// The reminders.
  package var reminders = RecordSection<UUID>()
  /// The messages.
  package var messages = RecordSection<UUID>()
  /// The deliveries.
  package var deliveries = RecordSection<Int64>()
  /// The lists' names, by which items refer to them.
  package var listNames: [Int64: String] = [:]
  /// What records hold beside the fields of their kind.
  package var extras: [RecordName: any RecordExtra] = [:]

  package init() {}
}

/// Which record of a file is meant.
package enum RecordName: Hashable, Sendable {
  case store
  case list(Int64)
  case listReminder(Int64)
  case item(Int64)
  case reminder(UUID)
  case message(UUID)
  case delivery(Int64)
}

extension RandomAccessCollection {
  /// The place of the first element that belongs to the second part, where all that do come behind all that do not.
  fileprivate func partitioningIndex(where isSecond: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isSecond(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
