import BelfryCore
import FileStore
import Foundation
import PropertyLists

/// A writer of records in a property list in XML, one a line. A field without a value is left out.
struct PlistRecordWriter: RecordWriter {
  private var shared: SharedParts
  private(set) var output: [UInt8] = []
  var subject = RecordName.store

  /// A writer that takes over what has not changed from `source`.
  init(over source: FileBytes) { shared = SharedParts(of: source) }

  var position: Int { output.count + shared.count }

  mutating func openStore(_ head: StoreHead) throws {
    output.append(contentsOf: XMLPropertyList.prolog.utf8)
    append("<dict>\n")
    try write(HeadField.format.key, StoreFileMark.format)
    write(HeadField.version.key, StoreFileMark.version)
    append("\n")
    write(HeadField.nextID.key, head.nextItemID)
    write(HeadField.nextListID.key, head.nextListID)
    write(HeadField.nextDeliveryID.key, head.nextDeliveryID)
    append("\n")
    if let zone = head.zone {
      try write(HeadField.zone.key, zone)
      append("\n")
    }
    guard !head.sinks.isEmpty else { return }
    try write(HeadField.sinks.key, head.sinks)
    append("\n")
  }

  mutating func openSection(_ section: FieldKey) {
    key(section)
    append("<array>")
  }

  mutating func separate(isFirst: Bool) { append("\n") }

  func isSeparator(_ gap: Range<Int>) -> Bool {
    gap.count == 1 && shared.source.buffer[gap.lowerBound] == UInt8(ascii: "\n")
  }

  mutating func copy(_ records: Range<Int>) { shared.take(records, behind: &output) }

  mutating func closeSection() { append("\n</array>\n") }

  mutating func closeStore(_ extra: (any RecordExtra)?) {
    if let extra = extra as? PlistExtra {
      output.append(contentsOf: extra.entries)
      append("\n")
    }
    append("</dict>\n</plist>\n")
  }

  func image() -> FileImage { FileImage(output, shared) }

  mutating func openRecord(_ field: FieldKey?) {
    if let field { key(field) }
    append("<dict>")
  }

  mutating func closeRecord(_ extra: (any RecordExtra)?) {
    if let extra = extra as? PlistExtra { output.append(contentsOf: extra.entries) }
    append("</dict>")
  }

  mutating func write(_ field: FieldKey, _ text: String) throws {
    key(field)
    try element(text, of: field)
  }

  mutating func write(_ field: FieldKey, _ number: Int64) {
    key(field)
    append("<integer>")
    output.append(contentsOf: number.description.utf8)
    append("</integer>")
  }

  mutating func write(_ field: FieldKey, _ isTrue: Bool) {
    key(field)
    append(isTrue ? "<true/>" : "<false/>")
  }

  mutating func write(_ field: FieldKey, _ instant: Date) throws {
    key(field)
    append("<date>")
    do {
      try DateText.append(instant, withFraction: false, to: &output)
    } catch {
      throw refusal(field, "\(error)")
    }
    append("</date>")
  }

  mutating func write(_ field: FieldKey, _ time: WallTime) {
    key(field)
    append("<string>")
    DateText.append(time, to: &output)
    append("</string>")
  }

  mutating func write(_ field: FieldKey, _ identity: UUID) {
    key(field)
    append("<string>")
    IdentityText.append(identity, to: &output)
    append("</string>")
  }

  mutating func write(_ field: FieldKey, _ texts: [String]) throws {
    key(field)
    append("<array>")
    for text in texts { try element(text, of: field) }
    append("</array>")
  }

  // As JSON, since a property list has nothing for null.
  mutating func write(_ field: FieldKey, _ contents: [ReminderContent]) throws {
    try write(field, contents.map { String(decoding: $0.json, as: UTF8.self) })
  }

  private mutating func element(_ text: String, of field: FieldKey) throws {
    append("<string>")
    do {
      try XMLPropertyList.append(text: text, to: &output)
    } catch {
      throw refusal(field, error.message)
    }
    append("</string>")
  }

  private func refusal(_ field: FieldKey, _ reason: String) -> BelfryError {
    BelfryError(
      .badInput,
      "\(subject.words) has a \"\(PlistNames.all[field.kind].names[field.index])\" that a property list cannot keep: \(reason)",
      hint: "nothing was changed; take it out, or use another type of store")
  }

  private mutating func key(_ field: FieldKey) {
    let names = PlistNames.all[field.kind]
    output.append(contentsOf: names.elements[names.starts[field.index]..<names.starts[field.index + 1]])
  }

  private mutating func append(_ text: StaticString) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
