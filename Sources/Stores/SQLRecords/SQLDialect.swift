/// A value that a store keeps in addition to its records. The raw value names its row or column.
package enum SQLNote: String {
  case nextItemID = "next_item_id"
  case nextListID = "next_list_id"
  case nextMessageID = "next_message_id"
  case nextDeliveryID = "next_delivery_id"
  case nextAnswerID = "next_answer_id"
  case nextPersonNumber = "next_person_number"
  case changes
  case zone
  case unknown
  case editedAt = "edited_at"
  case editedItems = "edited_items"
  case editFaults = "edit_faults"
  case editNotes = "edit_notes"
}

/// The statements in which databases differ.
package protocol SQLDialect: Sendable {
  /// False, as written in the conditions of the indexes, since SQLite compares them letter by letter.
  var no: String { get }
  /// The statement that starts the deliveries among these that are pending and due, and returns their ids and terms;
  /// `nil` if a start writes nothing. Binds the ids with commas between them, and the time in whole seconds and with
  /// fractions.
  var beginning: String? { get }
  /// The query of the deliveries among these that are pending and due; `nil` if looking up each by itself is as fast.
  /// Binds the ids with commas between them, and the time with fractions.
  var attemptable: String? { get }
  /// The query of the pending and discarded deliveries that were started after their last recorded attempt.
  var begun: String? { get }
  /// The query of the deliveries whose starts still hold, which locks them; `nil` if all do. Binds the ids and the
  /// terms, with commas between them.
  var holding: String? { get }
  /// The query that has a row while this daemon leads, and keeps other daemons from leading until the commit; `nil` if
  /// no other can.
  var leading: String? { get }
  /// The end of a query of deliveries that may be changed next, which locks them; empty if no one else can change them.
  var locking: String { get }
  /// The query of a note; `nil` if there is no place for it.
  func reading(_ note: SQLNote) -> String?
  /// The statement that sets notes to as many values.
  func writing(_ notes: [SQLNote]) -> String
  /// The statement that removes notes.
  func removing(_ notes: [SQLNote]) -> String
}

extension SQLDialect {
  /// `nil`, since only one daemon has the store.
  package var holding: String? { nil }

  /// `nil`, since only one daemon has the store.
  package var leading: String? { nil }

  /// Empty, since a transaction excludes other changes.
  package var locking: String { "" }
}
