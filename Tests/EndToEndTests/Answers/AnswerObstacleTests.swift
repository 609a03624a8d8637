import Foundation
import TestSupport
import Testing

/// An item has rung at a webhook, which keeps its links. Then the store cannot be used.
@Suite("Answers while the store cannot be used")
struct AnswerObstacleTests {
  private let server: HTTPCollector

  init() throws { server = try HTTPCollector() }

  /// A web face that has the store open, since its page was looked at.
  private func face(on store: DiskStore) async throws -> (RunningWebFace, RungItem) {
    let box = try Sandbox(config: RungItem.config(store.config, server))
    let item = try await RungItem.ring(box, server)
    let face = try await box.webFace()
    #expect(try await face.get(item.page)?.status == 200)
    return (face, item)
  }

  @Test("another program keeps it locked: the reply is to try again", arguments: DiskStore.allCases)
  func locked(store: DiskStore) async throws {
    let (face, item) = try await face(on: store)
    let lock =
      store == .sqlite
      ? "f = sqlite3.connect(sys.argv[1], isolation_level=None); f.execute('BEGIN IMMEDIATE')"
      : "f = open(sys.argv[1] + '.write-lock', 'a'); fcntl.flock(f, fcntl.LOCK_EX)"
    let program = "import fcntl, sqlite3, sys, time\n\(lock)\nprint('held', flush=True); time.sleep(3600)"
    let words = [Programs.python, "-c", program, face.box.path(store.path)].map { Array($0.utf8) }
    let holder = try face.box.start(bytes: words, RunOptions(output: .writing(face.box.path("held"))))
    try await waitUntil("the lock is held") { face.box.text("held") == "held\n" }
    let busy = try await PressReplies(to: item.tokens[0], face)
    busy.expect(503, "Not now", command: 75)
    #expect([busy.json, busy.page].map { $0.fields["retry-after"] } == ["1", "1"])
    #expect(busy.json.body.contains("the store is busy"))
    holder.send(SIGKILL)
    #expect(await holder.end == .signalled(SIGKILL))
    #expect(try await face.box.json("answers") == .array([]))
    try await PressReplies(to: item.tokens[0], face).expectDone()
    #expect(try await face.box.json("answers").elements?.count == 1)
  }

  @Test("it is damaged: it is left as it is, and works again once it is put back", arguments: DiskStore.allCases)
  func damaged(store: DiskStore) async throws {
    let (face, item) = try await face(on: store)
    let file = face.box.path(store.path)
    let rubbish = String(repeating: "x", count: 5_000)
    #expect(rename(file, file + ".away") == 0)
    try face.box.write(rubbish, to: store.path)
    try await PressReplies(to: item.tokens[0], face).expect(500, "Not now", command: 74)
    #expect(try await face.get(item.page)?.status == 500)
    let ready = try await face.get("/readyz")
    #expect(ready?.status == 503 && ready?.fields["retry-after"] == "5")
    #expect(face.box.text(store.path) == rubbish)
    #expect(face.log.contains(file) && !face.log.contains(item.tokens[0]))
    #expect(rename(file + ".away", file) == 0)
    try await PressReplies(to: item.tokens[0], face).expectDone()
    #expect(try await face.box.json("answers").elements?.count == 1)
  }

  @Test("a newer Belfry has migrated it meanwhile: it is not written", arguments: DiskStore.allCases)
  func newer(store: DiskStore) async throws {
    let (face, item) = try await face(on: store)
    let shown = try await face.box.json("show", "--all")
    let own = try await setVersion(99, of: store, face.box)
    let files = [store.path, store.path + "-wal"]
    let before = files.map(face.box.data)
    try await PressReplies(to: item.tokens[0], face).expect(500, "Not now", command: 74)
    #expect(files.map(face.box.data) == before)
    #expect(face.log.contains("was written by a newer Belfry (version 99"))
    #expect(try await setVersion(own, of: store, face.box) == 99)
    #expect(try await face.box.json("show", "--all") == shown)
    try await PressReplies(to: item.tokens[0], face).expectDone()
  }

  /// Changes the version of a store, and returns the one that it had.
  private func setVersion(_ version: Int, of store: DiskStore, _ box: Sandbox) async throws -> Int {
    guard store != .sqlite else {
      let program = """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1], isolation_level=None)
        print(c.execute("PRAGMA user_version").fetchone()[0])
        c.execute("PRAGMA user_version = " + sys.argv[2])
        """
      let outcome = try await box.python(program, [box.path(store.path), "\(version)"])
      return try #require(Int(outcome.output.trimmingCharacters(in: .newlines)), "\(outcome)")
    }
    var text = box.text(store.path)
    let field = store == .json ? #/"version":(\d+)/# : #/<key>Version<\/key><integer>(\d+)/#
    let number = try #require(text.firstMatch(of: field)).1
    let old = try #require(Int(number))
    text.replaceSubrange(number.startIndex..<number.endIndex, with: "\(version)")
    try box.write(text, to: store.path)
    return old
  }
}
