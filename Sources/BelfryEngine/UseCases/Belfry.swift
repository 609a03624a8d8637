import BelfryModel
import CivilTime
import FoundationEssentials
import SystemThreads

/// The use cases of Belfry, each one transaction.
public struct Belfry: Sendable {
  /// The store that holds the items.
  public let store: any ItemStore
  /// The settings of the config.
  public let settings: Settings
  /// The clock, the only source of the time.
  public let time: any TimeSource
  /// The database in which zones are looked up: the system's own files.
  public let zones: ZoneDatabase
  /// A request to stop long work early.
  public var stop = StopRequest.never
  /// The name of the author of the changes, for ``undo()``; `nil` for the commands.
  package var author: String?
  /// The transaction that all changes share; `nil` if each has its own.
  var shared: JoinedTransaction?
  private var requirement: (@Sendable (Reading) throws -> Void)?
  /// True if each change has to prove that this daemon leads.
  private(set) var leads = false

  package init(store: any ItemStore, settings: Settings, time: any TimeSource, zones: ZoneDatabase) {
    self.store = store
    self.settings = settings
    self.time = time
    self.zones = zones
  }

  /// The same use cases, each of whose changes first checks the state that it is about to change.
  ///
  /// - Parameter check: runs in the transaction of the change; its error ends the change.
  package func requiring(_ check: @escaping @Sendable (Reading) throws -> Void) -> Belfry {
    var belfry = self
    belfry.requirement = check
    return belfry
  }

  /// The same use cases for the daemon that leads; see ``StoreTransaction/lead()``.
  func leading() -> Belfry {
    var belfry = self
    belfry.leads = true
    return belfry
  }

  /// The zone that the config names, or the machine's.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` if the system does not know the named zone.
  package func configuredZone() throws -> Zone {
    switch settings.timeZone {
    case .local: return zones.localZone()
    case .named(let identifier):
      do {
        return try zones.zone(identifier)
      } catch {
        throw BelfryError(.badConfig, "time_zone: unknown time zone '\(identifier)'", hint: BelfryError(error).hint)
      }
    }
  }

  /// A planner for the zone in which floating items are planned.
  ///
  /// This is the store's zone, not the caller's: only the daemon changes it, so a command under another `TZ` does not
  /// move reminders that others planned.
  func planner(_ view: any StoreView) throws -> Planner {
    try planner(plannedZone: view.plannedZone())
  }

  func planner(plannedZone: String?) throws -> Planner {
    // Finding the machine's zone needs system calls, which most changes can save.
    let named: Zone? = if case .named = settings.timeZone { try configuredZone() } else { nil }
    if let plannedZone, plannedZone != named?.identifier, let zone = zones.zone(recordedAs: plannedZone) {
      return Planner(floatingZone: zone, zones: zones)
    }
    return Planner(floatingZone: try named ?? configuredZone(), zones: zones)
  }

  /// Reads one consistent state, with the time and planner that go with it.
  ///
  /// - Parameter asKnown: whether the look for changes by other programs may be left out; see
  ///   ``ItemStore/readAsKnown(_:)``.
  public func read<Result>(asKnown: Bool = false, _ body: (Reading) throws -> Result) throws -> Result {
    try view(asKnown: asKnown) { try body(Reading(view: $0, planner: planner($0), now: time.now)) }
  }

  /// Makes one change, all or nothing.
  ///
  /// - Parameter log: records items and lists that are set aside.
  func change<Result>(noting log: SetAsideLog = SetAsideLog(), _ body: (Change) throws -> Result) throws -> Result {
    try write { transaction in
      let plannedZone = try transaction.plannedZone()
      let planner = try planner(plannedZone: plannedZone)
      if plannedZone == nil { try transaction.setPlannedZone(planner.floatingZone.identifier) }
      // Read inside the transaction: after waiting for a lock, an earlier time would be stale.
      let change = Change(
        transaction: transaction, planner: planner, now: time.now, stop: stop, log: log)
      try change.planEdits()
      try requirement?(Reading(view: transaction, planner: planner, now: change.now))
      do {
        let result = try body(change)
        try change.updateCopies(settings)
        return result
      } catch let fault as PlanningFault {
        throw BelfryError(fault)
      }
    }
  }
}

/// One consistent state, the time at which it was read, and the zones in which to show it.
public struct Reading: Viewpoint {
  /// The state of the store.
  public let view: any StoreView
  /// The planner of that state, with its zones.
  public let planner: Planner
  /// The instant at which the state was read.
  public let now: Date

  /// A state at an instant.
  package init(view: any StoreView, planner: Planner, now: Date) {
    self.view = view
    self.planner = planner
    self.now = now
  }
}
