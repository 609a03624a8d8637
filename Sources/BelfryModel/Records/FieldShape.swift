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
  /// A record inside, or several.
  case record
  /// The value, or `null`.
  case nullable(FieldShape)
}

extension RecordForm {
  /// The fields shown in `--json`, each with its shape, in order.
  package var shownShapes: [(name: String, shape: FieldShape)] { shownFields.map { ("\($0.name)", $0.shape()) } }
}
