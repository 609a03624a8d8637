import BelfryEngine
import BelfryModel
import FoundationEssentials
import MemoryStore

/// Puts a copy in the place of a store's file. Use it only under the write lock.
struct FileRestoration {
  /// The largest number that is trusted in a damaged file, since beyond it JSON readers lose digits.
  private static let largestNumber: Int64 = 1 << 53

  let place: FilePlace
  let format: any StoreFormat
  let failures: FileFailures

  /// Restores a copy, or the backup.
  ///
  /// - Throws: as ``RestorableStore/restore(from:continuing:)``.
  func run(
    from copy: String?, over present: FileStatus?,
    continuing: (any StoreTransaction, StoreRemains) throws -> Void
  ) throws -> Restoration {
    let source = copy ?? place.backup
    guard let file = try FileContent(reading: source, FileFailures(path: source)) else {
      throw Restoration.noCopy(copy, of: place.named)
    }
    let content = try content(of: file, at: source)
    let remains = try remains()
    let transaction = StateTransaction(
      state: content.state, indexes: content.indexes, edited: { nil }, storedUndo: { UndoTrail() })
    try continuing(transaction, remains)
    let bytes =
      transaction.changes.isEmpty
      ? file.bytes
      : try format.write(transaction.state, changes: transaction.changes, over: content.layout).file
    let replaced = try FileReplacement(place: place, failures: failures).restore(bytes, over: present)
    return Restoration(copy: source, replaced: replaced, remains)
  }

  private func content(of file: FileContent, at source: String) throws -> StoreContent {
    do {
      return try format.read(file.bytes, writtenAt: file.status.modified)
    } catch {
      if case .newer(let version) = error.reason {
        throw Restoration.unfit(source, "it was written by a newer Belfry (version \(version))")
      }
      throw Restoration.unfit("\(source)\(format.position(of: error.offset, in: file.bytes))", error.message)
    }
  }

  // The numbers of a damaged file may still be found, since they are at its start.
  private func remains() throws -> StoreRemains {
    var remains = StoreRemains()
    let file = try FileContent(reading: place.file, failures)
    if let file, let content = try? format.read(file.bytes, writtenAt: file.status.modified) {
      try content.forEachRecord { remains.add($0) }
      return remains
    }
    remains.hasReminders = false
    remains.hasNumbers = false
    if let file {
      let found = counters(in: file.bytes)
      remains.hasNumbers = found.nextItemID > 0
      remains.addNumbers(of: .counters(found))
    }
    if let backup = try? FileContent(reading: place.backup, failures),
      let older = try? format.read(backup.bytes, writtenAt: backup.status.modified)
    {
      remains.addNumbers(of: .counters(older.state.counters))
    }
    return remains
  }

  private func counters(in bytes: [UInt8]) -> StoreCounters {
    var counters = StoreCounters()
    func raise(_ counter: WritableKeyPath<StoreCounters, Int64>, _ field: StoreHead.Field) {
      for number in numbers(after: format.key(of: field), in: bytes) where number <= Self.largestNumber {
        counters[keyPath: counter] = max(counters[keyPath: counter], number)
      }
    }
    raise(\.nextItemID, .nextID)
    raise(\.nextListID, .nextListID)
    raise(\.nextDeliveryID, .nextDeliveryID)
    raise(\.nextAnswerID, .nextAnswerID)
    raise(\.nextPersonNumber, .nextPersonNumber)
    return counters
  }

  // The numbers after the occurrences of a key, past the separators of JSON and property lists.
  private func numbers(after key: [UInt8], in bytes: [UInt8]) -> [Int64] {
    var numbers: [Int64] = []
    var rest = bytes[...]
    while let range = rest.firstRange(of: key) {
      rest = rest[range.upperBound...]
      let value = rest.prefix(64).drop { byte in " :\t\r\n<integr>".utf8.contains(byte) }
      let digits = value.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if let number = Int64(String(decoding: digits, as: UTF8.self)) { numbers.append(number) }
    }
    return numbers
  }
}

extension StoreContent {
  fileprivate func forEachRecord(_ body: (StoreRecord) throws -> Void) throws {
    try StateTransaction(state: state, indexes: indexes, edited: { nil }, storedUndo: { UndoTrail() }).forEachRecord(
      body)
  }
}
