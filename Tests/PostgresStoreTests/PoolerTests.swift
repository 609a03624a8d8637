import BelfryEngine
import BelfryModel
import BelfryTestKit
import PostgresStore
import TestSupport
import Testing

/// Stores behind Debian's PgBouncer.
@Suite(.serialized) struct PoolerTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  @Test("a pooler that keeps no session is refused at once, before anything is set, and the error names poll_only")
  func refused() throws {
    let pooler = try PgBouncer(to: database.server, .transaction)
    // A session of the pool that others used before, and are to use after.
    #expect(try database.store(pooler.url, pollsOnly: true).listNames.isEmpty)
    for _ in 1...3 {
      let found = try #require(throws: BelfryError.self) { try database.store(pooler.url).addList("never") }
      #expect(found.kind == .badConfig && found.message.contains("poll_only: true"), "\(found)")
    }
    let settings = try database.server.run("SHOW search_path", through: pooler)
    #expect(settings == #""$user", public"#)
    #expect(try database.server.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'belfry'") == "0")
  }

  @Test("a pooler that keeps sessions is used like a server")
  func keepingSessions() throws {
    let pooler = try PgBouncer(to: database.server, .session)
    try database.store(pooler.url).addList("here")
    #expect(try database.store(pooler.url).listNames == ["here"])
  }

  @Test("with poll_only, stores in turn over one session of the server leave nothing in it, and read each their own")
  func shared() throws {
    let pooler = try PgBouncer(to: database.server, .transaction, size: 1)
    let stores = ["one", "two"].map { database.store(pooler.url, schema: $0, pollsOnly: true) }
    for round in 1...3 {
      for (store, name) in zip(stores, ["a", "b"]) { try store.addList("\(name)\(round)") }
    }
    #expect(try stores.map { try $0.listNames } == [["a1", "a2", "a3"], ["b1", "b2", "b3"]])
    let left = """
      SELECT (SELECT count(*) FROM pg_prepared_statements), (SELECT count(*) FROM pg_listening_channels()),
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_cursors),
        (SELECT count(*) FROM pg_settings WHERE source = 'session' AND name NOT IN
          ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings'))
      """
    #expect(try database.server.run(left, through: pooler) == "0|0|0|0|0")
  }

  @Test("a pooler without a free connection is waited for once, and a command says so within 10 s")
  func exhausted() throws {
    let pooler = try PgBouncer(to: database.server, .transaction, size: 1)
    let store = database.store(pooler.url, pollsOnly: true)
    try store.addList("here")
    try store.write { _ in
      let other = database.store(pooler.url, pollsOnly: true)
      let time = try ContinuousClock().measure {
        let found = try #require(throws: BelfryError.self) { _ = try other.listNames }
        #expect(found.kind == .tryAgain && found.message.contains("did not answer"), "\(found)")
      }
      #expect(time < .seconds(10))
    }
    #expect(try database.store(pooler.url, pollsOnly: true).listNames == ["here"])
  }

  @Test("with poll_only, a server behind a pooler that is gone is tried again later, and used as soon as it is back")
  func gone() async throws {
    let pooler = try PgBouncer(to: database.server, .transaction)
    let store = database.store(pooler.url, pollsOnly: true)
    try store.addList("before")
    try database.server.stop()
    for change in [{ try store.addList("lost") }, { _ = try store.listNames }] {
      let time = try ContinuousClock().measure {
        let found = try #require(throws: BelfryError.self, performing: change)
        #expect(found.kind == .tryAgain, "\(found)")
      }
      #expect(time < .seconds(10))
    }
    try database.server.start()
    // The pooler itself waits before it tries a server again that has refused it.
    try await waitUntil { (try? store.addList("after")) != nil }
    #expect(try store.listNames == ["before", "after"])
  }

  @Test("with poll_only, daemons join, lead, share the sinks and hand over, and hear of nothing")
  func daemons() async throws {
    let pooler = try PgBouncer(to: database.server, .transaction, size: 3)
    let stores = (1...2).map { _ in database.store(pooler.url, pollsOnly: true, lease: 2) }
    #expect(stores[0].changeSource()?.descriptor == -1)
    let locks = try stores.map { try $0.joinDaemons {} }
    for lock in locks { try lock.offer(DaemonOffer(sinks: ["a", "b"])) }
    #expect(locks[0].part.leads && !locks[1].part.leads)
    try await waitUntil {
      locks[0].giveUp(locks[0].part.leaving)
      return locks.allSatisfy { $0.part.sinks?.count == 1 }
    }
    locks[0].release()
    try await waitUntil { locks[1].part.sinks?.count == 2 && locks[1].part.leads }
    #expect(try database.server.run("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'") == "0")
    locks[1].release()
  }
}
