import BelfryEngine
import Dispatch
import Glibc
import SQLRecords

extension PostgresStore {
  /// Makes a change of deliveries only, which locks only their rows; see ``ItemStore``.
  package func deliver<Result>(
    _ begins: DeliveryBegins, _ body: (any StoreTransaction, Set<Int64>) throws -> Result
  ) throws -> Result {
    try inTurn {
      guard let daemon else { return try change { try body($0, $0.holding(begins)) } }
      return try deliver(begins, as: daemon.id, body)
    }
  }

  /// Makes the caller the store's only daemon; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock { try join(isAlone: true) {} }

  /// Makes the caller one of the store's daemons; see ``ItemStore``.
  package func joinDaemons(_ changed: @escaping @Sendable () -> Void) throws -> any DaemonLock {
    try join(isAlone: false, changed)
  }

  /// The daemons that live; see ``ItemStore``.
  package func daemons() throws -> [DaemonMember] {
    try inTurn {
      guard let (session, _, _) = try begin(.reading) else { return [] }
      return try run(on: session) {
        let daemons = try DaemonTable(connection: session.connection, lease: limits.lease).present()
        _ = try session.connection.script("COMMIT")
        return daemons.living.listing
      }
    }
  }

  private func join(isAlone: Bool, _ changed: @escaping @Sendable () -> Void) throws -> any DaemonLock {
    try inTurn {
      // Makes the tables if there are none.
      try change { _ in }
      if daemon != nil { throw failures.hasDaemon(nil) }
      let daemon = try PostgresMembership(connector, isAlone: isAlone, changed: changed) { [weak self] in
        self?.daemonHasEnded()
      }
      self.daemon = daemon
      if let session { try failures.translated { try session.setLimits(limits.ofDaemon) } }
      return daemon
    }
  }

  // Notifies other processes of a change. Never within the transaction, since NOTIFY would make all commits wait for
  // one another.
  func tellOthers(on connection: PostgresConnection) {
    if let daemon { return daemon.callOthers() }
    if !connector.tell(on: connection) { session = nil }
  }

  // Never waits for a row lock while it holds others, so that it cannot cause a deadlock.
  private func deliver<Result>(
    _ begins: DeliveryBegins, as member: Int64, _ body: (any StoreTransaction, Set<Int64>) throws -> Result
  ) throws -> Result {
    let end = DispatchTime.now() + limits.ofDaemon.lock
    while true {
      guard let (session, transaction, number) = try begin(.delivering) else { throw failures.gone() }
      let connection = session.connection
      let changes = connection.changes
      let holding: Set<Int64>
      do {
        holding =
          begins.isEmpty ? [] : try transaction.holding(begins, by: PostgresDialect().holding(waits: false))
      } catch let error as PostgresError where error.state == "55P03" && DispatchTime.now() < end {
        try failures.translated { _ = try connection.script("ROLLBACK") }
        poll(nil, 0, .random(in: 2...20))
        continue
      } catch {
        return try run(on: session) { throw error }
      }
      return try run(on: session) {
        let result = try body(transaction, holding)
        try transaction.finishDeliveries(of: member, on: connection, changesBefore: changes)
        try commit(number, on: session)
        return result
      }
    }
  }

  private func daemonHasEnded() { inTurn { daemon = nil } }
}
