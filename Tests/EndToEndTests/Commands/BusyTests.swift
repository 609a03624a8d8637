import Foundation
import Testing

@Suite("Try again: 75")
struct BusyTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("a store that another program keeps locked: changes give up after ten seconds, reading goes on")
  func locked() async throws {
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    // Long, since it is killed at the end.
    let holder = try await lock(for: 3_600)
    let start = ContinuousClock.now
    let options = RunOptions(isUrgent: true)
    async let added = box.belfry("add", "Bread", options: options)
    async let checked = box.belfry("check", "1", options: options)
    async let imported = importing(options)
    async let once = box.belfry("run", "--once", options: options)
    #expect(try await box.ids("show") == [1])
    for outcome in try await [added, checked, imported] {
      #expect(outcome.status == 75, "\(outcome)")
      #expect(outcome.messages.contains("store.sqlite") && outcome.messages.contains("locked"), "\(outcome)")
      #expect(!outcome.messages.contains("database is locked"), "\(outcome)")
    }
    let waited = (ContinuousClock.now - start) / .seconds(1)
    #expect(waited > 9, "gave up after \(waited) s")
    let ran = try await once
    #expect(ran.isDone || ran.status == 75, "\(ran)")
    holder.send(SIGKILL)
    #expect(await holder.end == .signalled(SIGKILL))
    #expect(try await box.json("show", "--all").elements?.map { $0["is_checked"] } == [.bool(false)])
    #expect(try await box.json("add", "Bread")["id"] == .integer(2))
  }

  @Test("a lock that is given back in time is waited for")
  func patience() async throws {
    try await box.json("add", "Milk")
    let holder = try await lock(for: 2)
    let outcome = try await box.belfry("add", "Bread", "--json", options: RunOptions(isUrgent: true))
    #expect(outcome.isDone, "\(outcome)")
    #expect(await holder.end == .exited(0))
    #expect(try await box.ids("show").count == 2)
  }

  @Test("a second daemon ends with 75 and names the first one's process; so does run --once")
  func secondDaemon() async throws {
    let daemon = try await box.daemon()
    for words in [["run"], ["run", "--once"]] {
      let second = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(second.status == 75, "\(second)")
      #expect(second.messages.contains("\(daemon.process.pid)"), "\(second)")
      #expect(second.output.isEmpty)
    }
    let direct = try await box.run([Programs.belfryd], RunOptions())
    #expect(direct.status == 75, "\(direct)")
    try box.write("store: { type: sqlite, path: link.sqlite }\n", to: "link.yaml")
    try FileManager.default.createSymbolicLink(atPath: box.path("link.sqlite"), withDestinationPath: "store.sqlite")
    let linked = try await box.belfry("run", "--once", "--config", "link.yaml")
    #expect(linked.status == 75, "\(linked)")
    #expect(await daemon.stop().end == .exited(0))
    let third = try await box.belfry("run", "--once")
    #expect(third.isDone, "\(third)")
  }

  @Test("exactly one of several daemons started at once runs")
  func race() async throws {
    let daemons = try (0..<6).map { _ in try box.startDaemon() }
    try await waitUntil("one daemon is left") {
      daemons.count { $0.process.isRunning } == 1 && daemons[0].log.contains("started")
    }
    for daemon in daemons where !daemon.process.isRunning {
      #expect(await daemon.process.end == .exited(75), "\(daemon.log)")
    }
    let left = try #require(daemons.first { $0.process.isRunning })
    #expect(await left.stop().end == .exited(0))
  }

  @Test("a daemon that was killed leaves no lock behind")
  func staleLock() async throws {
    let daemon = try await box.daemon()
    daemon.process.send(SIGKILL)
    #expect(await daemon.process.end == .signalled(SIGKILL))
    let next = try await box.daemon()
    #expect(await next.stop().end == .exited(0))
  }

  private func importing(_ options: RunOptions) async throws -> Outcome {
    try box.write("<plist version=\"1.0\"><array><string>Eggs</string></array></plist>", to: "eggs.plist")
    return try await box.belfry("import", "eggs.plist", options: options)
  }

  /// Another program that holds SQLite's write lock.
  private func lock(for seconds: Int) async throws -> ChildProcess {
    let program = """
      import sqlite3, sys, time
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute('BEGIN IMMEDIATE')
      print('held', flush=True)
      time.sleep(\(seconds))
      """
    let words = [Programs.python, "-c", program, box.store].map { Array($0.utf8) }
    let holder = try box.start(bytes: words, RunOptions(output: .writing(box.path("held"))))
    try await waitUntil("the lock is held") { box.text("held") == "held\n" }
    return holder
  }
}
