import CivilTime
import FoundationEssentials

/// Writes the values of records: it knows a format, and nothing of what the fields mean.
package protocol RecordOutput: AnyObject {
  /// The clock on which people see the instants of a record: with one, every field that people see is written. Without
  /// one the record is for a file, which leaves out what has no value or its usual one.
  var clock: ShownClock? { get set }

  /// Starts a record, under a field's name where it is inside another one.
  func open(_ field: FieldKey?)
  /// Ends a record, after what it holds beside the fields of its kind.
  func close(_ unknown: UnknownFields?) throws

  /// Writes that a field has no value.
  func writeNull(_ field: FieldKey)
  /// Writes a text.
  func write(_ field: FieldKey, _ text: String) throws
  /// Writes a whole number.
  func write(_ field: FieldKey, _ number: Int64)
  /// Writes a truth value.
  func write(_ field: FieldKey, _ isTrue: Bool)
  /// Writes an instant.
  func write(_ field: FieldKey, _ instant: Date) throws
  /// Writes a wall-clock time.
  func write(_ field: FieldKey, _ time: WallTime)
  /// Writes an identity.
  func write(_ field: FieldKey, _ identity: UUID)
  /// Writes a sequence of texts.
  func write(_ field: FieldKey, _ texts: [String]) throws
  /// Writes so many records, each of which the closure opens and closes.
  func write(_ field: FieldKey, records count: Int, each write: (Int) throws -> Void) rethrows
  /// Writes what a message says.
  func write(_ field: FieldKey, _ contents: [ReminderContent]) throws
}

/// Writes a whole store's file: head, sections and end, in this order.
package protocol StoreOutput: RecordOutput {
  /// The file so far.
  var bytes: [UInt8] { get }
  /// How many bytes there are so far.
  var count: Int { get }

  /// Writes what stands before the sections.
  func openStore(_ head: StoreHead) throws
  /// Starts a section.
  func openSection(_ section: FieldKey)
  /// Says that another record of the section follows.
  func separate(isFirst: Bool)
  /// Takes over a record as it stood in another file.
  func copy(_ record: UnsafeRawBufferPointer)
  /// Ends a section.
  func closeSection(isEmpty: Bool)
  /// Ends the file, after what it holds beside what Belfry knows.
  func closeStore(_ unknown: UnknownFields?) throws
}

/// A value that a format cannot hold.
package struct UnwritableValue: Error {
  /// The field as the format names it.
  package let field: String
  /// Why not, as part of a sentence.
  package let reason: String
  /// The next step for the user.
  package let hint: String?

  package init(field: String, reason: String, hint: String? = nil) {
    (self.field, self.reason, self.hint) = (field, reason, hint)
  }

  /// The same of a record, named as messages name it: `item 3`.
  package func error(in record: String) -> BelfryError {
    BelfryError(.badInput, "\(record) has a \"\(field)\" that \(reason)", hint: hint)
  }
}
