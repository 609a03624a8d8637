import BelfryEngine
import BelfryModel
import BelfryPlugins
import CivilTime
import ConfigKeys
import CurlTransport
import Dispatch
import FoundationEssentials
import MustacheTemplates
import OrderedJSON
import Synchronization
import Transport

/// `belfry sinks test` and `belfry config check --probe`, which run in this program because it has network access.
struct SinkTestCommand {
  private let config: String?
  private let isVerbose: Bool
  private let isJSON: Bool
  private let dialogue: Dialogue

  init(config: String?, isVerbose: Bool, isJSON: Bool) {
    self.config = config
    self.isVerbose = isVerbose
    self.isJSON = isJSON
    dialogue = Dialogue(isShown: isVerbose)
  }

  /// Sends a test through a sink.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for an unknown sink, `.refused` where the test failed.
  func test(_ name: String) throws {
    let assembly = try assembly()
    for warning in assembly.warnings { StandardError.write(warning.visibleLines) }
    let sink = try sink(name, of: assembly)
    let results = try Self.wait { try await SinkTest(belfry: assembly.belfry).deliver(through: sink) }
    try finish(
      results, accepted: "was sent \"\(SinkTest.text(name))\" and accepted it",
      dialogues: dialogue.consumeHasLines() ? [name] : [])
  }

  /// Connects to the server of every enabled sink; the config's warnings were printed by the check before.
  ///
  /// - Throws: ``BelfryError`` `.refused` where a connection or authentication failed.
  func probe() throws {
    let assembly = try assembly()
    let sinks = assembly.sinks
    let (results, dialogues) = try Self.wait { [dialogue] in
      var results: [SinkTest.Result] = []
      var dialogues: [String] = []
      for sink in sinks {
        let result = await SinkTest(belfry: assembly.belfry).probe(sink)
        results.append(result)
        if dialogue.consumeHasLines(), !result.isAccepted { dialogues.append(sink.name) }
      }
      return (results, dialogues)
    }
    try finish(results, accepted: "can be reached", dialogues: dialogues)
  }

  private func assembly() throws -> Assembly {
    let transport = CurlTransport()
    return try Assembly(
      .file(config), time: SystemTimeSource(),
      transports: Transports(http: transport, mail: transport) { [dialogue] in dialogue.add($0) },
      templates: MustacheLanguage())
  }

  private func sink(_ name: String, of assembly: Assembly) throws -> ActiveSink {
    if let sink = assembly.sinks.first(where: { $0.name == name }) { return sink }
    let known = assembly.configuration.sinks.map(\.name)
    if known.contains(name) {
      throw BelfryError(.notFound, "the sink '\(name)' is switched off", hint: "set 'enabled: true' in the config")
    }
    let hint =
      Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" } ?? "'belfry sinks' lists the sinks"
    throw BelfryError(.notFound, "there is no sink '\(name)'", hint: hint)
  }

  // The hint to the dialogue is only for failures with one.
  private func finish(_ results: [SinkTest.Result], accepted: String, dialogues: [String]) throws {
    if isJSON { print(TerminalJSON.escaped(JSONValue.array(results.map(\.json)).serialized())) }
    for result in results where !isJSON && result.isAccepted {
      StandardError.write("\(result.place) \(accepted).".visibleLine)
    }
    let refused = results.filter { !$0.isAccepted }
    guard !refused.isEmpty else { return }
    throw BelfryError(
      .refused, refused.map { "\($0.place): \($0.reason ?? "refused")" }.joined(separator: "\n        "),
      hint: isVerbose
        ? nil
        : dialogues.first.map { "'belfry sinks test \(dialogues.count == 1 ? $0 : "NAME") -v' shows the dialogue" })
  }

  // Only the main thread may block on a task.
  private static func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Swift.Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task(priority: .medium) {
      let ended: Swift.Result<Value, any Error>
      do { ended = .success(try await work()) } catch { ended = .failure(error) }
      result.withLock { $0 = ended }
      done.signal()
    }
    done.wait()
    guard let ended = result.withLock({ $0 }) else {
      throw BelfryError(.internalError, "a test ended without a result")
    }
    return try ended.get()
  }
}

/// Records whether there was a dialogue, and prints it if `isShown`.
private final class Dialogue: Sendable {
  private let isShown: Bool
  private let hasLines = Mutex(false)

  init(isShown: Bool) { self.isShown = isShown }

  func add(_ line: TransferLine) {
    hasLines.withLock { $0 = true }
    // A server's reply may contain control characters.
    if isShown { StandardError.write(line.words.visibleLine) }
  }

  /// Returns whether there was a dialogue since the last call.
  func consumeHasLines() -> Bool {
    hasLines.withLock { hasLines in
      defer { hasLines = false }
      return hasLines
    }
  }
}

extension TransferLine {
  /// The line with a mark of its direction.
  fileprivate var words: String {
    switch self {
    case .sent(let line): "> \(line)"
    case .received(let line): "< \(line)"
    case .note(let line): "* \(line)"
    }
  }
}
