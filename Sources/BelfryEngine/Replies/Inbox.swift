import BelfryModel
import FoundationEssentials
import Synchronization

/// The answers that arrive through one sink. Each is carried out in the transaction that stores the position after it,
/// so that it counts once, even if the program is killed.
///
/// Its calls block; a ``ReplySource`` runs on a thread of its own.
public final class Inbox: Sendable {
  /// The seconds between two writes that store only a position.
  private static let positionPause = 60.0
  /// The seconds between two log lines about messages that are not answers.
  private static let rejectionPause = 3_600.0

  /// The reason why no answers arrive.
  private struct Problem: Equatable {
    let reason: String
    let needsAttention: Bool
  }

  private struct State {
    var position: String?
    var keptAt = Date.distantPast
    var problem: Problem?
    /// The time at which the present connection was made.
    var connectedAt: Date?
    var rejected = 0
    var reportedAt = Date.distantPast
  }

  /// The use cases, for services of a sink other than answers.
  package let belfry: Belfry
  let sink: ActiveSink
  private let channel: Answer.Channel
  private let authors: ReplyAuthors
  private let waits: any TaskWaits
  private let log: EventLog
  private let changed: @Sendable () -> Void
  private let test: @Sendable (Press) -> Answer?
  private let state = Mutex(State())

  /// The inbox of a sink.
  ///
  /// - Parameters:
  ///   - authors: the people who may answer.
  ///   - changed: called after each transaction that answers something.
  ///   - test: answers a press of a test message, which is in no store; `nil` for any other press.
  package init(
    _ sink: ActiveSink, over channel: Answer.Channel, by authors: ReplyAuthors, belfry: Belfry, waits: any TaskWaits,
    log: @escaping EventLog, changed: @escaping @Sendable () -> Void,
    test: @escaping @Sendable (Press) -> Answer? = { _ in nil }
  ) {
    (self.sink, self.channel, self.authors, self.belfry) = (sink, channel, authors, belfry)
    (self.waits, self.log, self.changed, self.test) = (waits, log, changed, test)
  }

  /// The instant that the engine's clock shows.
  public var now: Date { belfry.time.now }

  /// Loads the stored state of this inbox. Called before each connection.
  package func load() throws {
    state.withLock { $0.connectedAt = nil }
    let kept = try belfry.store.read { try $0.inbox(ofSink: sink.name) }
    state.withLock { state in
      state.position = kept?.position
      state.problem = kept.flatMap { kept in
        kept.problem.map { Problem(reason: $0, needsAttention: kept.needsAttention) }
      }
    }
  }

  /// The position up to which answers were taken; `nil` before the first.
  public var position: String? { state.withLock { $0.position } }

  /// Answers reminders, in order, and stores the position after them, in one transaction. If there is nothing to carry
  /// out, it moves on as ``skip(to:)`` does.
  ///
  /// A press that cannot be carried out does not block the others: each is then answered in a transaction of its own,
  /// and the position is stored after the last.
  ///
  /// - Parameter position: the new ``position``; `nil` leaves it unchanged.
  /// - Throws: what the store throws, and ``BelfryError`` `.tryAgain` while the keys cannot be read; then nothing was
  ///   done, and the replies must be received again.
  public func take(_ replies: [Reply], position: String? = nil) throws -> [ReplyResult] {
    let now = self.now
    let presses = replies.map { press(for: $0, at: now) }
    guard !presses.contains(.failure(.unverifiable)) else {
      throw BelfryError(.tryAgain, "the keys that sign buttons cannot be read", hint: "'belfry doctor' says why")
    }
    let settled = presses.map(settledResult)
    guard settled.contains(nil) else {
      if let position { try skip(to: position) }
      return settled.compactMap(\.self)
    }
    do {
      let results = try belfry.change { change in
        let results = try zip(presses, settled).map { press, settled in
          try settled ?? result(of: press.get(), in: change)
        }
        if let position { try keep(position, in: change.transaction, at: change.stamp) }
        return results
      }
      moved(to: position, keptAt: now)
      changed()
      return results
    } catch {
      guard let fault = fault(of: error) else { throw error }
      let results = try replies.count == 1 ? [ReplyResult.failed(fault)] : replies.flatMap { try take([$0]) }
      if let position {
        try belfry.store.write { try keep(position, in: $0, at: now.wholeSeconds) }
        moved(to: position, keptAt: now)
      }
      if replies.count == 1 {
        log(Event(.warning, "sink '\(sink.name)': a button press could not be carried out: \(fault)"))
      }
      return results
    }
  }

