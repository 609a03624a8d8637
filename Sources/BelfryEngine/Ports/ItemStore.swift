import FoundationEssentials

/// A place where lists, items, reminders and deliveries live.
///
/// A store promises: a ``write(_:)`` is atomic, serialised with those of other processes, and on disk when the call
/// returns; ids are never used again; a failed call changes nothing. Calls block, so a caller makes them on a thread
/// of its own, never on Swift's cooperative pool. A store may be used from several threads.
///
/// Every call throws ``BelfryError``: `.tryAgain` when locked for too long, `.storeFailed` when damaged, unreadable, of
/// a newer version, or when the disk is full or fails, `.noPermission`, `.cannotCreate`.
public protocol ItemStore: Sendable {
  /// Where the data is, for messages to people.
  var location: String { get }

  /// What tells the store that stands at its place now from another that was put there whole, a copy brought back for
  /// one; `nil` where nothing does, or where changes from elsewhere are told by ``StoreView/isEditedElsewhere()``.
  ///
  /// The daemon asks at each tick and begins anew with another store: what was under way for the one before is not
  /// recorded in it.
  var identity: String? { get }

  /// Reads one consistent state. Makes nothing: a store that does not exist yet reads as empty.
  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result

  /// Makes one change, all or nothing: whatever `body` throws undoes it.
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// Makes the caller the only daemon of this store until the lock is released or the process ends, however it ends.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` naming the process that holds it.
  func lockForDaemon() throws -> any DaemonLock

  /// Puts in order what short commands left for later, such as a write-ahead log. Called by the daemon when idle.
  func tidy() throws

  /// What there is to say of the store without looking into it; makes nothing.
  func info() throws -> StoreInfo

  /// Looks for damage below what records say, a broken index for one, and returns what it finds, one sentence each.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` where the store cannot even be read.
  func damage() throws -> [String]
}

extension ItemStore {
  /// Nothing: a store is the same as long as it is there.
  public var identity: String? { nil }
}

/// The right to be a store's only daemon.
public protocol DaemonLock: Sendable {
  /// Gives the right back.
  func release()
}

/// Which items to read.
public struct ItemQuery: Hashable, Sendable {
  /// Checked items, unchecked items, or both.
  public enum Checked: Hashable, Sendable {
    /// Only what is still to do.
    case unchecked
    /// Only what is done.
    case checked
    /// Everything.
    case any
  }

  /// What comes first.
  public enum Order: Hashable, Sendable {
    /// By due date (none last), then list, then place on the list.
    case due
    /// List by list, in the order in which they were made, then by place on the list.
    case place
  }

  /// Only items of this list.
  public var listID: Int64?
  /// Which of them by their mark.
  public var checked: Checked
  /// Only items due before this instant.
  public var dueBefore: Date?
  /// Only items that repeat.
  public var isRepeating: Bool
  /// In which order.
  public var order: Order
  /// At most this many.
  public var limit: Int?

  /// A query; without arguments, for every item that is unchecked, by due date.
  public init(
    listID: Int64? = nil, checked: Checked = .unchecked, dueBefore: Date? = nil, isRepeating: Bool = false,
    order: Order = .due, limit: Int? = nil
  ) {
    self.listID = listID
    self.checked = checked
    self.dueBefore = dueBefore
    self.isRepeating = isRepeating
    self.order = order
    self.limit = limit
  }
}
