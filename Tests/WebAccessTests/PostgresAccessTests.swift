import BelfryModel
import BelfryTestKit
import ConfigKeys
import Foundation
import PostgresStore
import TestSupport
import Testing

@testable import WebAccess

/// Faults of a server that has the tables of who may use the web face.
@Suite(.serialized) struct PostgresAccessTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  private let server: PostgresServer

  init() throws { server = try PostgresServer() }

  private func open(_ url: String? = nil) throws -> AccessStore {
    try AccessStore(of: PostgresStore(url: SecretSource(Secret(url ?? server.url())), schema: "belfry"))
  }

  @Test("looking makes no tables; the first change makes them with the store's")
  func made() throws {
    let access = try open()
    #expect(try access.list(at: Self.now).isEmpty && access.token("bfy_", at: Self.now) == nil)
    #expect(try server.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'belfry'") == "0")
    _ = try access.addToken("laptop", for: Self.editor, at: Self.now)
    #expect(try server.run("SELECT count(*) FROM belfry.item") == "0")
  }

  @Test("tables that another server holds for too long are told, and what comes after is done")
  func held() throws {
    var limits = PostgresLimits()
    limits.lock = 0.2
    let url = SecretSource(Secret(server.url()))
    let access = try AccessStore(of: PostgresStore(url: url, schema: "belfry", limits: limits))
    let token = try access.addToken("laptop", for: Self.editor, at: Self.now)
    let kind = try PostgresStore(url: url, schema: "belfry").accessDatabase().write(in: nil) { _ in
      errorKind { try access.addToken("phone", for: Self.editor, at: Self.now) }
    }
    #expect(kind == .tryAgain)
    #expect(try access.token(token, at: Self.now) != nil)
    _ = try access.addToken("phone", for: Self.editor, at: Self.now)
    #expect(try access.list(at: Self.now).count == 2)
  }

  @Test("a restart of the server is not noticed, and a server that is gone is tried again later")
  func restarted() async throws {
    let access = try open()
    let token = try access.addToken("laptop", for: Self.editor, at: Self.now)
    try server.stop()
    #expect(errorKind { try access.token(token, at: Self.now) } == .tryAgain)
    try server.start()
    // A failure to connect is not retried for as long as it took.
    try await waitUntil { (try? access.token(token, at: Self.now)) != nil }
    try server.stop()
    try server.start()
    _ = try access.addToken("phone", for: Self.editor, at: Self.now)
    #expect(try access.list(at: Self.now).map(\.name) == ["laptop", "phone"])
  }

  @Test("a role without rights is told so, and tables of a newer Belfry are left as they are")
  func refused() throws {
    _ = try open().addToken("laptop", for: Self.editor, at: Self.now)
    #expect(errorKind { try open(server.url(user: "guarded:right")).list(at: Self.now) } == .noPermission)
    try server.run("UPDATE belfry.store SET version = 1000")
    #expect(errorKind { try open().list(at: Self.now) } == .storeFailed)
  }

  @Test("a commit whose answer is lost is known to be made, and one that the server did not make not to be")
  func lostAnswer() throws {
    let proxy = try PostgresProxy(to: server)
    let access = try open(proxy.url)
    _ = try access.addToken("laptop", for: Self.editor, at: Self.now)
    try proxy.loseNextAnswerToCommit()
    let token = try access.addToken("phone", for: Self.editor, at: Self.now)
    #expect(try access.token(token, at: Self.now) != nil)
    try server.run(
      """
      CREATE FUNCTION belfry.die() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER die AFTER INSERT ON belfry.access DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION belfry.die();
      """)
    let found = try #require(throws: BelfryError.self) {
      try access.addToken("never", for: Self.editor, at: Self.now)
    }
    #expect(found.kind == .tryAgain && found.hint?.contains("nothing was changed") == true, "\(found)")
    #expect(try access.list(at: Self.now).map(\.name) == ["laptop", "phone"])
  }
}
