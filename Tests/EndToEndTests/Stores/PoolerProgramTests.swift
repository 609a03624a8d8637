import Foundation
import TestSupport
import Testing

/// The programs over a store in PostgreSQL behind Debian's PgBouncer, which gives each transaction another session.
@Suite("A store behind a pooler", .ownThread)
struct PoolerProgramTests {
  private let server: PostgresServer
  private let pooler: PgBouncer
  private let box: Sandbox

  init() throws {
    server = try PostgresServer()
    pooler = try PgBouncer(to: server, .transaction)
    box = try Sandbox(config: Self.config("poll_only: true"))
    try box.write(pooler.url + "\n", to: "database-url")
  }

  private static func config(_ key: String) -> String {
    """
    time_zone: Europe/Zurich
    store: { type: postgres, url_file: database-url, \(key) }
    sinks: { out: { type: stdout, format: json } }
    web: { listen: 127.0.0.1:0, public_url: 'https://belfry.example.org' }
    """
  }

  @Test("without poll_only, commands, daemon and web face end with one error that names it")
  func refused() async throws {
    // The pool has had a session before.
    try await box.belfry("show").requireDone()
    try box.write(Self.config("poll_only: false") + "\n", to: "belfry.yaml")
    try await box.belfry("config", "check").requireDone()
    for words in [["show"], ["add", "Milk"], ["run"], ["access", "add", "phone"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(outcome.status == 78 && outcome.messages.contains("poll_only: true"), "\(outcome)")
    }
    let face = try await box.webFace()
    try await face.waitForLog("poll_only: true")
    #expect(await face.stop() == .exited(0))
  }

  @Test("a daemon rings what commands add while it runs, answers count, and the web face shows both")
  func everyday() async throws {
    let daemon = try await box.daemon(at: "2026-11-21 08:58:20")
    try await box.belfry(
      "add", "Bread", "--due", "2026-11-21 10:00", options: .at("2026-11-21 08:58:20")
    ).requireDone()
    try await box.belfry("check", "1").requireDone()
    try await box.belfry(
      "add", "Milk", "--due", "2026-11-21 09:00", options: .at("2026-11-21 08:58:20")
    ).requireDone()
    try await daemon.waitForRinging(1)
    #expect(try daemon.rungTexts == ["Milk"])

    let added = try await box.belfry("access", "add", "phone", "--scope", "edit")
    let token = try #require(
      added.output.firstMatch(of: #/bfy_\S+/#).map { "Authorization: Bearer \($0.output)" }, "\(added)")
    let face = try await box.webFace()
    let stream = box.path("stream")
    let curl = try box.start(
      bytes: ["curl", "-sS", "-N", "-o", stream, "-H", token, "\(face.url)/api/v1/events"].map { Array($0.utf8) },
      RunOptions())
    try await waitUntil("the stream begins") { box.text("stream").hasPrefix("id: ") }
    try await box.belfry("check", "2").requireDone()
    try await waitUntil("the command's change is told") { box.text("stream").contains("event: change") }
    let posted = try await face.post(
      "/api/v1/items", #"{"text": "Eggs"}"#, headers: [token, "Content-Type: application/json"])
    #expect(posted?.status == 201, "\(String(describing: posted))")
    #expect(try await box.ids("show") == [3])
    try await box.belfry("access", "revoke", "phone").requireDone()
    #expect(await curl.end == .exited(0), "the stream of a revoked token ends")
    #expect(await face.stop() == .exited(0), "\(face.log)")
    #expect(await daemon.stop().end == .exited(0), "\(daemon.log)")
    #expect(try await box.runOnce(at: "2026-11-21 10:01:00").isEmpty, "what was checked does not ring")
  }
}
