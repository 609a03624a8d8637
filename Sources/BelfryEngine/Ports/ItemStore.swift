import BelfryModel
import FoundationEssentials

/// A store of lists, items, reminders and deliveries.
///
/// A store promises: a ``write(_:)`` is atomic, serialised with those of other processes, and on disk when the call
/// returns; ids are never reused; a failed call changes nothing. Calls block, so a caller makes them on a thread of its
/// own, never on Swift's cooperative pool. A store may be used from several threads.
///
/// Every call throws ``BelfryError``: `.tryAgain` if locked for too long, `.storeFailed` if damaged, unreadable, of a
/// newer version, or if the disk is full or fails, `.noPermission`, `.cannotCreate`.
public protocol ItemStore: Sendable {
  /// The place of the data, for messages.
  var location: String { get }

  /// A value that changes when another store replaces this one as a whole, such as a restored copy. `nil` if
  /// the store has no such value, or reports changes by others through ``StoreView/isEditedElsewhere()``.
  ///
  /// The daemon compares it at each tick and starts over with a new store. Attempts in flight for the earlier store are
  /// not recorded in the new one.
  var identity: String? { get }

  /// The file that shows changes of the store, as do the files next to it whose names begin with its name; `nil` if no
  /// file does.
  ///
  /// The daemon watches it, to notice changes by other processes.
  var watchedFile: String? { get }

  /// The folders in which other programs change lists and items, file by file; they may appear and vanish.
  ///
  /// The daemon watches all their files in addition to ``watchedFile``.
  var watchedFolders: [String] { get }

  /// A source of change notifications for a store whose changes no file shows; `nil` for any other. Each call makes
  /// one, which must be released by the thread that uses it.
  func changeSource() -> (any ChangeSource)?

  /// The prefix of the paths of files that Belfry keeps next to the store, such as the file of the people who may use
  /// the web face.
  func companionPath() throws -> String

  /// True if another process has changed the store since this process last used it, as far as is known; cheap.
  func wasChangedElsewhere() throws -> Bool

  /// A number that grows with every committed change, by one for a change of this process; cheap. `nil` for a store
  /// that several daemons may share.
  ///
  /// A store with such a number has only one daemon. While the number stays the same, no row has changed, so the daemon
  /// begins the deliveries that it has read before. In a store without it, beginning a delivery is a change
  /// (``StoreTransaction/begin(_:at:)``).
  func changeCount() throws -> Int64?

  /// Reads one consistent state. Creates nothing: a store that does not exist yet reads as empty.
  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result

  /// Reads as ``read(_:)``, but may leave out the look for changes by other programs, which takes its time in a store of
  /// many files. For what goes with a change of the same caller, since a change looks itself.
  func readAsKnown<Result>(_ body: (any StoreView) throws -> Result) throws -> Result

  /// Makes one change, all or nothing: any error that `body` throws undoes it.
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// Makes the caller the only daemon of this store until the lock is released or the process ends, however it ends.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` naming the process that holds it.
  func lockForDaemon() throws -> any DaemonLock

  /// Makes the caller a daemon of this store, which may have several if it can be shared.
  ///
  /// - Parameter changed: called from any thread when the role of the daemon changes, or other daemons have left work
  ///   for it.
  /// - Throws: as ``lockForDaemon()``, if the store has only one daemon.
  func joinDaemons(_ changed: @escaping @Sendable () -> Void) throws -> any DaemonLock

  /// The live daemons that share the store, by the time at which they joined; empty for a store that has only one.
  func daemons() throws -> [DaemonMember]

  /// Makes one change that begins deliveries and records outcomes, and adds no message. A store that several daemons
  /// share makes it concurrently with other changes.
  ///
  /// - Parameters:
  ///   - begins: the terms under which the ended attempts were begun.
  ///   - body: makes the change, with the deliveries that this daemon still has; see ``StoreTransaction/holding(_:)``.
  ///     It may be called again only if it did not run to its end.
  func deliver<Result>(
    _ begins: DeliveryBegins, _ body: (any StoreTransaction, Set<Int64>) throws -> Result
  ) throws -> Result

