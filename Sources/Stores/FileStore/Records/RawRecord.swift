/// One value of a record, as it stands in the file.
package struct RawValue: Sendable {
  /// What a value is, as far as its format tells.
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
    /// Anything that consists of other values.
    case compound
  }

  package let kind: Kind
  /// The bytes of the value: those of a text without what encloses it.
  package let range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  static let missing = RawValue(.missing, 0..<0)
}

/// One record, as it stands in the file: a value for each field of its kind.
package struct RawRecord {
  /// What the record is.
  package let kind: RecordKind
  /// The values, in the order of the kind's fields.
  package private(set) var values: [RawValue]
  /// The bytes of the record.
  package private(set) var range = 0..<0
  /// Whether a new file may hold these bytes as they are: on one line.
  package private(set) var canBeCopied = true
  /// What the record holds beside the fields of its kind.
  package private(set) var extra: (any RecordExtra)?

  /// An empty record, to be filled again and again.
  init(_ kind: RecordKind) {
    self.kind = kind
    values = [RawValue](repeating: .missing, count: kind.names.count)
  }

  /// Forgets everything.
  package mutating func clear() {
    for index in values.indices { values[index] = .missing }
    extra = nil
  }

  /// Takes in the value of a field; false where the field was there already.
  @inline(__always)
  package mutating func set(_ field: Int, _ value: RawValue) -> Bool {
    guard values[field].kind == .missing else { return false }
    values[field] = value
    return true
  }

  /// Takes in where the record stood and what else it held.
  package mutating func close(_ range: Range<Int>, canBeCopied: Bool, extra: (any RecordExtra)?) {
    self.range = range
    self.canBeCopied = canBeCopied
    self.extra = extra
  }

  /// The bytes to copy; none where the record has to be written anew.
  var source: Range<Int> { canBeCopied ? range : 0..<0 }
}

/// What a record holds beside the fields of its kind, as its format keeps it.
package protocol RecordExtra: Sendable {}
