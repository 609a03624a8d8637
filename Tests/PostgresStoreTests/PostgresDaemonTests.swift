import BelfryEngine
import BelfryModel
import BelfryTestKit
import PostgresStore
import TestSupport
import Testing

/// The lock of the only daemon, which ends with its connection.
@Suite(.timeLimit(.minutes(5))) struct PostgresDaemonTests {
  private let bench: TestDatabase

  init() throws { bench = try TestDatabase() }

  @Test("after a lost connection, the lock is taken again")
  func regained() throws {
    let (one, other) = (bench.store(), bench.store())
    let lock = try one.lockForDaemon()
    let identity = one.identity
    try bench.endConnections()
    try one.addList("on a new connection")
    try Check.throwsError(.tryAgain) { _ = try other.lockForDaemon() }
    #expect(one.identity == identity)
    lock.release()
    #expect(try !other.lockForDaemon().wasAbandoned)
  }

  @Test("a daemon whose lock another one has taken changes nothing, and begins anew once that one has ended")
  func takenOver() throws {
    let (one, other) = (bench.store(), bench.store())
    let lock = try one.lockForDaemon()
    defer { lock.release() }
    let identity = try #require(one.identity)
    try bench.endConnections()
    let next = try other.lockForDaemon()
    #expect(next.wasAbandoned)
    let found = try #require(throws: BelfryError.self) { try one.addList("never") }
    #expect(found.kind == .tryAgain)
    #expect(found.message.contains("another belfryd has taken over (process "), "\(found)")
    #expect(try other.listNames == [])
    next.release()
    try one.addList("at last")
    #expect(try #require(one.identity) != identity)
  }

  @Test("a dump that is restored is another store")
  func restored() throws {
    let store = bench.store()
    try store.addList("here")
    let identity = try #require(store.identity)
    try bench.server.run("ALTER SCHEMA belfry RENAME TO moved; CREATE SCHEMA belfry")
    try bench.server.run("DROP SCHEMA belfry; CREATE SCHEMA belfry")
    let anew = bench.store()
    try anew.addList("there")
    #expect(try #require(anew.identity) != identity)
  }
}