  /// Does the upkeep that short commands left for later, such as checkpointing a write-ahead log. Called by the idle
  /// daemon.
  func tidy() throws

  /// The properties that are known without reading records. Creates nothing.
  func info() throws -> StoreInfo

  /// Checks the store below the level of records, for a broken index for example. Returns one sentence for each
  /// problem.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` if the store cannot even be read.
  func damage() throws -> [String]
}

extension ItemStore {
  /// `nil`, since no other store can take the store's place.
  public var identity: String? { nil }

  /// `nil`, since no file shows changes.
  public var watchedFile: String? { nil }

  /// Empty, since only Belfry's own file shows changes.
  public var watchedFolders: [String] { [] }

  /// `nil`, since a file shows changes, or no other process makes any.
  public func changeSource() -> (any ChangeSource)? { nil }

  /// The location, since the store is a file and the other files are next to it.
  public func companionPath() throws -> String { location }

  /// `true`, so that the caller must check.
  public func wasChangedElsewhere() throws -> Bool { true }

  /// `nil`, so that beginning a delivery takes a commit.
  public func changeCount() throws -> Int64? { nil }

  /// Reads as always, since looking for changes takes no time.
  public func readAsKnown<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try read(body) }

  /// Locks the store, which has only one daemon.
  public func joinDaemons(_ changed: @escaping @Sendable () -> Void) throws -> any DaemonLock { try lockForDaemon() }

  /// Empty, since the store has only one daemon, which its lock names.
  public func daemons() throws -> [DaemonMember] { [] }

  /// Makes it as any other change.
  public func deliver<Result>(
    _ begins: DeliveryBegins, _ body: (any StoreTransaction, Set<Int64>) throws -> Result
  ) throws -> Result {
    try write { try body($0, $0.holding(begins)) }
  }
}

/// A selection of items, and their order.
public struct ItemQuery: Hashable, Sendable {
  /// A filter by checked state.
  public enum Checked: Hashable, Sendable {
    case unchecked
    case checked
    case any
  }

  /// A filter by kind.
  public enum Kind: Hashable, Sendable {
    /// To-dos, which somebody has to do.
    case todos
    /// Events of calendars, which only ring.
    case events
    /// Both.
    case any
  }

  /// An order of items, by one of their fields.
  public enum Order: Hashable, Sendable {
    /// By due date (undated items last), then list, then position.
    case due
    /// By list, in the order of the lists, then position.
    case place
  }

  /// The list of the items; `nil` for all lists.
  public var listID: Int64?
  /// The kind of the items.
  public var kind: Kind
  /// The checked state of the items.
  public var checked: Checked
  /// The instant from which on the items are due; `nil` for any due date or none.
  public var dueFrom: Date?
  /// The instant before which the items are due; `nil` for any due date or none.
  public var dueBefore: Date?
  /// True if only repeating items match.
  public var isRepeating: Bool
  /// The tags that the items have, all of them.
  public var tags: ItemTags
  /// The level of their priority; `nil` for any or none.
  public var priority: ItemPriority.Level?
  /// The order in which the items are read.
  public var order: Order
  /// The most items to read; `nil` for all.
  public var limit: Int?

  /// A query; without arguments, for all unchecked to-dos by due date.
  public init(
    listID: Int64? = nil, kind: Kind = .todos, checked: Checked = .unchecked, dueFrom: Date? = nil,
    dueBefore: Date? = nil, isRepeating: Bool = false, tags: ItemTags = .empty, priority: ItemPriority.Level? = nil,
    order: Order = .due, limit: Int? = nil
  ) {
    self.listID = listID
    self.kind = kind
    self.checked = checked
    self.dueFrom = dueFrom
    self.dueBefore = dueBefore
    self.isRepeating = isRepeating
    self.tags = tags
    self.priority = priority
    self.order = order
    self.limit = limit
  }
}
