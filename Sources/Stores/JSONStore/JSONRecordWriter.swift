import BelfryCore
import FileStore
import Foundation
import OrderedJSON

/// A writer of records in JSON, one a line.
struct JSONRecordWriter: RecordWriter {
  private var shared: SharedParts
  private(set) var output: [UInt8] = []
  var subject = RecordName.store
  private var isFirstField = true

  /// A writer that takes over what has not changed from `source`.
  init(over source: FileBytes) { shared = SharedParts(of: source) }

  var position: Int { output.count + shared.count }

  mutating func openStore(_ head: StoreHead) {
    append("{")
    isFirstField = true
    key("format")
    JSONValue.string(StoreFileMark.format).write(into: &output)
    key("version")
    append(StoreFileMark.version)
    startLine()
    key("next_id")
    append(head.nextItemID)
    key("next_list_id")
    append(head.nextListID)
    key("next_delivery_id")
    append(head.nextDeliveryID)
    startLine()
    key("zone")
    (head.zone.map { JSONValue.string($0) } ?? .null).write(into: &output)
    guard !head.sinks.isEmpty else { return }
    startLine()
    write(HeadField.sinks.key, head.sinks)
  }

  mutating func openSection(_ section: FieldKey) {
    startLine()
    key(section.name)
    append("[")
  }

  mutating func separate(isFirst: Bool) { append(isFirst ? "\n" : ",\n") }

  func isSeparator(_ gap: Range<Int>) -> Bool {
    gap.count == 2 && shared.source.buffer[gap.lowerBound] == UInt8(ascii: ",")
      && shared.source.buffer[gap.lowerBound + 1] == UInt8(ascii: "\n")
  }

  mutating func copy(_ records: Range<Int>) { shared.take(records, behind: &output) }

  mutating func closeSection() { append(output.last == UInt8(ascii: "[") ? "]" : "\n]") }

  mutating func closeStore(_ extra: (any RecordExtra)?) {
    if let extra = extra as? JSONExtra {
      startLine()
      output.append(contentsOf: extra.members)
    }
    append("\n}\n")
  }

  func image() -> FileImage { FileImage(output, shared) }

  mutating func openRecord(_ field: FieldKey?) {
    if let field { key(field.name) }
    append("{")
    isFirstField = true
  }

  mutating func closeRecord(_ extra: (any RecordExtra)?) {
    if let extra = extra as? JSONExtra {
      append(",")
      output.append(contentsOf: extra.members)
    }
    append("}")
    isFirstField = false
  }

  mutating func write(_ field: FieldKey, _ text: String) {
    key(field.name)
    JSONValue.string(text).write(into: &output)
  }

  mutating func write(_ field: FieldKey, _ number: Int64) {
    key(field.name)
    append(number)
  }

  mutating func write(_ field: FieldKey, _ isTrue: Bool) {
    key(field.name)
    append(isTrue ? "true" : "false")
  }

  mutating func write(_ field: FieldKey, _ instant: Date) throws {
    key(field.name)
    append("\"")
    do {
      try DateText.append(instant, withFraction: true, to: &output)
    } catch {
      throw BelfryError(.badInput, "\(subject.words) has a \"\(field.name)\" that cannot be kept: \(error)")
    }
    append("\"")
  }

  mutating func write(_ field: FieldKey, _ time: WallTime) {
    key(field.name)
    append("\"")
    DateText.append(time, to: &output)
    append("\"")
  }

  mutating func write(_ field: FieldKey, _ identity: UUID) {
    key(field.name)
    append("\"")
    IdentityText.append(identity, to: &output)
    append("\"")
  }

  mutating func write(_ field: FieldKey, _ texts: [String]) {
    key(field.name)
    JSONValue.array(texts.map { .string($0) }).write(into: &output)
  }

  mutating func write(_ field: FieldKey, _ contents: [ReminderContent]) {
    key(field.name)
    append("[")
    for (index, content) in contents.enumerated() {
      if index > 0 { append(",") }
      output.append(contentsOf: content.json)
    }
    append("]")
  }

  private mutating func key(_ name: StaticString) {
    if !isFirstField { append(",") }
    isFirstField = false
    append("\"")
    append(name)
    append("\":")
  }

  private mutating func append(_ text: StaticString) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ number: Int64) { output.append(contentsOf: number.description.utf8) }

  private mutating func startLine() {
    append(",\n")
    isFirstField = true
  }
}
