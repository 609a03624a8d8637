import BelfryEngine
import BelfryModel
import Glibc
import SQLiteStore
import SystemFiles

/// Changes of the state and of the files.
extension VdirStore {
  /// A change that was committed.
  private struct Made<Result> {
    let result: Result
    /// The changes of earlier calls that were lost to another program's, one sentence each.
    let lost: [String]
    /// True if another program has changed a file in the same moment.
    let isOvertaken: Bool
  }

  /// Makes a change of the state, and then of the files.
  ///
  /// - Parameter accepting: called with the number of files if everything that vanished counts as deleted; `nil` if it
  ///   does not.
  /// - Throws: ``BelfryError``; `.tryAgain` in a command whose change was lost, since another program changed the same
  ///   file in the same moment.
  func change<Result>(
    confirming: Bool = false, accepting: ((Int) -> Void)? = nil, _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    let place = try place()
    guard place.absence == nil else { return try changeAbsent(place, body) }
    if place.isNew {
      if let code = PrivateFolder.make(at: place.root) { throw failures.cannotMake(place.root, code) }
      // Without a marker, the state would not be found again.
      guard access(place.root, W_OK) == 0 else { throw failures.cannotWrite(place.root, errno) }
    }
    let lock = try VdirLock(place, waiting: lockTimeout, failures)
    defer { lock.release() }
    let made = try make(confirming: confirming, accepting: accepting, body)
    guard made.isOvertaken else { return made.result }
    // This reads what the other program wrote, and shows what is lost. If it fails, the next use does it.
    let lost = (try? make { _ in })?.lost ?? []
    // The daemon logs it, and must know what it has committed.
    if !lost.isEmpty, !isDaemon.load(ordering: .relaxed) { throw failures.overtaken(lost) }
    return made.result
  }

  // Makes a change under the lock.
  private func make<Result>(
    confirming: Bool = false, accepting: ((Int) -> Void)? = nil, _ body: (any StoreTransaction) throws -> Result
  ) throws -> Made<Result> {
    // Another process may have started to use the folder meanwhile.
    let place = try place()
    let store = mirror(at: place)
    let result: Result
    var lost: [String] = []
    var intents: [Mirror.Intent] = []
    var madeFolders: [String] = []
    do {
      result = try store.write { transaction, database in
        let mirror = Mirror(database: database)
        let (scan, waiting) = try begin(
          transaction, mirror, place, confirming: confirming, accepting: accepting != nil)
        lost = scan.lost
        accepting?(scan.deleted)
        let result = try body(transaction)
        intents = try OwnChanges.intents(
          of: transaction, mirror, root: place.root, text: text(transaction), besides: waiting, failures)
        // A change that is made again is no longer told as lost, unless this scan has just found the loss.
        try mirror.forgetLost(intents.map(\.path), before: scan.lost.isEmpty ? scan.seconds + 1 : scan.seconds)
        observer?(.decided)
        for intent in intents {
          let change = FileChange(intent: intent, root: place.root, failures: failures, observer: observer)
          if let folder = try change.stage(isSynced: intents.count <= 50) { madeFolders.append(folder) }
        }
        return result
      }
    } catch {
      for intent in intents { FileChange(intent: intent, root: place.root, failures: failures).unstage() }
      for folder in madeFolders { rmdir(folder) }
      throw error
    }
    if place.isNew { try place.tie(failures) } else { try place.note(failures) }
    observer?(.committed)
    // The change counts already, so a failure now is repaired, and reported, at the next use.
    let isOvertaken = intents.isEmpty ? false : (try? store.write { try self.settle(Mirror(database: $1), place) })
    return Made(result: result, lost: lost, isOvertaken: isOvertaken ?? false)
  }

  // Returns the scan, and the items whose files must be written.
  private func begin(
    _ transaction: any StoreTransaction, _ mirror: Mirror, _ place: VdirPlace, confirming: Bool, accepting: Bool
  ) throws -> (scan: FolderScan, unwritten: Set<Int64>) {
    try mirror.make()
    let text = try text(transaction)
    _ = try settle(mirror, place)
    if try !mirror.isRead(withEvents: readsEvents) { try mirror.readAgain(withEvents: readsEvents) }
    // Items changed while the folder was gone, or whose new file conflicted with one of another program.
    let waiting = Set(try mirror.touched(lists: false))
    if try mirror.note(Self.goneSince) != nil {
      try mirror.set(Self.goneSince, nil)
      try mirror.setEditFaults([])
    }
    var scan = FolderScan(transaction, mirror, root: place.root, text: text, failures)
    let isLookedAt = !confirming && !accepting && look(at: place).isEnough
    try scan.run(confirming: confirming, accepting: accepting, isLookedAt: isLookedAt)
    try mirror.clearTouched()
    return (scan, waiting.union(scan.unwritten))
  }

  /// The reader and writer of files, with the zones in which a state was planned.
  func text(_ view: any StoreView) throws -> ItemText {
    let planned = try view.plannedZone().flatMap { zones.zone(recordedAs: $0) }
    let planner = Planner(floatingZone: planned ?? zones.localZone(), zones: zones)
    return ItemText(
      planner: planner, remind: remind, readsEvents: readsEvents, writesAcknowledged: writesAcknowledged,
      isZoneKnown: planned != nil, now: time.now)
  }

  // Makes every change of a file that is still to be made. Returns true if another program has overtaken one.
  private func settle(_ mirror: Mirror, _ place: VdirPlace) throws -> Bool {
    let settlement = Settlement(
      mirror: mirror, root: place.root, readAt: Int64(time.now.timeIntervalSince1970 * 1e9), failures: failures,
      observer: observer)
    return try settlement.run()
  }
}
