import CivilTime
import FoundationEssentials

/// A writer of record values in a format, independent of the meaning of the fields.
package protocol RecordOutput: AnyObject {
  /// The clock for shown instants. With a clock, every field is written; without one, the record is for a file,
  /// which leaves out missing and default values.
  var clock: ShownClock? { get set }
  /// True if there is a clock; every field is written then.
  var isShowing: Bool { get }

  /// Starts a record; `field` is its name inside another record.
  func open(_ field: FieldKey?)
  /// Ends a record, after writing its unknown fields.
  func close(_ unknown: UnknownFields?) throws

  /// Writes that a field has no value.
  func writeNull(_ field: FieldKey)
  func write(_ field: FieldKey, _ text: String) throws
  func write(_ field: FieldKey, _ number: Int64)
  func write(_ field: FieldKey, _ isTrue: Bool)
  func write(_ field: FieldKey, _ instant: Date) throws
  func write(_ field: FieldKey, _ time: WallTime)
  func write(_ field: FieldKey, _ identity: UUID)
  /// Writes a sequence of texts.
  func write(_ field: FieldKey, _ texts: [String]) throws
  /// Writes `count` records; the closure opens and closes each.
  func write(_ field: FieldKey, records count: Int, each write: (Int) throws -> Void) rethrows
  /// Writes `count` records that every format keeps as JSON; the closure gives the JSON of each.
  func write(_ field: FieldKey, json count: Int, each json: (Int) -> [UInt8]) throws
}

/// The clock that gives instants their offset.
package enum ShownClock: Sendable {
  /// The clock of a zone.
  case zone(Zone)
  /// The offsets in a record that was read from JSON.
  case kept([OffsetInstant])

  func shown(_ instant: Date) -> OffsetInstant {
    switch self {
    case .zone(let zone): OffsetInstant(instant, in: zone)
    case .kept(let instants): instants.first { $0.date == instant } ?? OffsetInstant(instant, in: .utc)
    }
  }
}

/// An error about a value that a format cannot hold.
package struct UnwritableValue: Error {
  /// The field's name in the format.
  let field: String
  /// The reason, as part of a sentence.
  let reason: String
  /// The next step for the user.
  let hint: String?

  package init(field: String, reason: String, hint: String? = nil) {
    (self.field, self.reason, self.hint) = (field, reason, hint)
  }

  /// The error with the record's name in messages, such as `item 3`.
  package func error(in record: String) -> BelfryError {
    BelfryError(.badInput, "\(record) has a \"\(field)\" that \(reason)", hint: hint)
  }
}
