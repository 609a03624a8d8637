/// One value of a record, as it stands in a file.
package struct RawValue: Sendable {
  /// The type of a value, as far as its format tells.
  package enum Kind: UInt8, Sendable {
    /// The record has no such field.
    case missing
    /// The field has no value.
    case null
    /// A text, all of whose bytes stand for themselves.
    case text
    /// A text in which the format writes some characters in another way.
    case escapedText
    /// A number.
    case number
    /// True.
    case yes
    /// False.
    case no
    /// A sequence of values.
    case array
    /// Named values, and what only a property list has.
    case object
  }

  package let kind: Kind
  /// The bytes of the value: those of a text without what encloses it.
  package let range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  static let missing = RawValue(.missing, 0..<0)

  /// Whether there is a value.
  var isPresent: Bool { kind != .missing && kind != .null }
}

/// One record, as it stands in a file: a value for each field of its kind.
package struct RawRecord {
  /// The kind of the record.
  package let kind: RecordKind
  /// The values, in the order of the kind's fields.
  package private(set) var values: [RawValue]
  /// The bytes of the record.
  package private(set) var range = 0..<0
  /// Whether the record takes one line, so that a new file may hold these bytes as they are.
  package private(set) var isOneLine = true
  /// The fields that Belfry does not know.
  package private(set) var unknown: UnknownFields?

  /// An empty record, to be filled again and again.
  package init(_ kind: RecordKind) {
    self.kind = kind
    values = [RawValue](repeating: .missing, count: kind.names.count)
  }

  /// Forgets everything.
  package mutating func clear() {
    for index in values.indices { values[index] = .missing }
    unknown = nil
  }

  /// Takes in the value of a field; false where the field was there already.
  @inline(__always)
  package mutating func set(_ field: Int, _ value: RawValue) -> Bool {
    guard values[field].kind == .missing else { return false }
    values[field] = value
    return true
  }

  /// Takes in where the record stood and what else it held.
  package mutating func close(_ range: Range<Int>, isOneLine: Bool, unknown: UnknownFields?) {
    self.range = range
    self.isOneLine = isOneLine
    self.unknown = unknown
  }
}
