import BelfryEngine
import BelfryModel
import BelfryTestKit
import PostgresStore
import TestSupport
import Testing

/// Faults of a real server, and the contract's error for each.
@Suite(.serialized) struct PostgresFaultTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  private func error(_ body: () throws -> Void) throws -> BelfryError {
    try #require(throws: BelfryError.self, performing: body)
  }

  @Test("a server that is not there is tried again later, and used once it is")
  func stopped() async throws {
    let store = database.store()
    try store.addList("before")
    try database.server.stop()
    for change in [{ try store.addList("lost") }, { _ = try store.listNames }] {
      let found = try error(change)
      #expect(found.kind == .tryAgain)
      #expect(found.message.contains("cannot be opened"), "\(found)")
    }
    try database.server.start()
    // A failure to connect is not retried for as long as it took.
    try await waitUntil { (try? store.addList("after")) != nil }
    #expect(try store.listNames == ["before", "after"])
  }

  @Test(
    "servers that do not answer get one connection each, and a command says so within 10 s, whatever its URL says",
    arguments: [(1, ""), (2, ""), (1, "&connect_timeout=25"), (2, "&connect_timeout=0"), (8, "&connect_timeout=25")])
  func silent(hosts: Int, options: String) throws {
    let proxy = try PostgresProxy(to: database.server)
    try proxy.fallSilent()
    let store = database.store(proxy.url(times: hosts) + options)
    let time = try ContinuousClock().measure {
      // As a command with several readings makes them.
      for _ in 1...3 {
        let found = try error { _ = try store.listNames }
        #expect(found.kind == .tryAgain && found.message.contains("cannot be opened"), "\(found)")
      }
    }
    #expect(time < .seconds(10))
    // Each host takes at least two seconds.
    #expect(hosts > 4 ? proxy.connections <= hosts : proxy.connections == hosts)
  }

  @Test("a shorter limit of the URL counts")
  func shortLimit() throws {
    let proxy = try PostgresProxy(to: database.server)
    try proxy.fallSilent()
    let store = database.store(proxy.url(times: 1) + "&connect_timeout=2")
    let time = try ContinuousClock().measure { _ = try error { _ = try store.listNames } }
    #expect(time < .seconds(6))
  }

  @Test("a restart between two changes is not noticed")
  func restarted() throws {
    let store = database.store()
    try store.addList("before")
    try database.server.stop()
    try database.server.start()
    try store.addList("after")
    #expect(try store.listNames == ["before", "after"])
  }

  @Test("a connection that ends in the middle of a change undoes it")
  func ended() throws {
    let store = database.store()
    try store.addList("before")
    let found = try error {
      try store.write { transaction in
        try transaction.addSampleList("lost")
        try database.endConnections()
        try transaction.addSampleList("lost too")
      }
    }
    #expect(found.kind == .tryAgain)
    #expect(found.hint?.contains("nothing was changed") == true, "\(found)")
    #expect(try store.listNames == ["before"])
    try store.addList("after")
    #expect(try store.read { try $0.list(named: "after") }?.id == 2)
  }

  @Test("a commit that the server did not make is known not to be made")
  func abortedCommit() throws {
    let store = database.store()
    try store.addList("before")
    try database.server.run(
      """
      CREATE FUNCTION belfry.die() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER die AFTER INSERT ON belfry.list DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION belfry.die();
      """)
    let found = try error { try store.addList("lost") }
    #expect(found.kind == .tryAgain)
    #expect(found.hint?.contains("nothing was changed") == true, "\(found)")
    #expect(try store.listNames == ["before"])
  }

  @Test("a commit whose answer is lost is known to be made")
  func committed() throws {
    let proxy = try PostgresProxy(to: database.server)
    let store = database.store(proxy.url)
    try store.addList("before")
    try proxy.loseNextAnswerToCommit()
    try store.addList("kept")
    #expect(try store.listNames == ["before", "kept"])
    #expect(try database.store().listNames == ["before", "kept"])
  }

  @Test("a wrong password is the user's to mend, and is not shown")
  func password() throws {
    try database.server.run("CREATE SCHEMA belfry AUTHORIZATION guarded")
    let found = try error { _ = try database.store(database.server.url(user: "guarded:wr0ng")).listNames }
    #expect(found.kind == .noPermission)
    #expect(found.message.contains("guarded") && !found.description.contains("wr0ng"), "\(found)")
    let store = database.store(database.server.url(user: "guarded:right"))
    try store.addList("here")
    #expect(try store.listNames == ["here"])
    #expect(!store.location.contains("right"))
  }

  @Test("a database that is not there is an error of the config")
  func noDatabase() throws {
    let found = try error { _ = try database.store(database.server.url(database: "none")).listNames }
    #expect(found.kind == .badConfig)
    #expect(found.message.contains("\"none\""), "\(found)")
  }

  @Test("a string that is none is an error of the config, and is not shown")
  func noURL() throws {
    let found = try error { _ = try database.store("postgresql://user:hush@host/db?nonsense=1").listNames }
    #expect(found.kind == .badConfig)
    #expect(!found.description.contains("hush"), "\(found)")
  }

  @Test("a database of another encoding is an error of the config")
  func encoding() throws {
    try database.server.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    let found = try error { _ = try database.store(database.server.url(database: "latin")).listNames }
    #expect(found.kind == .badConfig)
    #expect(found.message.contains("LATIN1"), "\(found)")
  }

  @Test("tables of a newer Belfry are left as they are")
  func newer() throws {
    try database.store().addList("here")
    try database.server.run("UPDATE belfry.store SET version = 1000")
    for use in [{ _ = try database.store().listNames }, { try database.store().addList("there") }] {
      let found = try error(use)
      #expect(found.kind == .storeFailed)
      #expect(found.message.contains("newer Belfry (version 1000"), "\(found)")
    }
    #expect(try database.server.run("SELECT name FROM belfry.list") == "here")
  }

  @Test("a schema that is gone is an error, not an empty store")
  func gone() throws {
    let store = database.store()
    try store.addList("here")
    try database.server.run("DROP SCHEMA belfry CASCADE")
    let found = try error { _ = try store.listNames }
    #expect(found.kind == .storeFailed)
  }

  @Test("a server that takes no changes is read, and its refusal is told")
  func readOnly() throws {
    try database.store().addList("here")
    try database.server.run("ALTER ROLE belfry SET default_transaction_read_only = on")
    let store = database.store()
    #expect(try store.listNames == ["here"])
    let found = try error { try store.addList("there") }
    #expect(found.kind == .noPermission)
    #expect(found.message.contains("read-only"), "\(found)")
  }

  @Test("a hot standby is read, also by a role whose transactions are serializable; its refusal is told")
  func standby() throws {
    try database.store().addList("here")
    try database.server.run("ALTER ROLE belfry SET default_transaction_isolation = 'serializable'; CHECKPOINT")
    try database.store().addList("there")
    try database.server.stop()
    try database.server.startAsStandby()
    let store = database.store()
    #expect(try store.listNames == ["here", "there"])
    let found = try error { try store.addList("never") }
    #expect(found.kind == .noPermission && found.message.contains("read-only"), "\(found)")
  }

  @Test(
    "an error that Belfry does not know is one of the server, and no damage",
    arguments: ["P0042", "22012", "0A000", "54001", "XX000", "53000", "F0000"])
  func unlisted(state: String) throws {
    let store = database.store()
    try store.addList("here")
    try raise(state)
    let found = try error { try store.addList("never") }
    #expect(found.kind == .storeFailed)
    #expect(found.message.contains("odd words (SQLSTATE \(state))"), "\(found)")
    #expect(!found.description.contains("damaged"), "\(found)")
    #expect(try store.listNames == ["here"])
  }

  @Test("an error that only tables have which Belfry did not make is damage", arguments: ["XX001", "42703", "23514"])
  func damage(state: String) throws {
    let store = database.store()
    try store.addList("here")
    try raise(state)
    let found = try error { try store.addList("never") }
    #expect(found.kind == .storeFailed)
    #expect(found.message.contains("is damaged: odd words (SQLSTATE \(state))"), "\(found)")
  }

  /// Makes each new list fail with this SQLSTATE.
  private func raise(_ state: String) throws {
    try database.server.run(
      """
      CREATE FUNCTION belfry.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'odd words' USING ERRCODE = '\(state)'; END$$;
      CREATE TRIGGER refuse BEFORE INSERT ON belfry.list FOR EACH ROW EXECUTE FUNCTION belfry.refuse();
      """)
  }

  @Test("a role without rights is told so; one that may not make tables uses those that are there")
  func rights() throws {
    let url = database.server.url(user: "guarded:right")
    let missing = try error { try database.store(url).addList("here") }
    #expect(missing.kind == .noPermission)
    try database.store().addList("here")
    for use in [{ _ = try database.store(url).listNames }, { try database.store(url).addList("there") }] {
      #expect(try error(use).kind == .noPermission)
    }
    try database.server.run(
      """
      GRANT USAGE ON SCHEMA belfry TO guarded;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA belfry TO guarded;
      """)
    try database.store(url).addList("there")
    #expect(try database.store(url).listNames == ["here", "there"])
  }

  @Test("a writer that waits too long for another one gives up")
  func locked() throws {
    try database.store().addList("here")
    let (one, other) = (database.store(), database.store(lockTimeout: 0.1))
    try one.write { transaction in
      try transaction.addSampleList("there")
      let found = try error { try other.addList("never") }
      #expect(found.kind == .tryAgain)
      #expect(found.message.contains("locked"), "\(found)")
    }
    #expect(try other.listNames == ["here", "there"])
  }
}
