import Foundation
import Testing

/// A running daemon, which appends its standard output and standard error to files.
struct RunningDaemon {
  static let output = "rang"
  static let log = "log"

  let box: Sandbox
  let process: ChildProcess

  /// The bodies of the delivered reminders, one on each line.
  var rung: [JSON] { get throws { try box.lines(Self.output).map { try JSON($0) } } }

  /// The texts of the delivered reminders.
  var rungTexts: [String] { get throws { try rung.compactMap { $0["data"]?["alert"]?["body"]?.text } } }

  var log: String { box.text(Self.log) }

  func waitForLog(_ text: String, within seconds: Double = 200) async throws {
    try await waitUntil("the daemon says '\(text)'; it said: \(log)", within: seconds) {
      log.contains(text) || !process.isRunning
    }
    try #require(log.contains(text), "the daemon ended and said: \(log)")
  }

  /// Waits until this many reminders were delivered.
  func waitForRinging(_ count: Int, within seconds: Double = 300) async throws {
    try await waitUntil("\(count) reminders rang; log: \(log)", within: seconds) {
      box.lines(Self.output).count >= count
    }
  }

  /// Stops it, and returns how it ended and after how many seconds.
  func stop(_ signal: Int32 = SIGTERM) async -> (end: ChildProcess.End, seconds: Double) {
    let start = ContinuousClock.now
    process.send(signal)
    let end = await process.end
    return (end, (ContinuousClock.now - start) / .seconds(1))
  }
}

extension Sandbox {
  /// Starts `belfry run` and waits until it is ready.
  func daemon(at clock: String? = nil, deadline: Double? = nil) async throws -> RunningDaemon {
    unlink(path(RunningDaemon.log))
    return try await Turns.run(ticket) {
      let daemon = try startDaemon(at: clock, deadline: deadline)
      try await daemon.waitForLog("started")
      return daemon
    }
  }

  /// Starts `belfry run`.
  ///
  /// - Parameter prefix: words before it, such as those of a tracer.
  func startDaemon(at clock: String? = nil, prefix: [String] = [], deadline: Double? = nil) throws -> RunningDaemon {
    let options = RunOptions(
      output: .appending(path(RunningDaemon.output)), messages: .appending(path(RunningDaemon.log)), clock: clock,
      prefix: prefix, deadline: deadline)
    let words = [try Programs.belfry, "run"].map { Array($0.utf8) }
    return RunningDaemon(box: self, process: try start(bytes: words, options))
  }

  /// Delivers what is due at a time with `belfry run --once`, and returns the delivered reminders.
  func runOnce(at clock: String) async throws -> [JSON] {
    let outcome = try await belfry("run", "--once", options: .at(clock))
    try #require(outcome.isDone, "\(outcome)")
    return try outcome.output.split(separator: "\n").map { try JSON(String($0)) }
  }
}
