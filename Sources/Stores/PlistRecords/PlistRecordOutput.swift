import BelfryModel
import CivilTime
import FoundationEssentials
import PropertyLists

/// Writes records in an XML property list, each on one line. A field without a value is omitted.
package final class PlistRecordOutput: StoreOutput {
  package private(set) var bytes: [UInt8] = []
  package var clock: ShownClock?
  package var isShowing: Bool { clock != nil }
  package var count: Int { bytes.count }

  /// A writer with this many bytes reserved.
  package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

  package func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  package func openStore(_ head: StoreHead) throws {
    bytes.append(contentsOf: XMLPropertyList.prolog.utf8)
    append("<dict>\n")
    try write(StoreHead.Field.format.key, StoreHead.format)
    write(StoreHead.Field.version.key, StoreHead.version)
    append("\n")
    write(StoreHead.Field.nextID.key, head.counters.nextItemID)
    write(StoreHead.Field.nextListID.key, head.counters.nextListID)
    write(StoreHead.Field.nextDeliveryID.key, head.counters.nextDeliveryID)
    write(StoreHead.Field.nextAnswerID.key, head.counters.nextAnswerID)
    write(StoreHead.Field.nextPersonNumber.key, head.counters.nextPersonNumber)
    append("\n")
    if let zone = head.counters.plannedZone {
      try write(StoreHead.Field.zone.key, zone)
      append("\n")
    }
    if !head.problems.isEmpty {
      try write(StoreHead.Field.sinks.key, try head.sinks())
      append("\n")
    }
    if !head.inboxes.isEmpty {
      try head.writeInboxes(to: self)
      append("\n")
    }
    if !head.people.isEmpty {
      try head.writePeople(to: self)
      append("\n")
    }
    if !head.requests.isEmpty {
      try write(StoreHead.Field.requests.key, try head.requestTexts())
      append("\n")
    }
  }

  package func openSection(_ section: FieldKey) {
    key(section)
    append("<array>")
  }

  package func separate(isFirst: Bool) { append("\n") }

  package func copy(_ record: UnsafeRawBufferPointer) { bytes.append(contentsOf: record) }

  package func closeSection(isEmpty: Bool) { append("\n</array>\n") }

  package func closeStore(_ unknown: UnknownFields?) throws {
    if let unknown {
      try bytes.append(contentsOf: unknown.entries())
      append("\n")
    }
    append("</dict>\n</plist>\n")
  }

  package func open(_ field: FieldKey?) {
    if let field { key(field) }
    append("<dict>")
  }

  package func close(_ unknown: UnknownFields?) throws {
    if let unknown { try bytes.append(contentsOf: unknown.entries()) }
    append("</dict>")
  }

  package func writeNull(_ field: FieldKey) {}

  package func write(_ field: FieldKey, _ text: String) throws {
    key(field)
    try element(text, of: field)
  }

  package func write(_ field: FieldKey, _ number: Int64) {
    key(field)
    append("<integer>")
    bytes.append(contentsOf: number.description.utf8)
    append("</integer>")
  }

  package func write(_ field: FieldKey, _ isTrue: Bool) {
    key(field)
    append(isTrue ? "<true/>" : "<false/>")
  }

  package func write(_ field: FieldKey, _ instant: Date) throws {
    key(field)
    append("<date>")
    do {
      try DateText.append(instant, withFraction: false, to: &bytes)
    } catch {
      throw refusal(field, "\(error)")
    }
    append("</date>")
  }

  package func write(_ field: FieldKey, _ time: WallTime) {
    key(field)
    append("<string>")
    DateText.append(time, to: &bytes)
    append("</string>")
  }

  package func write(_ field: FieldKey, _ identity: UUID) {
    key(field)
    append("<string>")
    IdentityText.append(identity, to: &bytes)
    append("</string>")
  }

  package func write(_ field: FieldKey, _ texts: [String]) throws {
    key(field)
    append("<array>")
    for text in texts { try element(text, of: field) }
    append("</array>")
  }

  package func write(_ field: FieldKey, records count: Int, each write: (Int) throws -> Void) rethrows {
    key(field)
    append("<array>")
    for index in 0..<count { try write(index) }
    append("</array>")
  }

  // One text each, since property lists have no null.
  package func write(_ field: FieldKey, json count: Int, each json: (Int) -> [UInt8]) throws {
    try write(field, (0..<count).map { String(decoding: json($0), as: UTF8.self) })
  }

  private func element(_ text: String, of field: FieldKey) throws {
    append("<string>")
    do {
      try XMLPropertyList.append(text: text, to: &bytes)
    } catch {
      throw refusal(field, error.message)
    }
    append("</string>")
  }

  private func refusal(_ field: FieldKey, _ reason: String) -> UnwritableValue {
    UnwritableValue(
      field: PlistNames.all[field.kind].names[field.index], reason: "cannot be stored in a property list: \(reason)",
      hint: "nothing was changed; remove it, or use another type of store")
  }

  private func key(_ field: FieldKey) {
    let names = PlistNames.all[field.kind]
    bytes.append(contentsOf: names[field.index])
  }

  private func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