  // The reason why this press can never be carried out; nil for an error of the store, after which it is received again.
  private func fault(of error: any Error) -> String? {
    guard let error = error as? BelfryError else { return nil }
    switch error.kind {
    case .badInput, .usage, .notFound: return error.message
    // One calendar that is read-only refuses only its own items.
    case .noPermission: return isWritable ? error.message : nil
    default: return nil
    }
  }

  // True if the store takes changes. An empty change would not tell, since a store may write nothing for it.
  private var isWritable: Bool {
    let written: Void? = try? belfry.store.write { transaction in
      let kept = try transaction.inbox(ofSink: sink.name)
      try transaction.put(kept ?? SinkInbox(sink: sink.name, changedAt: now.wholeSeconds))
      if kept == nil { try transaction.removeInbox(ofSink: sink.name) }
    }
    return written != nil
  }

  /// Adds an item that a person wrote, as `belfry add` does, and keeps the position after it, in one transaction.
  ///
  /// - Throws: as ``Belfry/add(_:to:)``; then nothing was done.
  package func add(_ draft: ItemDraft, to choice: ListChoice, position: String) throws -> ItemChange {
    let added = try belfry.change(as: "add") { change in
      let list = try change.findOrAdd(choice)
      let added = try change.add(draft, to: list)
      try change.itemsChanged(on: list)
      try keep(position, in: change.transaction, at: change.stamp)
      return added
    }
    moved(to: position, keptAt: now)
    changed()
    return added
  }

  /// Moves on past a message that is not an answer. The position is written at most once a minute.
  ///
  /// - Throws: what the store throws.
  public func skip(to position: String) throws {
    let now = self.now
    // A clock that was set back must not stop the writes.
    let isDue = state.withLock { !(0..<Self.positionPause ~= now.timeIntervalSince($0.keptAt)) }
    guard isDue else { return state.withLock { $0.position = position } }
    try belfry.store.write { try keep(position, in: $0, at: now.wholeSeconds) }
    moved(to: position, keptAt: now)
  }

  /// Counts a message that is not an answer; one log line an hour reports them.
  public func reject(_ reason: String) {
    let now = self.now
    let count: Int? = state.withLock { state in
      state.rejected += 1
      guard !(0..<Self.rejectionPause ~= now.timeIntervalSince(state.reportedAt)) else { return nil }
      defer { (state.rejected, state.reportedAt) = (0, now) }
      return state.rejected
    }
    guard let count else { return }
    let messages = count == 1 ? "1 message that is not an answer" : "\(count) messages that are not answers"
    log(Event(.warning, "sink '\(sink.name)' ignored \(messages), the last one: \(reason)"))
  }

  /// Retries the sink's deliveries that wait for another attempt. Called when the sink seems to work again; if it does
  /// not, they wait longer for the next attempt.
  ///
  /// - Throws: what the store throws.
  public func resumeDeliveries() throws {
    try belfry.resumeDeliveries(of: sink)
    changed()
  }

  /// Waits until a descriptor has one of the events (poll(2)), or until an instant, or until the task is cancelled.
  public func ready(_ descriptor: Int32, for events: Int16, until instant: Date? = nil) async {
    await waits.ready(descriptor, for: events, until: instant)
  }

