import BelfryEngine
import BelfryModel

/// Use cases on the list with a name, as the commands call them.
extension Belfry {
  @discardableResult
  package func renameList(_ name: String, to newName: String) throws -> ListSummary {
    try renameList(listID(name), to: newName)
  }

  /// Deletes a list and its items.
  @discardableResult
  package func deleteList(_ name: String) throws -> ListSummary { try deleteList(listID(name)) }

  /// Deletes every item of a list.
  @discardableResult
  package func clearList(_ name: String) throws -> ListSummary { try clearList(listID(name)) }

  /// Sets a list's own reminder; `nil` removes it.
  @discardableResult
  package func remindList(_ name: String, _ draft: ListReminderDraft?) throws -> ListReminderChange {
    try remindList(listID(name), draft)
  }

  private func listID(_ name: String) throws -> Int64 { try read { try $0.view.knownList(named: name).id } }
}
