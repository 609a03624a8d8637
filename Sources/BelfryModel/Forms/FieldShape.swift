/// The shape of a field's value in JSON, for schemas.
package indirect enum FieldShape: Hashable, Sendable {
  case text
  case texts
  case number(ClosedRange<Int64>)
  case flag
  case identity
  case instant
  case wallTime
  case zone
  case duration
  case durations
  case rule
  /// One of several words.
  case word([String])
  /// A nested record, or a list of them.
  case record
  /// The value, or `null`.
  case nullable(FieldShape)
  case array(of: FieldShape)
  /// An object, which may have further members if it is open.
  case object([Member], isOpen: Bool = false)
  /// A value whose schema has this name.
  case named(String)

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package let name: String
    package let shape: FieldShape
    /// The meaning of the member; `nil` if the name says it.
    package let words: String?
    /// True if it may be missing.
    package let isOptional: Bool

    /// A member with all its properties.
    package init(_ name: String, _ shape: FieldShape, _ words: String? = nil, isOptional: Bool = false) {
      (self.name, self.shape, self.words, self.isOptional) = (name, shape, words, isOptional)
    }
  }
}

extension RecordForm {
  /// The shape of a record in `--json`.
  package var shownShape: FieldShape { .object(shownFields.map { FieldShape.Member("\($0.name)", $0.shape()) }) }
}
