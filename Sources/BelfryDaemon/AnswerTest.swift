import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Synchronization
import SystemThreads

/// Waits for a press of a button of a test message, which is in no store.
///
/// Other answers that arrive meanwhile are carried out as by the daemon, since they may arrive only once.
struct AnswerTest: Sendable {
  /// The seconds for which it waits.
  static let patience = 60.0
  /// The seconds after a press in which the source may notify the other side.
  private static let farewell = 1.0

  let belfry: Belfry
  let sink: ActiveSink
  let way: Way
  let authors: ReplyAuthors
  let message: Message
  let waits: any TaskWaits
  let log: EventLog

  /// The channel by which the press arrives.
  enum Way: Sendable {
    /// Over the sink itself.
    case source(any ReplySource)
    /// Over the web face, by the tokens of links.
    case link(LinkTest)

    /// True if it arrives over the web face.
    var isByLink: Bool { if case .link = self { true } else { false } }
  }

  private enum End {
    case received(ReceiveOutcome)
    case pressed
    case late
  }

  /// Waits, and returns the answer to the message.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` if no answer arrived in time, `.refused` if none can arrive, and the errors
  ///   of the store.
  func answer() async throws -> Answer {
    switch way {
    case .source(let source): return try await answer(over: source)
    case .link(let test):
      guard let number = try await test.pressed(within: Self.patience, waits),
        let answer = answer(to: press(number))
      else { throw failure(.late) }
      return answer
    }
  }

  private func press(_ number: Int) -> Press {
    Press(reminder: message.contents[0].reminderID, choice: .number(number), channel: .link)
  }

  private func answer(over source: any ReplySource) async throws -> Answer {
    let found = Mutex<Answer?>(nil)
    let (presses, press) = AsyncStream.makeStream(of: Void.self)
    let inbox = Inbox(
      sink, over: source.channel, by: authors, belfry: belfry, waits: waits, log: log, changed: {},
      test: { pressed in
        let answer = answer(to: pressed)
        guard let answer else { return nil }
        found.withLock { $0 = $0 ?? answer }
        press.yield()
        return answer
      })
    try inbox.load()
    let end = try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask { .received(try await source.receive(inbox, waits: true)) }
      group.addTask { [belfry, waits] in
        await waits.until(belfry.time.now.addingTimeInterval(Self.patience))
        return .late
      }
      group.addTask { [belfry, waits] in
        for await _ in presses { break }
        await waits.until(belfry.time.now.addingTimeInterval(Self.farewell))
        return .pressed
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .late
    }
    if let answer = found.withLock({ $0 }) { return answer }
    throw failure(end)
  }

  private func failure(_ end: End) -> BelfryError {
    switch end {
    case .received(.later(let reason, _, _)), .received(.never(let reason)):
      return BelfryError(
        .refused, "the sink '\(sink.name)' receives no answers: \(reason)",
        hint: "if only one program can receive answers, stop belfryd during the test")
    case .received(.ended):
      return BelfryError(.tryAgain, "the connection of the sink '\(sink.name)' ended before an answer came")
    case .late, .pressed:
      return BelfryError(
        .tryAgain, "no answer came back within a minute", hint: "press a button of the test message")
    }
  }

  // nil for a press that is not for the test.
  private func answer(to press: Press) -> Answer? {
    guard let content = message.contents.first(where: { $0.reminderID == press.reminder }) else { return nil }
    let action: OfferedAction? =
      switch press.choice {
      case .number(let number): number > 0 ? content.actions.dropFirst(number - 1).first : nil
      case .identifier(let identifier): content.actions.first { $0.identifier == identifier }
      case .acknowledgement:
        OfferedAction(identifier: "acknowledge", title: "Acknowledge", operation: .acknowledge)
      }
    guard let action else { return nil }
    return Answer(
      id: 0, reminderID: press.reminder, ring: press.reminder, owner: content.owner,
      wallTime: content.fireDate.wallTime, lead: .zero, listName: content.listName, text: content.text,
      action: action.identifier, operation: action.operation?.word ?? .none, channel: press.channel,
      date: belfry.time.now.wholeSeconds, effect: .done, reply: "the test works: '\(action.identifier)' came back")
  }
}
