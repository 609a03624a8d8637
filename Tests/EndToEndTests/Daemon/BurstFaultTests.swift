import Foundation
import TestSupport
import Testing

/// What else happens while many reminders go out at once. The webhook answers no more than the test lets it, so each
/// fault comes in the middle of a burst, however busy the machine is.
@Suite("A fault in the middle of a burst", .ownThread)
struct BurstFaultTests {
  /// The attempts under way at once.
  private static let items = 200
  /// More than are read ahead.
  private static let pending = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 100_000 : 6_000

  @Test(
    "a full disk stops each slot after two messages; once there is room all go out, none twice",
    arguments: DiskStore.allCases)
  func fullDisk(store: DiskStore) async throws {
    let home = try #require(BurstRun.Home(rawValue: store.rawValue))
    let run = try await BurstRun(home, items: Self.items, gate: 20)
    let box = run.box
    try run.configure(store: "{ type: \(store), path: home/disk/store }")
    let words = [
      Programs.python, "-B", Programs.fixture("burst_full_disk.py"), try Programs.belfry, try Programs.belfryd,
      box.path("collected"), box.path("gate"), box.path("log"), box.path("home/disk"),
    ]
    let script = "cp \"$HOME\"/../store* . && " + words.map { "\"\($0)\"" }.joined(separator: " ")
    let outcome = try await box.shell(
      FullDiskTests.mounting("8m", script), options: RunOptions(isUrgent: true, deadline: 1_200))
    try #require(outcome.isDone, "\(outcome) \(box.text("log"))")
    let seen = try JSON(outcome.output)
    let (arrived, recorded) = (seen["arrived"]?.integer ?? 0, seen["recorded"]?.integer ?? 0)
    #expect(
      arrived > recorded && arrived - recorded <= Int64(2 * BurstRun.slots), "\(arrived) arrived, \(recorded) recorded")
    #expect(seen["ended"] == .integer(0))
    #expect(try Set(run.arrivals().map(\.item)).count == Self.items)
    #expect(try run.repeats() == 0)
  }

  @Test("configs that are reloaded lose nothing and repeat nothing", arguments: BurstRun.Home.allCases)
  func reloaded(home: BurstRun.Home) async throws {
    let run = try await BurstRun(home, items: Self.items, gate: 0)
    let daemon = try run.start()
    for (number, slots) in [4, 1, 8].enumerated() {
      try run.open(30 * (number + 1))
      try await run.waitForArrivals(beyond: 30 * (number + 1))
      try run.configure(slots: slots)
      daemon.send(SIGHUP)
      try await waitUntil("the config is loaded: \(run.box.text("log"))") {
        run.box.text("log").ranges(of: "the config was reloaded").count > number
      }
    }
    try run.open()
    try await waitUntil("nothing is pending: \(run.box.text("log"))") { try await !run.isPending() }
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0))
    #expect(try Set(run.arrivals().map(\.item)).count == Self.items)
    #expect(try run.repeats() == 0)
  }

  // Not the stores of one file: a move takes no lock, and a change that the daemon is writing may replace the other file.
  @Test("a store that another one replaces sends no more than was under way; the other's reminders all go out")
  func replaced() async throws {
    let run = try await BurstRun(.sqlite, items: Self.items, gate: 20)
    let box = run.box
    try run.configure(store: "{ type: sqlite, path: other }")
    let added = Self.items + 1...Self.items + 60
    // Items without a date take the ids that the first store's items have.
    try await add(1...Self.items, to: box, due: nil)
    try await add(added, to: box, due: Date(timeIntervalSinceNow: -60))
    try run.configure()
    let daemon = try run.start()
    try await run.waitForArrivals(beyond: 20)
    // Moves the log of SQLite into the file.
    let whole =
      "'\(Programs.python)' -c 'import sqlite3; sqlite3.connect(\"other\").execute(\"PRAGMA wal_checkpoint(TRUNCATE)\")'"
    try await box.shell("\(whole) && rm -f store-* && mv -f other store", options: RunOptions(isUrgent: true))
      .requireDone()
    let before = try run.arrivals().count
    try run.open()
    try await waitUntil("the other store's reminders arrived: \(box.text("log"))") {
      try Set(run.arrivals().map(\.item)).isSuperset(of: added)
    }
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0), "\(box.text("log"))")
    let old = try run.arrivals().dropFirst(before).filter { $0.item <= Self.items }.count
    #expect(old <= 2 * BurstRun.slots, "\(old) messages of the store that is gone were sent after its end")
    #expect(try run.repeats() == 0)
  }

  @Test("a kill among thousands of pending deliveries repeats at most two for each slot; no more count as unknown")
  func manyPending() async throws {
    let run = try await BurstRun(.sqlite, items: 1, gate: 500)
    let box = run.box
    // Nobody listens there.
    try run.configure(hook: "http://127.0.0.1:1/")
    _ = try await box.run([Programs.belfryd, "--once"], RunOptions())
    try await box.run(
      [Programs.python, "-B", Programs.fixture("many_pending.py"), box.path("store"), "\(Self.pending)"], RunOptions()
    ).requireDone()
    try run.configure()
    let killed = try run.start()
    try await run.waitForArrivals(beyond: 500)
    killed.send(SIGKILL)
    _ = await killed.end
    try run.open()
    let daemon = try run.start()
    var arrivals = try run.arrivals()
    while Set(arrivals.map(\.identity)).count < Self.pending {
      try await run.waitForArrivals(beyond: arrivals.count)
      arrivals = try run.arrivals()
    }
    try await waitUntil("nothing is pending: \(box.text("log"))") { try await !run.isPending() }
    #expect(try daemon.peakMemory() <= 64 << 10)
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0), "\(box.text("log"))")
    #expect(try run.repeats() > 0 && run.repeats() <= 2 * BurstRun.slots)
    // Those that were delivered, and those that the kill may have cut off.
    let counts = try await box.python(
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      print(*store.execute("SELECT count(*) FROM delivery WHERE state = 1").fetchone())
      print(*store.execute("SELECT count(*) FROM attempt WHERE outcome = 3").fetchone())
      """, [box.path("store")]
    ).output.split(separator: "\n").compactMap { Int($0) }
    try #require(counts.count == 2)
    #expect(counts[0] == Self.pending)
    #expect(counts[1] > 0 && counts[1] <= 2 * BurstRun.slots, "\(counts[1]) attempts were recorded as unknown")
  }

  private func add(_ items: ClosedRange<Int>, to box: Sandbox, due: Date?) async throws {
    let lines = items.map { "Item \($0)\n" }.joined()
    let date = due.map { ["--due", $0.formatted(.iso8601)] } ?? []
    let words = [try Programs.belfry, "add", "-"] + date
    try await box.run(words, RunOptions(input: Data(lines.utf8), clock: "-1h")).requireDone()
  }
}
