import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// A daemon whose items are all due when it starts, and a webhook that takes its time.
final class BurstRun {
  /// The types of stores.
  enum Home: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite, json, plist, vdir, postgres

    var description: String { rawValue }
  }

  struct Arrival {
    /// In seconds since 1970.
    let time: Double
    let identity: String
    let item: Int
  }

  /// The attempts of the webhook under way at once, if nothing else is configured.
  static let slots = 16

  let box: Sandbox
  private let server: PostgresServer?
  private let store: String

  /// - Parameter gate: the number of messages that the webhook answers until ``open(_:)`` is called; `nil` for all.
  init(_ home: Home, items: Int, answerAfter seconds: Double = 0.01, gate: Int? = nil) async throws {
    server = home == .postgres ? try PostgresServer() : nil
    box = try Sandbox()
    let box = box
    let words =
      [Programs.python, "-B", Programs.fixture("burst_collector.py"), "collected", "\(seconds)"]
      + (gate == nil ? [] : ["gate"])
    if let gate { try box.write("\(gate)", to: "gate") }
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
    self.store = store
    try configure()
    // With a clock that is behind, overdue items are still in the future.
    let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
    let lines = (1...items).map { "Item \($0)\n" }.joined()
    try await box.belfry("add", "-", "--due", due, options: RunOptions(input: Data(lines.utf8), clock: "-1h"))
      .requireDone()
  }

  /// Writes the config, with another store, other slots of the webhook, or another URL of it.
  func configure(store other: String? = nil, slots: Int? = nil, hook: String? = nil) throws {
    let collector = "http://127.0.0.1:\(box.lines("port")[0])/"
    let concurrency = slots.map { ", concurrency: \($0)" } ?? ""
    try box.write(
      """
      time_zone: Europe/Zurich
      store: \(other ?? store)
      missed: { policy: all }
      sinks: { hook: { type: webhook, url: "\(hook ?? collector)"\(concurrency) } }

      """, to: "belfry.yaml")
  }

  /// Lets the webhook answer this many messages in all, by default any number.
  func open(_ count: Int = .max) throws { try box.write("\(count)", to: "gate") }

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

  /// Starts the daemon and answers at random moments until nothing is pending any more. The gate must be closed.
  ///
  /// - Returns: the time at which each answer was on disk, by item, in seconds since 1970.
  func answers(of items: Int) async throws -> [Int: Double] {
    let words = [
      Programs.python, "-B", Programs.fixture("burst_answers.py"), try Programs.belfry, try Programs.belfryd,
      box.path("collected"), box.path("log"), box.path("gate"), "\(items)", "38",
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

  /// Waits until more than this many messages have arrived.
  func waitForArrivals(beyond count: Int) async throws {
    try await waitUntil("more than \(count) messages arrived: \(box.text("log"))") {
      box.data("collected").count { $0 == UInt8(ascii: "\n") } > count
    }
  }

  func repeats() throws -> Int {
    let arrivals = try arrivals()
    return arrivals.count - Set(arrivals.map(\.identity)).count
  }
}
