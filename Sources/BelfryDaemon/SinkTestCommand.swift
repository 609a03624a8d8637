import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import CurlTransport
import FoundationEssentials
import Glibc
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
  /// - Parameters:
  ///   - recipient: its only recipient; `nil` for all of the sink's.
  ///   - waitsForAnswer: whether to wait for the press of a button of the test.
  /// - Throws: ``BelfryError`` `.notFound` for an unknown sink or recipient, `.refused` if the test failed, `.tryAgain`
  ///   if no answer arrived, `.usage` for a sink that cannot receive answers.
  func test(_ name: String, to recipient: String?, waitsForAnswer: Bool) throws {
    let assembly = try assembly()
    for warning in assembly.warnings { StandardError.write(warning.visibleLines) }
    let sink = try sink(name, of: assembly)
    let test = SinkTest(belfry: assembly.belfry)
    let recipients = try self.recipients(of: sink, recipient)
    let message = try test.message(for: sink, waitsForAnswer: waitsForAnswer)
    dialogue.hide(sink.buttons(of: message).joined().compactMap(\.self) + sink.links(of: message).flatMap(\.tokens))
    let way = try waitsForAnswer ? self.way(back: message, from: sink, assembly.belfry) : nil
    let results = try apart {
      try Waker.wait { _ in
        await test.deliver(message, through: sink, to: recipients, withLinks: way?.isByLink ?? false)
      }
    }
    let dialogues = dialogue.consumeHasLines() ? [name] : []
    let accepted = "was sent \"\(SinkTest.text(name))\" and accepted it"
    guard let way, results.allSatisfy(\.isAccepted) else {
      return try finish(results, accepted: accepted, dialogues: dialogues)
    }
    StandardError.write("\(name) \(accepted). Press one of its buttons within a minute.".visibleLine)
    let answer = Swift.Result {
      try Waker.wait { waits in
        try await AnswerTest(
          belfry: assembly.belfry, sink: sink, way: way,
          authors: ReplyAuthors(assembly.configuration.settings, sinks: assembly.sinks), message: message, waits: waits,
          log: log
        ).answer()
      }
    }
    let zone = try assembly.belfry.configuredZone()
    if isJSON { printJSON(results, (try? answer.get()).map { Zoned($0, in: zone) }) }
    let pressed = try answer.get()
    if !isJSON {
      StandardError.write("'\(pressed.action)' came back over \(pressed.channel.words).".visibleLine)
    }
  }

  /// Runs a test. Its output is not part of the document of `--json`, and goes to standard error.
  private func apart<Result>(_ test: () throws -> Result) rethrows -> Result {
    guard isJSON else { return try test() }
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    defer {
      dup2(output, STDOUT_FILENO)
      close(output)
    }
    return try test()
  }

  private func recipients(of sink: ActiveSink, _ name: String?) throws -> [String?] {
    let known = sink.sink.recipients
    guard let name else { return known }
    guard known.contains(name) else {
      let suggestion = Suggestion.text(for: name, among: known.compactMap(\.self))
      throw BelfryError(.notFound, "the sink '\(sink.name)' has no recipient '\(name)'\(suggestion)")
    }
    return [name]
  }

  // A test without buttons would wait for nothing.
  private func way(back message: Message, from sink: ActiveSink, _ belfry: Belfry) throws -> AnswerTest.Way {
    if let source = sink.sink.replySource {
      guard !source.hasTokens || message.tokens != nil else {
        throw BelfryError(.badConfig, "there are no keys to sign buttons with", hint: "'belfry doctor' says why")
      }
      return .source(source)
    }
    guard !sink.links(of: message).isEmpty else {
      throw BelfryError(
        .usage, "the sink '\(sink.name)' cannot receive answers, and its messages have no links",
        hint: "leave --answer out, or set 'web.public_url'")
    }
    let test = LinkTest(of: message.contents[0].reminderID, belfry)
    try test.begin(message.contents[0].actions)
    return .link(test)
  }

  /// Connects to the server of every enabled sink; the config's warnings were printed by the check before.
  ///
  /// - Throws: ``BelfryError`` `.refused` if a connection or authentication failed.
  func probe() throws {
    let assembly = try assembly()
    let sinks = assembly.sinks
    let (results, dialogues) = try Waker.wait { [dialogue] _ in
      var results: [SinkTestResult] = []
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
      templates: MustacheLanguage()
    ) { SignedLinks($0, log: log) }
  }

  private var log: EventLog {
    ProgramLog.makeEventLog(of: "belfry", .text, from: .warning, time: SystemTimeSource())
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
  private func finish(_ results: [SinkTestResult], accepted: String, dialogues: [String]) throws {
    if isJSON { printJSON(results) }
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

  private func printJSON(_ results: [SinkTestResult], _ answer: Zoned<Answer>? = nil) {
    let shown = results.map { SinkTestResult.form.json(SinkTestResult.Shown($0, answer)) }
    print(TerminalJSON.escaped(JSONValue.array(shown).serialized()))
  }
}

/// Records whether there was a dialogue, and prints it without tokens if `isShown`.
private final class Dialogue: Sendable {
  private let isShown: Bool
  private let hasLines = Mutex(false)
  private let redaction = Mutex(Redaction([]))

  init(isShown: Bool) { self.isShown = isShown }

  /// Hides tokens from now on, since the body of a message has them.
  func hide(_ tokens: [String]) { redaction.withLock { $0 = Redaction(tokens: tokens.map(Secret.init)) } }

  func add(_ line: TransferLine) {
    hasLines.withLock { $0 = true }
    guard isShown else { return }
    let words = redaction.withLock { $0 }.masked(line.words)
    // A server's reply may contain control characters.
    StandardError.write(words.visibleLine)
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
  /// The line with a mark for its direction.
  fileprivate var words: String {
    switch self {
    case .sent(let line): "> \(line)"
    case .received(let line): "< \(line)"
    case .note(let line): "* \(line)"
    }
  }
}
