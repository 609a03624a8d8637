import BelfryEngine
import BelfryModel
import FoundationEssentials
import Synchronization

/// A folder that is gone, or has lost its marker. The daemon still rings scheduled reminders for a day; every command
/// is refused until the folder is back.
extension VdirStore {
  /// The note of the time since which it is known to be missing.
  static let goneSince = "vdir_gone_since"

  /// Lets the daemon read the state.
  ///
  /// - Throws: ``BelfryError`` in a command, and after a day.
  func beginAbsence(_ place: VdirPlace) throws {
    if try requirePatience(place) == nil { try changeAbsent(place) { _ in } }
  }

  /// Makes a change of reminders, deliveries and items in the state only. The files follow once the folder is back.
  ///
  /// - Throws: as ``beginAbsence(_:)``, and for a change of lists.
  func changeAbsent<Result>(
    _ place: VdirPlace, _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    try requirePatience(place)
    return try mirror(at: place).write { transaction, database in
      let mirror = Mirror(database: database)
      try mirror.make()
      if try mirror.note(Self.goneSince) == nil {
        let now = Int64(time.now.timeIntervalSince1970)
        try mirror.set(Self.goneSince, now)
        try mirror.set("edited_at", now)
        try mirror.setEditedItems(nil)
        try mirror.setEditFaults(["\(path): \(place.absence ?? ""); reminders that are scheduled ring for one more day"]
        )
      }
      let result = try body(transaction)
      guard try mirror.touched(lists: true).isEmpty else { throw failures.gone(place.absence ?? "") }
      return result
    }
  }

  // Returns the time since which it is known to be missing.
  @discardableResult
  private func requirePatience(_ place: VdirPlace) throws -> Int64? {
    guard isDaemon.load(ordering: .relaxed) else { throw failures.gone(place.absence ?? "") }
    let since = try mirror(at: place).read { _, database in try Mirror(database: database).note(Self.goneSince) }
    guard let since, Int64(time.now.timeIntervalSince1970) - since >= VanishedFiles.guarding else { return since }
    throw failures.gone("\(place.absence ?? ""), for more than a day")
  }
}
