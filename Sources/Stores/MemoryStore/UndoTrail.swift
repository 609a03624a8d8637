import BelfryModel

/// The undo records of a store in memory or in a file, oldest first.
package struct UndoTrail: Hashable, Sendable {
  /// The most bytes of all contents together; the newest record is kept whatever its length.
  private static let mostBytes = 1 << 20

  package private(set) var records: [UndoRecord] = []

  /// A trail of these records.
  package init(_ records: [UndoRecord] = []) { self.records = records }

  mutating func add(_ record: UndoRecord) {
    records.append(record)
    var bytes = 0
    let kept = records.suffix(UndoRecord.mostKept).reversed().prefix { record in
      let isFirst = bytes == 0
      bytes += record.content.utf8.count
      return isFirst || bytes <= Self.mostBytes
    }
    records = kept.reversed()
  }

  mutating func remove(_ record: UndoRecord) {
    if let place = records.lastIndex(of: record) { records.remove(at: place) }
  }
}
