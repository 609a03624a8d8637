import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Glibc
import SQLiteStore
import Synchronization
import SystemFiles

/// A store in a folder of iCalendar files: each folder in it is a list, each file an item.
///
/// The folder is authoritative for lists and items. A SQLite store, the state, mirrors them, with the data that files
/// cannot hold: numbers, reminders, deliveries, answers. Each use first brings into the mirror the changes of other
/// programs (``FolderScan``). A change is committed to the state with the files that it will write (``OwnChanges``),
/// and then made (``FileChange``); a change that a crash interrupted is made at the next use.
///
/// Limits:
/// - changed occurrences (RECURRENCE-ID) of a to-do ring at their own times, with its text and its alarms. An RDATE
///   without an RRULE is kept and reported as not followed.
/// - an acknowledgement of another program (RFC 9074) ends the remaining rings of the alarm; messages about it that
///   wait for their sink still go out.
/// - SEQUENCE is not raised.
/// - several files change one after the other, and another program may read in between.
package final class VdirStore: TiedStore {
  let path: String
  private let state: String?
  private let states: String
  let remind: Remind
  let readsEvents: Bool
  let writesAcknowledged: Bool
  let zones: ZoneDatabase
  let time: any TimeSource
  let lockTimeout: Double
  let observer: StepObserver?
  private let opened = Mutex<[String: SQLiteStore]>([:])
  /// True in the daemon, which rings on for a day without the folder.
  let isDaemon = Atomic(false)
  /// The last look at all files; `nil` after one that found a difference.
  private let lastLook = Mutex<FolderLook?>(nil)

  /// A store in the folder at a path. Opens nothing yet.
  ///
  /// - Parameters:
  ///   - state: the folder of its state; `nil` for one in `states`.
  ///   - readsEvents: whether events with alarms ring.
  ///   - writesAcknowledged: whether answers to events are written into their files; Belfry changes nothing else of them.
  ///   - lockTimeout: the longest wait for other writers, in seconds.
  ///   - observer: called after each step of a change of files.
  package init(
    path: String, state: String? = nil, states: String, remind: Remind = .due, readsEvents: Bool = false,
    writesAcknowledged: Bool = false, zones: ZoneDatabase, time: any TimeSource = SystemTimeSource(),
    lockTimeout: Double = SQLiteStore.lockTimeout,
    observer: StepObserver? = nil
  ) {
    (self.path, self.state, self.states, self.remind) = (path, state, states, remind)
    (self.readsEvents, self.writesAcknowledged) = (readsEvents, writesAcknowledged)
    (self.zones, self.time, self.lockTimeout, self.observer) = (zones, time, lockTimeout, observer)
  }

  package var location: String { path }

  /// The identity of the state; see ``ItemStore``.
  package var identity: String? { (try? place()).flatMap { $0.isNew ? nil : mirror(at: $0).identity } }

  /// The database of the state; see ``ItemStore``.
  package var watchedFile: String? { (try? place()).flatMap { mirror(at: $0).watchedFile } }

  /// The folder and its lists; see ``ItemStore``.
  package var watchedFolders: [String] {
    let names = FolderListing.entries(of: path).filter { $0.first != "." }
    return [path] + names.map { "\(path)/\($0)" }.filter { FolderListing.folderFault($0) == 0 }
  }

  /// The database of the state, which is made if necessary. Nothing is kept next to the folder, since it may be synced;
  /// see ``ItemStore``.
  package func companionPath() throws -> String {
    let place = try place()
    if place.absence != nil { try beginAbsence(place) }
    guard place.isNew else { return place.database }
    try change { _ in }
    return try self.place().database
  }

  /// True if the state or the folder has changed; see ``ItemStore``.
  package func wasChangedElsewhere() throws -> Bool {
    lastLook.withLock { $0 = nil }
    let place = try place()
    if try mirror(at: place).wasChangedElsewhere() { return true }
    return try place.absence == nil && needsScan(place)
  }

  /// The number of the state's changes; a change in the folder counts once it is read; see ``ItemStore``.
  package func changeCount() throws -> Int64? {
    let place = try place()
    return try place.isNew ? 0 : mirror(at: place).changeCount()
  }

  /// Reads one consistent state; see ``ItemStore``. The first use of a folder makes its state. While the state cannot
  /// be written, as on a full disk, the state from before is read.
  package func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    let (place, fault) = try readablePlace()
    let delay = fault.map { "\($0.message); what changed in \(path) since is not shown" } ?? strayFile(in: place)
    return try mirror(at: place).read(behindFilesBecause: delay, body)
  }

  /// Reads the state without a look at the files; see ``ItemStore``.
  package func readAsKnown<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    let place = try place()
    return try place.isNew ? read(body) : mirror(at: place).read(body)
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result { try change(body) }

  /// Makes the caller the store's only daemon; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock {
    if try place().isNew { try change { _ in } }
    let lock = try mirror(at: place()).lockForDaemon()
    isDaemon.store(true, ordering: .relaxed)
    return lock
  }

  /// Notes which files are certainly unchanged, and tidies the state; see ``ItemStore``.
  package func tidy() throws {
    guard try place().absence == nil else { return }
    try change(confirming: true) { _ in }
    try mirror(at: place()).tidy()
  }

  /// The properties of the state; see ``ItemStore``.
  package func info() throws -> StoreInfo {
    let place = try place()
    return try place.isNew ? StoreInfo() : mirror(at: place).info()
  }

  /// The damage of the state, the files that cannot be used, and the missing ones; see ``ItemStore``.
  package func damage() throws -> [String] {
    let place = try currentPlace()
    if place.isNew { return strayFiles(in: place) }
    let store = mirror(at: place)
    // A change that was lost to another program's is no damage.
    let faults = try store.read { view, database in
      let lost = try Mirror(database: database).lost(now: Int64(time.now.timeIntervalSince1970))
      return try view.editFaults().filter { !lost.contains($0) }
    }
    return try faults + store.damage()
  }

  /// Ties the folder to its state again, or to a new one; see ``TiedStore``.
  package func adopt() throws -> String? {
    let known: VdirPlace
    do {
      known = try place()
    } catch {
      guard try VdirPlace.untie(root: path, state: state, failures) else { throw error }
      try change { _ in }
      return "\(path) starts over: its items have new numbers, and past reminders do not ring"
    }
    guard let absence = known.absence else { return nil }
    guard access(known.root, F_OK) == 0 else { throw failures.gone(absence) }
    try known.tie(failures)
    try change { _ in }
    return "\(path) has its marker again, and goes on with its state: numbers and reminders are as they were"
  }

  /// Deletes vanished items that would still ring; see ``TiedStore``.
  package func acceptDeletions() throws -> Int {
    var deleted = 0
    try change(accepting: { deleted = $0 }) { _ in }
    return deleted
  }

  // MARK: Places

  var failures: VdirFailures { VdirFailures(path: path) }

  func place() throws -> VdirPlace { try VdirPlace(root: path, state: state, states: states, failures) }

  // The place, after its mirror was brought up to date.
  private func currentPlace() throws -> VdirPlace {
    let (place, fault) = try readablePlace()
    if let fault { throw fault }
    return place
  }

  // The place, and the error that keeps its mirror from following the folder, if any. Reading makes no state for a
  // folder without lists.
  private func readablePlace() throws -> (VdirPlace, BelfryError?) {
    let place = try place()
    if place.isNew {
      guard (try? FolderListing(root: place.root, failures).lists.isEmpty) == false else { return (place, nil) }
      try change { _ in }
      return (try self.place(), nil)
    }
    if place.absence != nil {
      try beginAbsence(place)
    } else if try needsScan(place) {
      do {
        try change { _ in }
      } catch let fault as BelfryError where fault.kind == .storeFailed || fault.kind == .noPermission {
        return (place, fault)
      }
    }
    return (place, nil)
  }

  // The faults of a folder without lists and state, such as calendars in the folder of one list that is taken for theirs.
  private func strayFiles(in place: VdirPlace) -> [String] {
    (try? FolderListing(root: place.root, failures))?.faults ?? []
  }

  private func strayFile(in place: VdirPlace) -> String? {
    guard place.isNew, case let files = strayFiles(in: place), let first = files.first else { return nil }
    return files.count == 1 ? first : "\(first); and \(files.count - 1) more"
  }

  // Only the mirror of a tied folder is cached, since an unused folder has another state each time.
  func mirror(at place: VdirPlace) -> SQLiteStore {
    opened.withLock { stores in
      if let store = stores[place.database] { return store }
      let store = SQLiteStore(path: place.database, lockTimeout: lockTimeout)
      if !place.isNew { stores = [place.database: store] }
      return store
    }
  }

  /// The present state of the folders for the daemon, `nil` where it cannot be relied on; and true if the daemon has
  /// looked at all files in this minute and found no difference. A tick uses the store many times, and one look is
  /// enough.
  func look(at place: VdirPlace) -> (now: FolderLook?, isEnough: Bool) {
    guard isDaemon.load(ordering: .relaxed), let now = FolderLook(root: place.root, at: time.now) else {
      return (nil, false)
    }
    return (now, lastLook.withLock { $0 == now })
  }

  private func needsScan(_ place: VdirPlace) throws -> Bool {
    let now = Int64(time.now.timeIntervalSince1970)
    let (look, isEnough) = look(at: place)
    return try mirror(at: place).read { view, database in
      let mirror = Mirror(database: database)
      guard try mirror.exists(), try !mirror.hasIntents(), try mirror.note(Self.goneSince) == nil,
        try mirror.isRead(withEvents: readsEvents)
      else { return true }
      if readsEvents, try !EventEnds(planner: text(view).planner, now: time.now).over(in: view).isEmpty { return true }
      if isEnough { return false }
      let listing = try FolderListing.changeable(root: place.root, mirror, failures)
      let differences = try FolderDifferences(listing, mirror, root: place.root, now: now)
      let isDifferent =
        !differences.isEmpty || !differences.confirmable(at: Int64(time.now.timeIntervalSince1970 * 1e9)).isEmpty
      lastLook.withLock { $0 = isDifferent ? nil : look }
      return isDifferent
    }
  }
}
