import BelfryTestKit
import Foundation
import Testing

/// A run of a daemon with three sinks, its disturbances, and the messages that arrived.
final class ChaosRun {
  /// The size of a run.
  struct Length {
    let items: Int
    /// The duration of the disturbances, in seconds.
    let disturbance: Double
    /// The most failed attempts at one message.
    let faults: Int
    let isLong: Bool

    /// Ten minutes if a duration is given, otherwise half a minute.
    init(seconds: String?) {
      let seconds = seconds.flatMap(Double.init) ?? 0
      isLong = seconds >= 300
      items = isLong ? 500 : 60
      // After the disturbances, two faults and a transfer cut off by a stop take almost three minutes (5 s, 30 s, 2
      // min).
      disturbance = isLong ? seconds : 15
      faults = isLong ? 2 : 1
    }
  }

  /// A message as it arrived.
  struct Arrival: Decodable {
    let sink: String
    let identity: String
    /// In seconds since 1970.
    let time: Double
    /// `taken`, `unknown` or `refused`.
    let result: String

    /// Those that the collector has logged.
    static func all(in box: Sandbox) throws -> [Arrival] {
      try box.lines("collected").map { try JSONDecoder().decode(Arrival.self, from: Data($0.utf8)) }
    }
  }

  // Shorter than the longest stop, so that some transfers time out during one.
  private static let timeout: Double = 3

  let length: Length
  let box: Sandbox
  private(set) var kills: [Double] = []
  private var disturbances: [Double] = []
  private var daemon: ChildProcess
  private(set) var starts = 1
  private var random: SeededGenerator

  init(_ length: Length, seed: UInt64) async throws {
    self.length = length
    random = SeededGenerator(seed: seed)
    box = try Sandbox()
    let words = [
      Programs.python, "-B", Programs.fixture("chaos_collector.py"), "collected", "\(seed)", "\(length.faults)",
    ]
    _ = try box.start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("ports")), messages: .writing(box.path("collector.log"))))
    let box = box
    try await waitUntil("the collector listens: \(box.text("collector.log"))") { !box.lines("ports").isEmpty }
    try box.write(Self.config(ports: box.lines("ports")[0].split(separator: " ").map(String.init)), to: "belfry.yaml")
    try await Self.addItems(length, to: box)
    daemon = try Self.start(box, 1)
  }

  /// Kills, stops and restarts the daemon at random.
  func misbehave() async throws {
    let end = ContinuousClock.now + .seconds(length.disturbance)
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(Int.random(in: 100...(length.isLong ? 5_000 : 1_000), using: &random)))
      #expect(daemon.isRunning, "it ended by itself: \(box.text("log.\(starts)"))")
      disturbances.append(Date().timeIntervalSince1970)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<7:
        kills.append(Date().timeIntervalSince1970)
        try await restart(after: SIGKILL)
      case 7..<9:
        let seconds = Double.random(in: 0.1...4, using: &random)
        daemon.send(SIGSTOP)
        try await Task.sleep(for: .seconds(seconds))
        daemon.send(SIGCONT)
      default: try await restart(after: SIGTERM)
      }
      disturbances.append(Date().timeIntervalSince1970)
    }
  }

  /// Waits until nothing is pending.
  func settle() async throws {
    let end = ContinuousClock.now + .seconds(length.isLong ? 600 : 300)
    while try await !isSettled() {
      guard ContinuousClock.now < end else {
        let left = try await box.belfry("deliveries", "--state", "pending", "--json").output
        throw TooLate(what: "nothing is pending: \(left.prefix(2_000))", seconds: length.isLong ? 600 : 300)
      }
      try await Task.sleep(for: .milliseconds(500))
    }
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0))
  }

  /// The messages that arrived, in order.
  func collected() throws -> [Arrival] {
    let network = try Arrival.all(in: box)
    let printed = try (1...starts).flatMap { number in
      try box.lines("out.\(number)").map { line in
        let identity = try #require(try JSON(line)["data"]?["reminder_id"]?.text)
        // The exact time is unknown: each daemon has its own output file, whose number is used instead.
        return Arrival(sink: "out", identity: identity, time: Double(number), result: "taken")
      }
    }
    return network + printed
  }

  /// The number of postponed attempts in the log, by delivery.
  func putOff() -> [Int: Int] {
    let lines = (1...starts).flatMap { box.text("log.\($0)").split(separator: "\n") }
    let numbers = lines.compactMap { line -> Int? in
      let words = line.split(separator: " ")
      guard line.contains(" put off after attempt "), let place = words.firstIndex(of: "delivery") else { return nil }
      return words.dropFirst(place + 1).first.flatMap { Int($0) }
    }
    return Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// True if a disturbance of the daemon explains that a message arrived both at one time and again at another.
  func isDisturbed(from start: Double, to end: Double) -> Bool {
    // For standard output the times are numbers of daemons; a different daemon is reason enough.
    if end <= Double(starts) { return start < end }
    // The receiver may accept a message shortly after the daemon was killed.
    return disturbances.contains { $0 > start - 1 && $0 < end }
  }

  private func isSettled() async throws -> Bool {
    guard try await box.json("pending") == .array([]) else { return false }
    return try await box.json("deliveries", "--state", "pending") == .array([])
  }

  private func restart(after signal: Int32) async throws {
    daemon.send(signal)
    let end = await daemon.end
    // It may not yet have installed its signal handling.
    let isExpected = end == .signalled(signal) || (signal == SIGTERM && end == .exited(0))
    #expect(isExpected, "\(end) after signal \(signal): \(box.text("log.\(starts)").suffix(2_000))")
    starts += 1
    daemon = try Self.start(box, starts)
  }

  private static func start(_ box: Sandbox, _ number: Int) throws -> ChildProcess {
    try box.start(
      bytes: [Array(try Programs.belfryd.utf8)],
      RunOptions(
        output: .writing(box.path("out.\(number)")), messages: .writing(box.path("log.\(number)"))))
  }

  /// Adds items, of which some are overdue and the others due within the next minutes.
  private static func addItems(_ length: Length, to box: Sandbox) async throws {
    let minutes = length.isLong ? 9 : 1
    let now = Date().timeIntervalSince1970
    for minute in 0..<minutes {
      let numbers = stride(from: minute, to: length.items, by: minutes)
      let due = Date(timeIntervalSince1970: now + Double(minute - 1) * 60).formatted(.iso8601)
      // With a clock that is behind, overdue items are still in the future, however long the command waits for its turn.
      let lines = numbers.map { "Item \($0)\n" }.joined()
      let added = try await box.belfry(
        "add", "-", "--due", due, options: RunOptions(input: Data(lines.utf8), clock: "-1h"))
      try #require(added.isDone, "\(added)")
    }
  }

  private static func config(ports: [String]) throws -> String {
    try #require(ports.count == 2)
    return """
      store: { type: sqlite, path: store.sqlite }
      missed: { policy: all }
      sinks:
        out: { type: stdout, format: json }
        hook: { type: webhook, url: "http://127.0.0.1:\(ports[0])/hook", timeout: 3s, concurrency: 3 }
        \(Sandbox.mailSink("smtp://127.0.0.1:\(ports[1])", more: ", timeout: 3s, concurrency: 3"))

      """
  }
}
