import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Many reminders at once, in each store: what a kill repeats, and what an answer still stops.
@Suite("A burst")
struct BurstTests {
  enum Home: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite, json, plist, vdir, postgres

    var description: String { rawValue }
  }

  /// The attempts under way at once.
  private static let slots = 16
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  static let items = isDeep ? 2_000 : 200
  private static let kills = isDeep ? 50 : 5
  /// The answers that a run must meet.
  private static let answers = isDeep ? 1_000 : 50

  @Test("a kill repeats no more than two messages for each slot, and loses none", arguments: Home.allCases)
  func kills(home: Home) async throws {
    let run = try await BurstRun(home, items: Self.items, answerAfter: 0.01)
    var random = SeededGenerator(seed: 37)
    var (repeats, most) = (0, 0)
    for _ in 1...Self.kills {
      let known = try run.arrivals().count
      let daemon = try run.start()
      let count = min(known + Int.random(in: 20...60, using: &random), Self.items)
      try await waitUntil("\(count) messages arrived: \(run.box.text("log"))") { try run.arrivals().count >= count }
      daemon.send(SIGKILL)
      _ = await daemon.end
      let now = try run.repeats()
      (repeats, most) = (now, max(most, now - repeats))
    }
    try await run.settle()
    let all = try run.repeats()
    most = max(most, all - repeats)
    #expect(most <= 2 * Self.slots, "one kill repeated \(most) messages")
    #expect(all > 0, "the test has to meet attempts that a kill cut off")
    if Self.isDeep { print("\(home): \(Self.kills) kills repeated \(all) messages, one at most \(most)") }
    #expect(try Set(run.arrivals().map(\.item)).count == Self.items)
    #expect(try Set(run.arrivals().map(\.identity)).count == Self.items)
  }

  @Test("no attempt begins later than a second after another program has answered", arguments: Home.allCases)
  func answers(home: Home) async throws {
    let run = try await BurstRun(home, items: Self.items, answerAfter: 1)
    let answered = try await run.answers()
    let arrivals = try run.arrivals()
    let late = arrivals.filter { $0.time > answered[$0.item, default: .infinity] + 1 }
    #expect(late.isEmpty, "\(late.count) attempts began later than a second after the answer: \(late.prefix(3))")
    let arrived = Set(arrivals.map(\.item))
    let stopped = answered.keys.filter { !arrived.contains($0) }.count
    #expect(answered.count >= Self.answers, "only \(answered.count) items were answered")
    #expect(stopped > 5, "only \(stopped) of \(answered.count) answers came before the attempt")
    #expect((1...Self.items).allSatisfy { arrived.contains($0) || answered[$0] != nil }, "something was never sent")
    if Self.isDeep {
      let last = arrivals.map { $0.time - answered[$0.item, default: .infinity] }.max() ?? 0
      print("\(home): \(answered.count) answers, \(stopped) in time; the last attempt \(last) s after its answer")
    }
  }
}

/// A daemon whose items are all due when it starts, and a webhook that takes its time.
private final class BurstRun {
  struct Arrival {
    /// In seconds since 1970.
    let time: Double
    let identity: String
    let item: Int
  }

  let box: Sandbox
  private let server: PostgresServer?

  init(_ home: BurstTests.Home, items: Int, answerAfter seconds: Double) async throws {
    server = home == .postgres ? try PostgresServer() : nil
    box = try Sandbox()
    let box = box
    let words = [Programs.python, "-B", Programs.fixture("burst_collector.py"), "collected", "\(seconds)"]
    _ = try box.start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("port")), messages: .writing(box.path("errors"))))
    try await waitUntil("the collector listens: \(box.text("errors"))") { !box.lines("port").isEmpty }
    let store =
      switch home {
      case .sqlite, .json, .plist: "{ type: \(home), path: store }"
      case .vdir: "{ type: vdir, path: folder }"
      case .postgres: "{ type: postgres, url_file: database-url }"
      }
    if let server { try box.write(server.url() + "\n", to: "database-url") }
    try box.write(
      """
      time_zone: Europe/Zurich
      store: \(store)
      missed: { policy: all }
      sinks: { hook: { type: webhook, url: "http://127.0.0.1:\(box.lines("port")[0])/" } }

      """, to: "belfry.yaml")
    // With a clock that is behind, overdue items are still in the future.
    let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
    let lines = (1...items).map { "Item \($0)\n" }.joined()
    try await box.belfry("add", "-", "--due", due, options: RunOptions(input: Data(lines.utf8), clock: "-1h"))
      .requireDone()
  }

  func start() throws -> ChildProcess {
    try box.start(
      bytes: [Array(try Programs.belfryd.utf8)],
      RunOptions(messages: .appending(box.path("log")), isUrgent: true))
  }

  /// Starts the daemon, and waits until nothing is pending.
  func settle() async throws {
    let daemon = try start()
    try await waitUntil("something arrived: \(box.text("log"))") { try !arrivals().isEmpty }
    try await waitUntil("nothing is pending: \(box.text("log"))") { try await !isPending() }
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0))
  }

  /// Starts the daemon and answers at random moments until nothing is pending any more.
  ///
  /// - Returns: the time at which each answer was on disk, by item, in seconds since 1970.
  func answers() async throws -> [Int: Double] {
    let words = [
      Programs.python, "-B", Programs.fixture("burst_answers.py"), try Programs.belfry, try Programs.belfryd,
      box.path("collected"), box.path("log"), "\(BurstTests.items)", "38",
    ]
    let outcome = try await box.run(words, RunOptions(isUrgent: true))
    try outcome.requireDone()
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(uniqueKeysWithValues: try lines.map { (try #require(Int($0[0])), try #require(Double($0[1]))) })
  }

  func isPending() async throws -> Bool {
    guard try await box.json("pending") == .array([]) else { return true }
    return try await box.json("deliveries", "--state", "pending") != .array([])
  }

  func arrivals() throws -> [Arrival] {
    try box.lines("collected").map { line in
      let words = line.split(separator: " ")
      return Arrival(
        time: try #require(Double(words[0])), identity: String(words[1]), item: try #require(Int(words[2])))
    }
  }

  func repeats() throws -> Int {
    let arrivals = try arrivals()
    return arrivals.count - Set(arrivals.map(\.identity)).count
  }
}
