import BelfryEngine
import BelfryModel
import BelfryRuntime
import ConfigKeys
import OrderedJSON
import Synchronization
import SystemThreads

/// A test of a sink, carried out by belfryd, since this program itself sends no messages.
struct SinkTestRun: Sendable {
  /// The outcome for each recipient, as `belfry sinks test --json` prints it.
  let results: JSONValue
  /// The lines of the dialogue with the server, without secrets.
  let dialogue: [String]

  /// Tests a sink, unless one is being tested already, since each test runs a program.
  ///
  /// - Parameters:
  ///   - recipient: its only recipient; `nil` for all of the sink's.
  ///   - beforehand: called just before it runs.
  /// - Throws: ``Problem`` 404 for a sink that is switched off or not in the config, 503 while another is tested, 502
  ///   if the test could not be run.
  static func run(
    _ name: String, _ setup: WebSetup, _ turn: SinkTestTurn, to recipient: String? = nil,
    beforehand: () async throws -> Void = {}
  ) async throws -> SinkTestRun {
    guard setup.sections.contains(where: { $0.name == name && $0.isEnabled }) else {
      let nearest = Suggestion.nearest(to: name, among: setup.sinks.map(\.name))
      throw Problem(
        .notFound, "there is no sink '\(name)', or it is switched off", hint: nearest.map { "did you mean '\($0)'?" })
    }
    guard turn.take() else {
      throw Problem(.serviceUnavailable, "another sink is being tested", hint: "try again in a moment", retryAfter: 5)
    }
    defer { turn.end() }
    try await beforehand()
    // Joined with `=`, so that no name is read as an option.
    let words =
      [setup.daemon, "--test-sink=\(name)", "--json", "--verbose"] + (recipient.map { ["--recipient=\($0)"] } ?? [])
      + (setup.source.map { ["--config=\($0)"] } ?? [])
    let thread = TaskThread()
    let run = try await Task(executorPreference: thread) { try ProgramRun(words) }.value
    withExtendedLifetime(thread) {}
    return try SinkTestRun(run)
  }

  private init(_ run: ProgramRun) throws(Problem) {
    // The message of a sink of type stdout comes before the results.
    var output = run.output.split(separator: "\n").map(String.init)
    let last = output.popLast() ?? ""
    let lines = run.messages.split(separator: "\n").map(String.init) + output
    guard let results = try? JSONValue(parsing: last.utf8), let all = results.arrayValue else {
      throw Problem(
        .badGateway, "the test could not be made: \(lines.first ?? "belfryd said nothing")",
        hint: "'belfry sinks test' shows more")
    }
    self.results = results
    // The program ends with an error that says again why recipients were not reached.
    let told = all.compactMap { result -> String? in
      guard let sink = result["sink"]?.stringValue, let reason = result["reason"]?.stringValue else { return nil }
      return "\(result["recipient"]?.stringValue.map { "\(sink) (\($0))" } ?? sink): \(reason)"
    }
    dialogue = lines.filter { line in !told.contains { line.hasSuffix($0) } }
  }

  /// The outcome of the first recipient in words: `delivered`, `later: HTTP 503`.
  var outcome: String {
    let result = results.arrayValue?.first?.objectValue
    let word = result?["outcome"]?.stringValue ?? "unknown"
    return result?["reason"]?.stringValue.map { "\(word): \($0)" } ?? word
  }
}

/// The turn to test a sink, which one request has at a time, and the last test of each sink.
final class SinkTestTurn: Sendable {
  private let isTaken = Mutex(false)
  private struct Target: Hashable {
    let sink: String
    let recipient: String?
  }

  private let runs = Mutex<[Target: SinkTestRun]>([:])

  /// The last test of a sink, or of one of its recipients; `nil` if there was none since the start.
  func last(of sink: String, to recipient: String? = nil) -> SinkTestRun? {
    runs.withLock { $0[Target(sink: sink, recipient: recipient)] }
  }

  /// Keeps a test for the page that shows it.
  func keep(_ run: SinkTestRun, of sink: String, to recipient: String? = nil) {
    runs.withLock { $0[Target(sink: sink, recipient: recipient)] = run }
  }

  /// Takes the turn; false if another request has it.
  fileprivate func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }

  fileprivate func end() { isTaken.withLock { $0 = false } }
}
