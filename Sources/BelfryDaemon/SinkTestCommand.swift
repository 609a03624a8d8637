import BelfryCore
import BelfryPlugins
import CurlTransport
import Foundation
import OrderedJSON
import Synchronization

/// `belfry sinks test` and `belfry config check --probe`, which this program carries out because it has the network.
struct SinkTestCommand {
  let config: String?
  let isVerbose: Bool
  let isJSON: Bool

  /// Sends a test through a sink.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a sink that is not there, `.refused` for one that refused.
  func test(_ name: String) throws {
    let assembly = try assembly()
    let sink = try sink(name, of: assembly)
    let results = try Self.wait { try await SinkTest(belfry: assembly.belfry).deliver(through: sink) }
    try finish(results, accepted: "was sent \"\(SinkTest.text(name))\" and said yes")
  }

  /// Connects to where every enabled sink sends.
  ///
  /// - Throws: ``BelfryError`` `.refused` where one cannot be reached or does not let us in.
  func probe() throws {
    let assembly = try assembly()
    let sinks = assembly.sinks
    let results = try Self.wait {
      var results: [SinkTest.Result] = []
      for sink in sinks { results.append(await SinkTest(belfry: assembly.belfry).probe(sink)) }
      return results
    }
    try finish(results, accepted: "can be reached")
  }

  private func assembly() throws -> Assembly {
    let transport = CurlTransport()
    let tell: @Sendable (TransferLine) -> Void = { line in StandardError.write(line.words) }
    let assembly = try Assembly(
      .file(config), time: SystemTimeSource(),
      transports: Transports(http: transport, mail: transport, trace: isVerbose ? tell : nil))
    for warning in assembly.warnings { StandardError.write(warning) }
    return assembly
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

  private func finish(_ results: [SinkTest.Result], accepted: String) throws {
    if isJSON { print(JSONValue.array(results.map(\.json)).serialized()) }
    for result in results where !isJSON && result.isAccepted {
      StandardError.write("\(result.place) \(accepted).")
    }
    let refused = results.filter { !$0.isAccepted }
    guard !refused.isEmpty else { return }
    throw BelfryError(
      .refused, refused.map { "\($0.place): \($0.reason ?? "refused")" }.joined(separator: "\n        "),
      hint: isVerbose ? nil : "-v shows the dialogue")
  }

  // The main thread waits: it belongs to nobody else.
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

extension TransferLine {
  /// The line with who said it.
  fileprivate var words: String {
    switch self {
    case .sent(let line): "> \(line)"
    case .received(let line): "< \(line)"
    case .note(let line): "* \(line)"
    }
  }
}