  private func moved(to position: String?, keptAt: Date) {
    guard let position else { return }
    state.withLock { ($0.position, $0.keptAt) = (position, keptAt) }
  }

  private func keep(_ position: String, in transaction: any StoreTransaction, at stamp: Date) throws {
    var kept = try transaction.inbox(ofSink: sink.name) ?? SinkInbox(sink: sink.name, changedAt: stamp)
    kept.position = position
    if kept.problem == nil { kept.changedAt = stamp }
    try transaction.put(kept)
  }

  private func press(for reply: Reply, at now: Date) -> Result<Press, ButtonRefusal> {
    Result { () throws(ButtonRefusal) in
      var press = try press(of: reply.button, at: now)
      press.pressedAt = reply.pressedAt ?? now
      if let author = authors.author(of: reply, over: sink.name) { press.author = author }
      return press
    }
  }

  private func press(of button: Reply.Button, at now: Date) throws(ButtonRefusal) -> Press {
    switch button {
    case .action(let number, of: let reminder):
      return Press(
        reminder: reminder, choice: .number(number), channel: channel, externalID: "\(reminder.text) \(number)")
    case .acknowledgement(of: let reminder, let id):
      return Press(reminder: reminder, choice: .acknowledgement, channel: channel, externalID: id)
    case .token(let token):
      guard let links = sink.links else { throw .unknown }
      return try links.press(token, over: channel, at: now)
    }
  }
}

// MARK: Problems

extension Inbox {
  /// Records that the connection works and new answers can arrive.
  public func connected() throws {
    let now = self.now
    let problem = state.withLock { state in
      state.connectedAt = state.connectedAt ?? now
      return state.problem
    }
    guard problem != nil else { return }
    try put(nil)
    log(Event(.info, "sink '\(sink.name)' receives answers again"))
  }

  /// The seconds for which the connection has lasted; 0 without a connection.
  var connectedSeconds: Double {
    state.withLock { $0.connectedAt }.map { max(0, now.timeIntervalSince($0)) } ?? 0
  }

  /// Records the reason why no answers arrive.
  ///
  /// - Parameter needsAttention: whether only the user can repair it.
  func failed(_ reason: String, needsAttention: Bool = false) throws {
    let problem = Problem(reason: reason, needsAttention: needsAttention)
    guard state.withLock({ $0.problem }) != problem else { return }
    try put(problem)
    log(Event(.warning, "sink '\(sink.name)' receives no answers: \(reason)"))
  }

  private func put(_ problem: Problem?) throws {
    try belfry.store.write { transaction in
      let stamp = now.wholeSeconds
      var kept = try transaction.inbox(ofSink: sink.name) ?? SinkInbox(sink: sink.name, changedAt: stamp)
      if (kept.problem == nil) != (problem == nil) { kept.changedAt = stamp }
      (kept.problem, kept.needsAttention) = (problem?.reason, problem?.needsAttention ?? false)
      try transaction.put(kept)
    }
    state.withLock { $0.problem = problem }
  }
}

extension Inbox {
  // The result of a press that changes nothing in the store; nil for a press that must be carried out.
  private func settledResult(_ press: Result<Press, ButtonRefusal>) -> ReplyResult? {
    switch press {
    case .success(let press): test(press).map(ReplyResult.answered)
    case .failure(.expired): .expired
    case .failure(.unknown), .failure(.unverifiable): .unknown
    }
  }

  // An unknown reminder or action fails only this press.
  private func result(of press: Press, in change: Change) throws -> ReplyResult {
    guard let reminder = try change.transaction.reminder(id: press.reminder),
      (try? ReminderActions(of: reminder, in: change.transaction, belfry.settings).action(press.choice)) != nil
    else { return .unknown }
    switch try belfry.answer(press, in: change) {
    case .answered(let answer, _): return .answered(answer)
    case .edit(let owner): return .edit(owner)
    case .spent(_, let reply): return .spent(reply)
    }
  }
}
