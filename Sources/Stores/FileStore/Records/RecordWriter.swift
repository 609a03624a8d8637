import BelfryCore
import Foundation

/// A writer of a file that consists of records: it knows the format, and nothing of what the fields mean.
///
/// What is written must be the parts of a file in their order: head, sections, end.
package protocol RecordWriter {
  /// What is being written, for messages.
  var subject: RecordName { get set }
  /// Where the next byte goes.
  var position: Int { get }

  /// Writes what stands before the sections: the mark, the counters, the zone.
  mutating func openStore(_ head: StoreHead) throws
  /// Starts a section.
  mutating func openSection(_ section: FieldKey)
  /// Says that another record of the section follows.
  mutating func separate(isFirst: Bool)
  /// Whether nothing but what ``separate(isFirst:)`` writes stands between two places of the file that is replaced.
  func isSeparator(_ gap: Range<Int>) -> Bool
  /// Takes over records from the file that is replaced.
  mutating func copy(_ records: Range<Int>)
  /// Ends a section.
  mutating func closeSection()
  /// Ends the file, after what it holds beside what Belfry knows.
  mutating func closeStore(_ extra: (any RecordExtra)?)

  /// The file as it is so far.
  func image() -> FileImage

  /// Starts a record, under a field's name where it is inside another one.
  mutating func openRecord(_ field: FieldKey?)
  /// Ends a record, after what it holds beside the fields of its kind.
  mutating func closeRecord(_ extra: (any RecordExtra)?)

  /// Writes a text.
  mutating func write(_ field: FieldKey, _ text: String) throws
  /// Writes a whole number.
  mutating func write(_ field: FieldKey, _ number: Int64)
  /// Writes a truth value.
  mutating func write(_ field: FieldKey, _ isTrue: Bool)
  /// Writes an instant.
  mutating func write(_ field: FieldKey, _ instant: Date) throws
  /// Writes a wall-clock time.
  mutating func write(_ field: FieldKey, _ time: WallTime)
  /// Writes an identity.
  mutating func write(_ field: FieldKey, _ identity: UUID)
  /// Writes a sequence of texts.
  mutating func write(_ field: FieldKey, _ texts: [String]) throws
  /// Writes what a message says.
  mutating func write(_ field: FieldKey, _ contents: [ReminderContent]) throws
}

/// What stands before the sections of a file.
package struct StoreHead: Sendable {
  /// The lowest number that no item has ever had; 0 while there has been none.
  package let nextItemID: Int64
  /// The next list's number.
  package let nextListID: Int64
  /// The next delivery's number.
  package let nextDeliveryID: Int64
  /// The zone that floating items are planned in.
  package let zone: String?
  /// The sinks through which nothing gets, two texts each.
  package let sinks: [String]
}

extension RecordName {
  /// The record as messages name it.
  package var words: String {
    switch self {
    case .store: "the store"
    case .list(let id): "list \(id)"
    case .listReminder(let id): "the reminder of list \(id)"
    case .item(let id): "item \(id)"
    case .reminder(let id): "reminder \(id.text)"
    case .message(let id): "message \(id.text)"
    case .delivery(let id): "delivery \(id)"
    }
  }
}
