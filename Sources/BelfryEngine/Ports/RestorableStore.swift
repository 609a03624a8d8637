import BelfryModel

/// A store in one file, which a copy can replace.
package protocol RestorableStore: ItemStore {
  /// Replaces the store by a copy after checking it, and keeps the replaced store next to it.
  ///
  /// - Parameters:
  ///   - copy: the path of the copy; `nil` for the last good one next to the store.
  ///   - continuing: changes the copy before it is used, so that it continues where the replaced store stopped.
  /// - Throws: ``BelfryError`` `.tryAgain` while a daemon has the store, `.notFound` without a copy, `.badInput` for
  ///   one that is not an intact store.
  func restore(
    from copy: String?, continuing: (any StoreTransaction, StoreRemains) throws -> Void
  ) throws -> Restoration
}

/// A copy that has replaced a store.
package struct Restoration: Sendable {
  /// The path of the copy.
  package let copy: String
  /// The new path of the replaced store; `nil` if there was none.
  package let replaced: String?
  /// False if numbers that were given after the copy may be given again.
  package let hasNumbers: Bool
  /// False if reminders that fired after the copy may fire again.
  package let hasReminders: Bool
  /// The number of reminders that fired after the copy and do not fire again.
  package internal(set) var rung = 0

  package init(copy: String, replaced: String?, _ remains: StoreRemains) {
    (self.copy, self.replaced) = (copy, replaced)
    (hasNumbers, hasReminders) = (remains.hasNumbers, remains.hasReminders)
  }

  /// The advice about a store that cannot be used: the command, with the last good copy.
  package static func advice(_ copy: String?) -> String {
    copy.map { "'belfry store restore' goes back to the last good copy, \($0)" }
      ?? "there is no good copy beside it: 'belfry store restore FILE' restores another one"
  }

  /// The first free name next to a file for the replaced store.
  package static func name(beside file: String, isTaken: (String) -> Bool) -> String {
    var (name, number) = ("\(file).replaced", 1)
    while isTaken(name) {
      number += 1
      name = "\(file).replaced-\(number)"
    }
    return name
  }

  /// The error of a store without a copy next to it, or of a missing copy.
  package static func noCopy(_ copy: String?, of store: String) -> BelfryError {
    copy.map { BelfryError(.notFound, "there is no file \($0)", hint: "name a copy of the store") }
      ?? BelfryError(
        .notFound, "there is no good copy beside \(store)",
        hint: "name one: belfry store restore FILE; nothing was changed")
  }

  /// The error of a file that is not an intact store of the same type.
  package static func unfit(_ copy: String, _ reason: String) -> BelfryError {
    BelfryError(.badInput, "\(copy) cannot be restored: \(reason)", hint: "name another copy; nothing was changed")
  }
}

/// A store in a folder that other programs share, tied to a state elsewhere that holds what their files cannot.
public protocol TiedStore: ItemStore {
  /// Ties the folder to its state again if it has lost its marker, or to a new state if its own is gone or belongs to
  /// another folder. A new state gives new numbers, and plans nothing that is past.
  ///
  /// - Returns: one sentence that says what was done; `nil` if both belong together.
  /// - Throws: ``BelfryError`` if there is no folder.
  func adopt() throws -> String?

  /// Deletes at once the items whose files vanished and that would otherwise ring for a while.
  ///
  /// - Returns: the number of files.
  func acceptDeletions() throws -> Int
}
