import BelfryModel

/// A store in one file, in whose place a copy can be put.
public protocol RestorableStore: ItemStore {
  /// Puts a copy in the place of the store after checking it, and keeps what it replaces beside it.
  ///
  /// - Parameter copy: the path of the copy; `nil` for the last good one beside the store.
  /// - Throws: ``BelfryError`` `.tryAgain` while a daemon has the store, `.notFound` without a copy, `.badInput` for one
  ///   that is not an intact store.
  func restore(from copy: String?) throws -> Restoration
}

/// A copy that was put in the place of a store.
public struct Restoration: Sendable {
  /// The path of the copy.
  public let copy: String
  /// The new path of what it replaced; `nil` where there was nothing.
  public let replaced: String?

  package init(copy: String, replaced: String?) { (self.copy, self.replaced) = (copy, replaced) }

  /// The first free name beside a file for what is replaced.
  package static func name(beside file: String, isTaken: (String) -> Bool) -> String {
    var (name, number) = ("\(file).replaced", 1)
    while isTaken(name) {
      number += 1
      name = "\(file).replaced-\(number)"
    }
    return name
  }

  /// The error of a store without a copy beside it, or of a copy that is not there.
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
