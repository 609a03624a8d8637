import Foundation
import TestSupport
import Testing

/// The commands over a store in PostgreSQL, which `belfry` hands over to `belfryd`.
@Suite("A store in PostgreSQL", .ownThread)
struct PostgresTests {
  private let server: PostgresServer
  private let box: Sandbox

  init() throws {
    server = try PostgresServer()
    box = try Sandbox(
      config: """
        time_zone: Europe/Zurich
        store: { type: postgres, url_file: database-url }
        sinks: { out: { type: stdout, format: json } }
        """)
    try box.write(server.url() + "\n", to: "database-url")
  }

  @Test("is used like any other, and rings")
  func everyday() async throws {
    try await box.belfry("list", "create", "Shop").requireDone()
    let added = try await box.json("add", "Milk", "-l", "Shop", "--due", "2096-12-24 09:00")
    #expect(added["id"] == .integer(1))
    #expect(try await box.ids("show") == [1])
    try await box.belfry("undo").requireDone()
    #expect(try await box.ids("show") == [])
    try await box.belfry("undo", "--redo").requireDone()
    try await box.belfry("store", "check").requireDone()
    let rung = try await box.belfry("run", "--once", options: .at("2096-12-24 09:00:10"))
    #expect(rung.isDone && rung.output.contains("Milk"), "\(rung)")
  }

  @Test("a copy beside a daemon needs --force, on whatever machine it runs")
  func copiedBesideDaemon() async throws {
    try box.write(Sandbox.defaultConfig, to: "other.yaml")
    try await box.json("add", "Milk")
    let daemon = try await box.daemon()
    let refused = try await box.belfry("store", "copy", "--to", "other.yaml")
    #expect(refused.status == 64 && refused.messages.contains("--force"), "\(refused)")
    #expect(refused.messages.contains("(process \(daemon.process.pid)) rings from"), "\(refused)")
    #expect(try await box.json("show", "--config", "other.yaml") == .array([]))
    let forced = try await box.belfry("store", "copy", "--to", "other.yaml", "--force")
    #expect(forced.isDone && forced.messages.contains("Next: stop belfryd on "), "\(forced)")
    #expect(await daemon.stop().end == .exited(0))
    try await box.belfry("list", "delete", "Inbox", "--force", "--config", "other.yaml").requireDone()
    try await box.belfry("store", "copy", "--to", "other.yaml").requireDone()
  }

  @Test("a daemon that waits for its server logs it after 5 s, and when it goes on")
  func waiting() async throws {
    let daemon = try await box.daemon(at: "2026-11-21 08:59:50")
    let process = try #require(
      pid_t(try server.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'belfry'")))
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    try await daemon.waitForLog("has kept the daemon waiting for 5 s")
    kill(process, SIGCONT)
    try await daemon.waitForLog("can be used again after ")
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a daemon whose server is gone logs it, and when it is back")
  func gone() async throws {
    let daemon = try await box.daemon(at: "2026-11-21 08:59:50")
    try server.stop()
    try await daemon.waitForLog("cannot be opened")
    try server.start()
    try await daemon.waitForLog("the store can be used again")
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a password that is changed while the daemon runs is told, and the new one is used as soon as its file has it")
  func password() async throws {
    try server.run("CREATE SCHEMA belfry AUTHORIZATION guarded")
    try box.write(server.url(user: "guarded:right") + "\n", to: "database-url")
    try await box.belfry("add", "Milk", "--due", "2026-11-21 09:01", options: .at("2026-11-21 08:00:00")).requireDone()
    let daemon = try await box.daemon(at: "2026-11-21 08:59:50")
    try server.run(
      """
      ALTER ROLE guarded PASSWORD 'an0ther';
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guarded'
      """)
    try await daemon.waitForLog("password authentication failed")
    let refused = try await box.belfry("show")
    #expect(refused.status == 77 && refused.messages.contains("password authentication failed"), "\(refused)")
    try box.write(server.url(user: "guarded:an0ther") + "\n", to: "database-url")
    try await daemon.waitForLog("the store can be used again")
    try await daemon.waitForRinging(1)
    #expect(!daemon.log.contains("an0ther"))
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("is copied to a file and back")
  func copied() async throws {
    try box.write(Sandbox.defaultConfig, to: "file.yaml")
    try await box.belfry("add", "Milk", "--due", "2096-12-24 09:00").requireDone()
    try await box.belfry("store", "copy", "--to", "file.yaml").requireDone()
    #expect(try await box.ids("show", "--config", "file.yaml") == [1])
    let back = try await box.belfry("store", "copy", "--to", "belfry.yaml", "--config", "file.yaml", "--force")
    #expect(back.isDone, "\(back)")
    #expect(try await box.ids("show") == [1])
  }

  @Test("needs a zone that is the same on every machine, and a server that answers")
  func refusals() async throws {
    try box.write("store: { type: postgres, url_file: database-url }\n", to: "local.yaml")
    let local = try await box.belfry("show", "--config", "local.yaml")
    #expect(local.status == 78 && local.messages.contains("time zone"), "\(local)")
    try server.stop()
    let stopped = try await box.belfry("show")
    #expect(stopped.status == 75 && stopped.messages.contains("cannot be opened"), "\(stopped)")
  }
}
