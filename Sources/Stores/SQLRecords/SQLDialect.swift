/// A value that a store keeps beside its records. The raw value names its row or column.
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
  case editFaults = "edit_faults"
  case editNotes = "edit_notes"
}

/// The statements in which databases differ.
package protocol SQLDialect: Sendable {
  /// False, as the conditions of the indexes have it: SQLite compares them letter by letter.
  var no: String { get }
  /// The statement that begins the deliveries among these that are pending and due, and returns their ids and the terms
  /// under which it did; `nil` where a begin is no change. Binds the ids with commas between them, and the time in whole
  /// seconds and with fractions.
  var beginning: String? { get }
  /// The query of the deliveries among these that are pending and due; `nil` where each is as soon looked up by itself.
  /// Binds the ids with commas between them, and the time with fractions.
  var attemptable: String? { get }
  /// The query of the pending and discarded deliveries that were begun after their last recorded attempt.
  var begun: String? { get }
  /// The query of the deliveries whose begins still hold, which keeps others from changing them; `nil` where all do.
  /// Binds the ids and the terms, with commas between them.
  var holding: String? { get }
  /// The query that has a row while this daemon leads, and keeps others from leading until the commit; `nil` where nobody
  /// else can.
  var leading: String? { get }
  /// The end of a query of deliveries that may be changed next, which keeps others from changing them; empty where nobody
  /// else can.
  var locking: String { get }
  /// The query of a note; `nil` where there is no place for it.
  func reading(_ note: SQLNote) -> String?
  /// The statement that sets notes to as many values.
  func writing(_ notes: [SQLNote]) -> String
  /// The statement that removes notes.
  func removing(_ notes: [SQLNote]) -> String
}

extension SQLDialect {
  /// `nil`: one daemon alone has the store.
  package var holding: String? { nil }

  /// `nil`: one daemon alone has the store.
  package var leading: String? { nil }

  /// Empty: a transaction excludes other changes.
  package var locking: String { "" }
}
