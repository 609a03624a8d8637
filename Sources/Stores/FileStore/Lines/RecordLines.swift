import BelfryCore
import Foundation
import MemoryStore

/// One record where it stands in a file.
struct RecordLine<Record> {
  let record: Record
  let range: Range<Int>
  /// What it holds beside the fields of its kind.
  let extra: (any RecordExtra)?
}

/// Finds records in a file that Belfry itself has written: they stand one a line and in order, so that a few probes find
/// one among a hundred thousand.
struct RecordLines {
  let bytes: FileBytes
  let format: any LineFormat
  let sections: SectionTable
  private let scanner: any RecordScanner
  /// What stands before the items, and what reads records that refer to it.
  private(set) var builder: StateBuilder

  /// Reads what stands before the items.
  ///
  /// - Throws: ``StoreFault`` at the first thing that is wrong there.
  init(
    _ bytes: FileBytes, _ format: any LineFormat, _ sections: SectionTable, writtenAt: Date
  ) throws(StoreFault) {
    (self.bytes, self.format, self.sections) = (bytes, format, sections)
    scanner = format.scanner(bytes.buffer)
    builder = StateBuilder(scanner, likelyItems: 0, writtenAt: writtenAt)
    try builder.readStore(scanner, before: .items)
  }

  // MARK: Finding

  /// The item with this number; nil where no line starts with it.
  mutating func item(id: Int64) throws(StoreFault) -> RecordLine<Item>? {
    let start = startOfItem(id)
    var next = sections[.items].lowerBound
    while let found = lineStarting(with: start, from: next) {
      let line = try item(at: found)
      if line.record.id == id { return line }
      next = self.next(behind: line.range, in: .items)
    }
    return nil
  }

  /// The last item of a list.
  mutating func lastItem(listID: Int64) throws(StoreFault) -> RecordLine<Item>? {
    let body = sections[.items]
    let end = try offset(of: RecordPlace(behindItemsOf: listID), in: .items)
    guard end > body.lowerBound else { return nil }
    let line = try item(at: lineStart(before: end == body.upperBound ? end : end - separatorCount, in: body))
    return line.record.listID == listID ? line : nil
  }

  /// The reminders of an item or list.
  mutating func reminders(of owner: ReminderOwner) throws(StoreFault) -> [RecordLine<Reminder>] {
    var lines: [RecordLine<Reminder>] = []
    var next = try offset(of: RecordPlace(beforeRemindersOf: owner), in: .reminders)
    while next < sections[.reminders].upperBound {
      let line = try reminder(at: next)
      guard line.record.occurrence.owner == owner else { break }
      lines.append(line)
      next = self.next(behind: line.range, in: .reminders)
    }
    return lines
  }

  /// The messages and deliveries, read into a builder of their own.
  func outbox() throws(StoreFault) -> StateBuilder {
    var outbox = builder
    var message = RawRecord(MessageField.kind)
    try forEachRecord(in: .messages, &message) { (record: RawRecord) throws(StoreFault) in
      try outbox.readMessage(record)
    }
    var delivery = RawRecord(DeliveryField.kind)
    try forEachRecord(in: .deliveries, &delivery) { (record: RawRecord) throws(StoreFault) in
      try outbox.readDelivery(record)
    }
    return outbox
  }

  /// Where a record with this place stands, or where it would have to: the start of a line, or the end of the section.
  mutating func offset(of place: RecordPlace, in section: HeadField) throws(StoreFault) -> Int {
    let body = sections[section]
    var (low, high) = (body.lowerBound, body.upperBound)
    while low < high {
      let start = lineStart(before: low + (high - low) / 2, in: low..<high)
      let (found, range) = try self.place(at: start, in: section)
      if found < place { low = next(behind: range, in: section) } else { high = start }
    }
    return low
  }

  // MARK: Reading lines

  private mutating func item(at offset: Int) throws(StoreFault) -> RecordLine<Item> {
    var record = RawRecord(ItemField.kind)
    try scanner.record(in: RawValue(.compound, offset..<offset), &record)
    return RecordLine(record: try builder.item(record), range: record.range, extra: record.extra)
  }

  private mutating func reminder(at offset: Int) throws(StoreFault) -> RecordLine<Reminder> {
    var record = RawRecord(ReminderField.kind)
    try scanner.record(in: RawValue(.compound, offset..<offset), &record)
    return RecordLine(record: try builder.reminder(record), range: record.range, extra: record.extra)
  }

  private mutating func place(
    at offset: Int, in section: HeadField
  ) throws(StoreFault) -> (RecordPlace, Range<Int>) {
    if section == .items {
      let line = try item(at: offset)
      return (RecordPlace(line.record), line.range)
    }
    let line = try reminder(at: offset)
    return (RecordPlace(line.record), line.range)
  }

  private func forEachRecord(
    in section: HeadField, _ record: inout RawRecord, _ body: (RawRecord) throws(StoreFault) -> Void
  ) throws(StoreFault) {
    var next = sections[section].lowerBound
    while next < sections[section].upperBound {
      try scanner.record(in: RawValue(.compound, next..<next), &record)
      try body(record)
      next = self.next(behind: record.range, in: section)
    }
  }

  // MARK: Lines

  private static let lineFeed = UInt8(ascii: "\n")

  var separatorCount: Int { format.separator.utf8CodeUnitCount }

  /// Where the line behind a record starts; the end of the section behind the last one.
  func next(behind record: Range<Int>, in section: HeadField) -> Int {
    min(record.upperBound + separatorCount, sections[section].upperBound)
  }

  private func lineStart(before offset: Int, in range: Range<Int>) -> Int {
    var start = offset
    while start > range.lowerBound, bytes.buffer[start - 1] != Self.lineFeed { start -= 1 }
    return start
  }

  private func startOfItem(_ id: Int64) -> [UInt8] {
    var writer = format.writer(over: FileBytes())
    writer.openRecord(nil)
    writer.write(ItemField.id.key, id)
    var start: [UInt8] = []
    writer.image().forEachPart { start += $0 }
    return start
  }

  private func lineStarting(with start: [UInt8], from offset: Int) -> Int? {
    guard let base = bytes.buffer.baseAddress else { return nil }
    let end = sections[.items].upperBound
    var line = offset
    while end - line >= start.count {
      if memcmp(base + line, start, start.count) == 0 { return line }
      guard let lineEnd = memchr(base + line, Int32(Self.lineFeed), end - line) else { return nil }
      line = UnsafeRawPointer(lineEnd) - base + 1
    }
    return nil
  }
}

extension RecordPlace {
  /// The first place behind all items of a list.
  fileprivate init(behindItemsOf listID: Int64) {
    self.init(listID == .max ? .max : listID + 1, .min, .min)
  }

  /// The place before all reminders of an item or list.
  fileprivate init(beforeRemindersOf owner: ReminderOwner) {
    switch owner {
    case .item(let id): self.init(0, id, .min)
    case .list(let id): self.init(1, id, .min)
    }
  }
}
