/// A value of a record in a file, not yet decoded.
package struct RawValue: Sendable {
  /// The type of a value, as far as the format shows it.
  package enum Kind: UInt8, Sendable {
    /// The record has no such field.
    case missing
    /// The field has no value.
    case null
    /// A text without escapes.
    case text
    case escapedText
    case number
    case yes
    case no
    case array
    /// Named values, or a value of a type that only property lists have.
    case object
  }

  package let kind: Kind
  /// The bytes of the value; for a text, without its delimiters.
  package let range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  static let missing = RawValue(.missing, 0..<0)

  /// True if there is a value.
  var isPresent: Bool { kind != .missing && kind != .null }
}

/// A record in a file, not yet decoded: a value for each field of its kind.
package struct RawRecord {
  package let kind: RecordKind
  /// The values, in the order of the kind's fields.
  package private(set) var values: [RawValue]
  /// The bytes of the record.
  package private(set) var range = 0..<0
  /// True if the record is on one line; a new file may copy its bytes then.
  package private(set) var isOneLine = true
  private(set) var unknown: UnknownFields?

  /// An empty record, to be reused for one record after the other.
  package init(_ kind: RecordKind) {
    self.kind = kind
    values = [RawValue](repeating: .missing, count: kind.names.count)
  }

  package mutating func clear() {
    for index in values.indices { values[index] = .missing }
    unknown = nil
  }

  /// Sets the value of a field; returns `false` if the field has one already.
  @inline(__always)
  package mutating func set(_ field: Int, _ value: RawValue) -> Bool {
    guard values[field].kind == .missing else { return false }
    values[field] = value
    return true
  }

  /// Sets the place and the unknown fields of the record.
  package mutating func close(_ range: Range<Int>, isOneLine: Bool, unknown: UnknownFields?) {
    self.range = range
    self.isOneLine = isOneLine
    self.unknown = unknown
  }
}
