import BelfryEngine
import BelfryModel
import CLinuxEvents
import ConfigKeys
import Dispatch
import Glibc
import SQLRecords
import Synchronization
import SystemThreads

/// This process as one of the daemons of a store. It renews its lease over a separate connection and on a separate
/// thread, so that no change of the store delays it.
///
/// It trusts its lease for less time than the server does, counted from the request for it, by a clock that runs while
/// the machine sleeps.
final class PostgresMembership: DaemonLock {
  private struct State {
    var id: Int64
    var offer = DaemonOffer(sinks: [])
    var part: DaemonPart
    /// The boot time until which the role is trusted.
    var trustedUntil: Double
    var leaving: Set<String> = []
    var callsOthers = false
    var hasEnded = false
  }

  private let connector: PostgresConnector
  private let limits: PostgresLimits
  private let changed: @Sendable () -> Void
  private let isAlone: Bool
  private let event: Int32
  private let state: Mutex<State>
  /// Held during each use of the connection.
  private let turn = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var session: PostgresSession?
  private nonisolated(unsafe) var lastRound: Double = 0
  private nonisolated(unsafe) var nextRound: Double = 0
  private nonisolated(unsafe) var nextCall: Double = 0

  let wasAbandoned: Bool
  let onEnd: @Sendable () -> Void

  /// Joins the daemons of a store whose tables are there.
  ///
  /// - Parameters:
  ///   - isAlone: whether it must be the only daemon.
  ///   - changed: called from any thread when its role changes, or other daemons have left work for it.
  ///   - onEnd: called once at its end.
  /// - Throws: ``BelfryError`` `.tryAgain` if another daemon excludes it.
  init(
    _ connector: PostgresConnector, isAlone: Bool, changed: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) throws {
    (self.connector, self.isAlone, self.changed, self.onEnd) = (connector, isAlone, changed, onEnd)
    limits = connector.limits.ofLease
    let failures = connector.failures
    let session = try PostgresSession(to: connector, limits: limits)
    let table = DaemonTable(connection: session.connection, lease: limits.lease)
    let joined = try failures.translated { try table.join(isAlone: isAlone) }
    guard let joined else {
      let present = try failures.translated { try table.present() }
      throw failures.hasDaemon(present.members.last)
    }
    event = belfry_event_create()
    guard event >= 0 else {
      try? table.leave(joined.id)
      throw BelfryError(.storeFailed, "cannot create an event: \(String(cString: strerror(errno)))")
    }
    wasAbandoned = joined.wasAbandoned
    self.session = session
    state = Mutex(
      State(id: joined.id, part: DaemonPart(term: nil, sinks: [:], poll: limits.poll), trustedUntil: .infinity))
    do {
      try failures.translated { try inTurn { try round() } }
    } catch {
      try? table.leave(joined.id)
      throw error
    }
    guard SystemThread.start({ [weak self] in Self.run { self } }) else {
      try? table.leave(joined.id)
      throw BelfryError(.storeFailed, "cannot create a thread", hint: "raise the limit of threads")
    }
  }

  deinit { close(event) }

  var part: DaemonPart {
    state.withLock { state in
      guard Self.bootTime >= state.trustedUntil else { return state.part }
      return DaemonPart(term: nil, sinks: [:], elsewhere: state.part.elsewhere, poll: limits.poll)
    }
  }

  /// The number of this process among the members.
  var id: Int64 { state.withLock { $0.id } }

  /// Notes that a change has found another leader.
  func noteOtherLeader() { state.withLock { $0.part.term = nil } }

  func offer(_ offer: DaemonOffer) throws {
    let isNew = state.withLock { state in
      defer { state.offer = offer }
      return state.offer != offer
    }
    if isNew { try connector.failures.translated { try inTurn { try round() } } }
  }

  func giveUp(_ sinks: Set<String>) {
    state.withLock { $0.leaving.formUnion(sinks) }
    _ = belfry_event_signal(event)
  }

  func callOthers() {
    state.withLock { $0.callsOthers = true }
    _ = belfry_event_signal(event)
  }

  func release() { end { try $0.leave($1) } }

  func abandon() { end { try $0.abandon($1) } }

  private func end(_ last: (DaemonTable, Int64) throws -> Void) {
    inTurn {
      let isFirst = state.withLock { state in
        defer { (state.hasEnded, state.trustedUntil) = (true, 0) }
        return !state.hasEnded
      }
      guard isFirst else { return }
      // Without a connection, the lease runs out.
      if let table = try? openTable(), (try? last(table, id)) != nil { try? call(table) }
      session = nil
      onEnd()
    }
    _ = belfry_event_signal(event)
  }

  // MARK: The thread

  // Retains the membership only during each step.
  private static func run(_ membership: () -> PostgresMembership?) {
    while let (event, socket, wait) = membership()?.work() {
      var descriptors = [event, socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&descriptors, 2, Int32((max(0, wait) * 1_000).rounded(.up)))
    }
  }

