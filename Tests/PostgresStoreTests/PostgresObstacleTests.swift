import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import PostgresStore
import TestSupport
import Testing

/// What keeps a store from a real server for a while, told by the contract's error, and over as soon as it is gone.
@Suite(.serialized) struct PostgresObstacleTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  private func error(_ body: () throws -> Void) throws -> BelfryError {
    try #require(throws: BelfryError.self, performing: body)
  }

  @Test("a standby is read and refuses changes; with both hosts named, changes go to the one that takes them")
  func standby() async throws {
    try database.store().addList("before")
    let standby = try PostgresServer(standbyOf: database.server)
    let reader = database.store(standby.url())
    #expect(try reader.listNames == ["before"])
    let found = try error { try reader.addList("never") }
    #expect(found.kind == .noPermission && found.hint?.contains("target_session_attrs=read-write") == true, "\(found)")

    let both = database.store(standby.url(or: database.server))
    try both.addList("on the primary")
    let identity = both.identity
    try database.server.stop()
    let missing = try error { try both.addList("nowhere") }
    #expect(missing.kind == .tryAgain, "\(missing)")
    try standby.promote()
    // A failure to connect is not retried for as long as it took.
    try await waitUntil { (try? both.addList("on the new primary")) != nil }
    #expect(both.identity == identity)
    #expect(try reader.listNames.suffix(1) == ["on the new primary"])
    try reader.addList("as it takes changes now")
  }

  @Test("too many connections are tried again later, and one that is free is used")
  func connections() async throws {
    try database.store().addList("here")
    try database.server.stop()
    try database.server.start(["max_connections=3", "superuser_reserved_connections=0", "max_wal_senders=0"])
    var others = (1...3).map { _ in database.store() }
    for other in others { _ = try other.listNames }
    let store = database.store()
    let found = try error { try store.addList("never") }
    #expect(found.kind == .tryAgain && found.message.contains("too many clients"), "\(found)")
    others.removeLast()
    // The server takes a moment to notice that a client has left.
    try await waitUntil { (try? store.listNames) != nil }
    try store.addList("there")
    #expect(try store.listNames == ["here", "there"])
  }

  @Test("a full disk refuses changes and loses nothing; once there is room, changes are made again")
  func fullDisk() throws {
    try database.store().addList("here")
    let server = try PostgresServer(of: database.server, onDiskOf: "160m")
    let store = database.store(server.url())
    #expect(try store.listNames == ["here"])
    #expect(throws: (any Error).self) {
      try server.run(
        """
        CREATE UNLOGGED TABLE filler (text text) WITH (autovacuum_enabled = off);
        ALTER TABLE filler ALTER COLUMN text SET STORAGE EXTERNAL;
        """)
      try server.run("INSERT INTO filler SELECT repeat('x', 5000) FROM generate_series(1, 100000)")
    }
    // What is left is less than one more page of each table.
    for size in [4_000, 100] { while (try? server.run("INSERT INTO filler SELECT repeat('x', \(size))")) != nil {} }
    var failure: BelfryError?
    var kept = ["here"]
    for number in 1...2_000 where failure == nil {
      do {
        try store.addList("\(number) " + String(repeating: "x", count: 500))
        kept.append("\(number) " + String(repeating: "x", count: 500))
      } catch let error as BelfryError { failure = error }
    }
    #expect(
      failure?.kind == .storeFailed && failure?.message.contains("the server's disk is full") == true,
      "\(failure as Any)")
    #expect(try store.listNames == kept)
    try server.run("DROP TABLE filler")
    try store.addList("after")
    #expect(try store.listNames == kept + ["after"])
  }

  @Test("a certificate of somebody else, or for another name, is an error of the config, and the right one is not")
  func certificate() throws {
    try database.store().addList("here")
    let (right, wrong) = (try TestAuthority(), try TestAuthority())
    let address = "127.\(Int.random(in: 1...250)).\(Int.random(in: 1...250)).2"
    try database.server.restart(on: address, showing: right.identity())
    func names(_ authority: TestAuthority, host: String) throws -> [String] {
      let options = "&sslmode=verify-full&sslrootcert=\(authority.certificate)"
      return try database.store(database.server.url(host: host, address: address, options)).listNames
    }
    #expect(try names(right, host: "localhost") == ["here"])
    for (authority, host) in [(wrong, "localhost"), (right, "other.example.org")] {
      let found = try error { _ = try names(authority, host: host) }
      #expect(found.kind == .badConfig && found.hint?.contains("sslrootcert") == true, "\(found)")
    }
    try database.server.restart(on: address, showing: right.identity(days: -1))
    let expired = try error { _ = try names(right, host: "localhost") }
    #expect(expired.kind == .badConfig && expired.message.contains("certificate"), "\(expired)")
  }
}
