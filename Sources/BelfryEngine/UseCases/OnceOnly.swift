import BelfryModel
import FoundationEssentials

/// The error of a request that took effect before.
package struct RequestWasDone: Error {
  package init() {}
}

/// Thrown to roll a transaction back.
private struct NothingStays: Error {}

/// A transaction that several use cases share. It is valid only inside the call that provides it, on its thread.
final class JoinedTransaction: Sendable {
  fileprivate nonisolated(unsafe) let transaction: any StoreTransaction
  /// True once one of them has ended with an error, after which none of their changes may stay.
  fileprivate nonisolated(unsafe) var hasFailed = false

  fileprivate init(_ transaction: any StoreTransaction) { self.transaction = transaction }
}

extension Belfry {
  /// The seconds for which the store knows that a request was done.
  package static let requestSpan: TimeInterval = 86_400

  /// Carries out a request that takes effect once: its changes and the note that it is done are one transaction.
  ///
  /// - Parameters:
  ///   - request: its identity, which tells it from every other one.
  ///   - body: makes the changes with the use cases that it is given. If one of them fails, no change stays, and the
  ///     request is not noted.
  ///   - keep: keeps the result before it takes effect, in the transaction or elsewhere.
  /// - Throws: ``RequestWasDone`` if it took effect before, what `body` and `keep` throw, and errors of the store.
  package func once<Result>(
    _ request: String, _ body: (Belfry) throws -> Result, keep: (Result, any StoreTransaction) throws -> Void
  ) throws -> Result {
    var undone: Result?
    do {
      return try store.write { transaction in
        guard try !transaction.isDone(request: request) else { throw RequestWasDone() }
        var belfry = self
        let joined = JoinedTransaction(transaction)
        belfry.joined = joined
        let result = try body(belfry)
        guard !joined.hasFailed else {
          undone = result
          throw NothingStays()
        }
        try keep(result, transaction)
        let now = time.now
        try transaction.note(
          request: request, at: now.wholeSeconds, forgettingUntil: now.addingTimeInterval(-Self.requestSpan))
        return result
      }
    } catch {
      guard let undone else { throw error }
      return undone
    }
  }

  /// Reads the joined transaction, or one state of the store.
  func view<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    guard let joined else { return try store.read(body) }
    return try body(joined.transaction)
  }

  /// Makes changes in the joined transaction, or in a separate one.
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    guard let joined else {
      return try store.write { transaction in
        if leads { try transaction.lead() }
        return try body(transaction)
      }
    }
    do {
      return try body(joined.transaction)
    } catch {
      joined.hasFailed = true
      throw error
    }
  }
}
