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
