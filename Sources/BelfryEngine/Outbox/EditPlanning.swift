import BelfryModel
import FoundationEssentials
import SystemThreads

/// Plans the edits that other programs make in the store's files, and logs them with the faults of these files.
///
/// Planning may visit all items, so the edits of a burst, such as a sync, are planned together: the first at once, the
/// others after a pause.
struct EditPlanning {
  /// The shortest pause after planning, in seconds.
  private static let shortestPause: Double = 1
  /// The length of the pause, as a multiple of the time that planning took.
  private static let pauseRatio: Double = 9
  private static let faultLimit = 100

  private let log: EventLog
  private var lastLook = Date.distantPast
  /// The uptime at which the pause ends.
  private var pauseEnd = -Double.infinity
  private var toldFaults: Set<String> = []

  init(log: @escaping EventLog) { self.log = log }

  /// Notes that there was nothing to plan until an instant.
  mutating func noteLook(at now: Date) { lastLook = now }

  /// Plans all edits in a tick.
  mutating func plan(_ belfry: Belfry, noting setAside: SetAsideLog) throws {
    _ = try planEdits(belfry, noting: setAside)
    try tellFaults(belfry)
  }

  /// Plans edits between two ticks, unless the next tick comes first.
  ///
  /// - Returns: the instant at which a tick must plan the rest; `nil` if nothing is left.
  mutating func planAtOnce(_ belfry: Belfry, noting setAside: SetAsideLog) throws -> Date? {
    let now = belfry.time.now
    let pause = pauseEnd - belfry.time.uptime
    guard pause <= 0 else { return now + pause }
    // The reminders of the next minute must not wait.
    let (stop, time, minute) = (belfry.stop, belfry.time, now.nextMinute)
    var belfry = belfry
    belfry.stop = StopRequest { stop.wasMade || time.now >= minute }
    do {
      if try planEdits(belfry, noting: setAside) { try tellFaults(belfry) }
      return nil
    } catch is Stopped {
      return belfry.time.now
    }
  }

  // Returns true if there were edits.
  private mutating func planEdits(_ belfry: Belfry, noting setAside: SetAsideLog) throws -> Bool {
    let (now, start) = (belfry.time.now, belfry.time.uptime)
    let edits = try belfry.planEdits(since: lastLook, noting: setAside)
    lastLook = now
    guard let edits else { return false }
    let end = belfry.time.uptime
    pauseEnd = end + max(Self.shortestPause, (end - start) * Self.pauseRatio)
    tell(edits, belfry)
    return true
  }

  /// Follows zones, and plans edits that have come in between.
  func followZones(_ belfry: Belfry, _ check: ZoneDataCheck, noting setAside: SetAsideLog) throws -> ZoneChange? {
    try belfry.followZones(check, since: lastLook, noting: setAside) { tell($0, belfry) }
  }

  private func tell(_ edits: PlannedEdits, _ belfry: Belfry) {
    log(Event(.info, "\(belfry.store.location) was edited by another program: \(Self.rescheduled(edits.count))"))
    for warning in edits.warnings { log(Event(.warning, warning)) }
  }

  /// The words for a number of items and lists whose reminders have changed.
  static func rescheduled(_ owners: Int) -> String {
    (owners == 1 ? "1 item or list" : "\(owners) items and lists") + " rescheduled"
  }

  // Logs each fault once: even if a command has noticed it first, and at the start, those that exist already.
  private mutating func tellFaults(_ belfry: Belfry) throws {
    let faults = try belfry.store.read { try $0.editFaults() + $0.editNotes() }
    for fault in faults.prefix(Self.faultLimit) where !toldFaults.contains(fault) { log(Event(.warning, fault)) }
    toldFaults = Set(faults)
  }
}