  // Does the work that is due. Returns the descriptors and the seconds to wait for; `nil` at the end.
  private func work() -> (event: Int32, socket: Int32, seconds: Double)? {
    inTurn {
      guard !state.withLock({ $0.hasEnded }) else { return nil }
      _ = belfry_drain(event)
      do {
        let leaving = state.withLock { state in
          defer { state.leaving = [] }
          // A sink may have been given back to this daemon since.
          return state.leaving.intersection(state.part.leaving)
        }
        if !leaving.isEmpty {
          try openTable().giveUp(leaving, of: id)
          state.withLock { $0.callsOthers = true }
          nextRound = 0
        }
        if Self.bootTime >= nextRound { try round() }
        try callIfDue()
        try listen()
      } catch {
        // A sink that could not be given up now is given up after the next round; until then no other daemon has it.
        session = nil
        nextRound = Self.bootTime + limits.renewal / 4
      }
      let call = state.withLock { $0.callsOthers } ? nextCall : .infinity
      let socket = session?.connection.descriptor ?? -1
      return (event, socket, min(nextRound, call) - Self.bootTime)
    }
  }

  private func callIfDue() throws {
    guard Self.bootTime >= nextCall, state.withLock({ $0.callsOthers }) else { return }
    state.withLock { $0.callsOthers = false }
    nextCall = Self.bootTime + limits.callInterval
    try call(openTable())
  }

  // Without notifications, other daemons find deliveries at their next poll, and free sinks at their next renewal.
  private func call(_ table: DaemonTable) throws {
    if !connector.isPooled { try table.connection.script("NOTIFY \(connector.schema.inSQL)") }
  }

  private func listen() throws {
    guard let session else { return }
    guard let count = session.connection.takeInNotifications() else {
      throw PostgresError(state: nil, message: "the connection was lost")
    }
    guard count > 0 else { return }
    // Another daemon may have ended, or given up sinks.
    nextRound = min(nextRound, lastRound + limits.renewal / 8)
    changed()
  }

  private func openTable() throws -> DaemonTable {
    if session?.connection.isConnected != true {
      session = try PostgresSession(to: connector, limits: limits)
    }
    guard let session else { throw connector.failures.gone() }
    if !connector.isPooled, !session.connection.isListening {
      try session.connection.script("SET application_name TO 'belfry lease'")
      try session.connection.listen(to: connector.schema)
    }
    return DaemonTable(connection: session.connection, lease: limits.lease)
  }

  // Renews the lease, and takes the lead and the sinks that are due to this daemon.
  private func round() throws {
    let table = try openTable()
    let askedAt = Self.bootTime
    lastRound = askedAt
    var (id, offer) = state.withLock { ($0.id, $0.offer) }
    if try !table.renew(id, offer) {
      // Another daemon evicted it, and its sinks may be taken.
      guard let joined = try table.join(isAlone: isAlone), try table.renew(joined.id, offer) else {
        throw connector.failures.hasDaemon(try table.present().members.last)
      }
      id = joined.id
    }
    try table.evict()
    try table.noteFreeSinks()
    var daemons = try table.present()
    if daemons.shouldLead(id) {
      try? table.takeLead(id, after: daemons.term, offer.config)
      daemons = try table.present()
    }
    if daemons.leader == id { try table.noteNewSinks() }
    try table.noteConfig(offer.config, ofLeader: id)
    let free = daemons.free(for: id)
    if !free.isEmpty {
      try table.take(free, for: id)
      daemons = try table.present()
    }
    let part = daemons.part(of: id, poll: limits.poll)
    let isNews = state.withLock { state in
      defer { (state.id, state.part, state.trustedUntil) = (id, part, askedAt + limits.trust) }
      return state.part != part || Self.bootTime >= state.trustedUntil
    }
    let earliest = daemons.members.filter { $0.id != id }.map(\.remaining).min() ?? .infinity
    nextRound = Self.bootTime + min(limits.renewal, max(earliest, 0) + 0.05)
    if isNews { changed() }
  }

  // Not a `Mutex`, whose results must be sendable.
  private func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    return try body()
  }

  private static var bootTime: Double {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

extension PostgresLimits {
  /// The seconds for which a daemon trusts its lease from the moment at which it asked for it.
  fileprivate var trust: Double { lease * 6 / 7 }

  /// The limits of the connection of a lease, so that no statement lasts longer than the lease.
  fileprivate var ofLease: PostgresLimits {
    var limits = self
    (limits.connect, limits.lock, limits.statement, limits.idle) = (2, lease / 7, lease / 3.5, lease / 3.5)
    limits.travel = lease / 7
    return limits
  }

  /// The limits of a daemon's second connection. They release the locks of a stopped daemon before its lease expires.
  var ofDaemon: PostgresLimits {
    var limits = self
    (limits.statement, limits.lock) = (min(limits.statement, trust), min(limits.lock, trust))
    (limits.idle, limits.travel) = (min(limits.idle, lease / 3.5), lease / 7)
    return limits
  }
}
