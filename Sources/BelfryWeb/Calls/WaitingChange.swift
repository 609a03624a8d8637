import BelfryEngine
import BelfryModel
import Synchronization
import WebAccess

/// The change of a request, which is made together with those that came in during the last commit.
struct WaitingChange: Sendable {
  /// The ticket by which it takes effect once; `nil` for a change that may be made again.
  let ticket: OnceTicket?
  /// Makes it, and returns the reply that is kept with it, if there is a ticket.
  let make: @Sendable (Belfry) throws -> KeptReply?

  /// Makes changes in one transaction, in order; if one fails, the others still take effect.
  static func make(_ changes: [WaitingChange], _ belfry: Belfry) -> [Result<Void, any Error>] {
    let changes = changes.map { change in
      JointChange(request: change.ticket?.identity) { belfry in
        let reply = try change.make(belfry)
        return change.ticket.flatMap { ticket in reply.map { (ticket, $0) } }
      }
    }
    return belfry.together(changes, keep: { try OnceTicket.keep($0.compactMap(\.self), in: $1) }).map {
      $0.map { _ in }
    }
  }
}

/// The result of a change for the request that waits for it.
final class AwaitedResult<Value: Sendable>: Sendable {
  private let state = Mutex<(value: Value?, isAwaited: Bool)>((nil, true))

  /// Notes that the caller was cancelled: a change that has not begun is then not made.
  func leave() { state.withLock { $0.isAwaited = false } }

  /// - Throws: `CancellationError` if the caller was cancelled.
  func requireAwaited() throws {
    guard state.withLock({ $0.isAwaited }) else { throw CancellationError() }
  }

  func set(_ value: Value) { state.withLock { $0.value = value } }

  /// - Throws: `CancellationError` before it is set.
  func get() throws -> Value {
    guard let value = state.withLock({ $0.value }) else { throw CancellationError() }
    return value
  }
}

extension StoreCalls {
  /// Makes a change, together with others that wait.
  ///
  /// - Parameters:
  ///   - ticket: the ticket by which it takes effect once; `nil` for a change that may be made again.
  ///   - isLong: true for a change with a transaction of its own, so that a store with several connections serves
  ///     others meanwhile.
  ///   - reply: the reply that is kept.
  ///   - body: makes the change in a transaction shared with other changes. Called again if the change needs a
  ///     transaction of its own.
  /// - Throws: ``Problem`` 503 if too many wait, `CancellationError` if the caller is cancelled before it begins,
  ///   ``RequestWasDone`` if it took effect before, and what `body` throws.
  func makeTogether<Result: Sendable>(
    once ticket: OnceTicket? = nil, isLong: Bool = false,
    keeping reply: @escaping @Sendable (Result) -> KeptReply? = { _ in nil },
    _ body: @escaping @Sendable (Belfry) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let result = AwaitedResult<Result>()
    let change = WaitingChange(ticket: ticket) { belfry in
      try result.requireAwaited()
      let value = try body(belfry)
      result.set(value)
      return ticket == nil ? nil : reply(value)
    }
    try await withTaskCancellationHandler {
      if isLong {
        try await threads.run { [belfry] in try WaitingChange.make([change], belfry)[0].get() }
      } else {
        try await changes.output(of: change)
      }
    } onCancel: {
      result.leave()
    }
    return try result.get()
  }
}
