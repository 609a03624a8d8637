import ByteOutput
import CivilTime
import FoundationEssentials
import OrderedJSON

/// Writes records as JSON, one per line: for the JSON store, exports and undo.
package final class JSONRecordOutput: RecordOutput {
  // Accesses to these variables never overlap, so the check for that at each access is turned off: it took a sixth of
  // the time.
  @exclusivity(unchecked) var output: GrowingOutput
  @exclusivity(unchecked) package var clock: ShownClock?
  package var isShowing: Bool { clock != nil }
  package var bytes: [UInt8] { output.bytes }
  package var count: Int { output.count }
  @exclusivity(unchecked) var isFirstField = true

  /// An output with room for `capacity` bytes.
  package init(capacity: Int = 512) { output = GrowingOutput(capacity: capacity) }

  /// A single record as JSON.
  ///
  /// - Throws: ``UnwritableValue`` for an instant that has no text.
  package static func bytes<Root: Record>(of record: Root) throws -> [UInt8] {
    let output = JSONRecordOutput()
    try Root.form.write(record, to: output)
    return output.bytes
  }

  package func take() -> [UInt8] {
    defer { output.removeAll() }
    return output.bytes
  }

  package func open(_ field: FieldKey?) {
    if let field { key(field) }
    append("{")
    isFirstField = true
  }

  package func close(_ unknown: UnknownFields?) {
    if let unknown {
      if !isFirstField { append(",") }
      append(unknown.members)
    }
    append("}")
    isFirstField = false
  }

  package func writeNull(_ field: FieldKey) {
    key(field)
    append("null")
  }

  package func write(_ field: FieldKey, _ text: String) {
    key(field)
    write(text)
  }

  package func write(_ field: FieldKey, _ number: Int64) {
    key(field)
    output.append(atMost: 20) { $0.write(number) }
  }

  package func write(_ field: FieldKey, _ isTrue: Bool) {
    key(field)
    append(isTrue ? "true" : "false")
  }

  package func write(_ field: FieldKey, _ instant: Date) throws {
    key(field)
    if let clock { return quote(atMost: OffsetInstant.length) { clock.shown(instant).append(to: &$0) } }
    var text: [UInt8] = []
    do {
      try DateText.append(instant, withFraction: true, to: &text)
    } catch {
      throw UnwritableValue(field: "\(field.name)", reason: "cannot be stored: \(error)")
    }
    append("\"")
    append(text)
    append("\"")
  }

  package func write(_ field: FieldKey, _ time: WallTime) {
    key(field)
    quote(atMost: WallTime.length) { time.append(to: &$0) }
  }

  package func write(_ field: FieldKey, _ identity: UUID) {
    key(field)
    quote(atMost: UUID.length) { identity.append(to: &$0) }
  }

  package func write(_ field: FieldKey, _ texts: [String]) {
    key(field)
    write(count: texts.count) { write(texts[$0]) }
  }

  package func write(_ field: FieldKey, records count: Int, each write: (Int) throws -> Void) rethrows {
    key(field)
    try self.write(count: count, each: write)
  }

  /// Writes an array of `count` values, which the closure writes.
  func write(count: Int, each write: (Int) throws -> Void) rethrows {
    append("[")
    for index in 0..<count {
      if index > 0 { append(",") }
      try write(index)
    }
    append("]")
  }

  /// Writes a value that is JSON already.
  func write(_ field: FieldKey, encoded: [UInt8]) {
    key(field)
    append(encoded)
  }

  package func write(_ field: FieldKey, json count: Int, each json: (Int) -> [UInt8]) {
    key(field)
    write(count: count) { append(json($0)) }
  }

  func key(_ field: FieldKey) {
    let isFirst = isFirstField
    isFirstField = false
    let name = UnsafeBufferPointer(start: field.name.utf8Start, count: field.name.utf8CodeUnitCount)
    output.append(atMost: name.count + 4) { output in
      if !isFirst { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      output.append(name)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
  }

  private func write(_ text: String) {
    output.append(atMost: ByteOutput.room(quoted: text)) { $0.write(quoted: text) }
  }

  private func quote(atMost capacity: Int, _ write: (inout ByteOutput) -> Void) {
    output.append(atMost: capacity + 2) { output in
      output.append(UInt8(ascii: "\""))
      write(&output)
      output.append(UInt8(ascii: "\""))
    }
  }

  func append(_ text: StaticString) {
    output.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { output.append($0) } }
}
