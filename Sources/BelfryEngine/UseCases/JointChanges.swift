import BelfryModel
import FoundationEssentials

/// The error of a request that took effect before.
package struct RequestWasDone: Error {
  package init() {}
}

/// A change that shares a commit with others and does not depend on them.
package struct JointChange<Output> {
  /// The identity of a request that takes effect once, which differs from that of every other request; `nil` for a
  /// change that may be made again.
  package let request: String?
  /// Makes the change with the use cases that it is given. Called again if the change has to be made alone.
  package let make: (Belfry) throws -> Output

  package init(request: String? = nil, _ make: @escaping (Belfry) throws -> Output) {
    (self.request, self.make) = (request, make)
  }
}

/// Thrown to roll a part of a transaction back, or all of it.
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

  /// Makes changes in one transaction, in order, so that simultaneous ones share one commit.
  ///
  /// If a use case of a change fails, no part of that change stays; the others are not affected. A request and the note
  /// that it is done are committed together. If the transaction itself fails, each change is made alone.
  ///
  /// - Parameter keep: keeps the outputs of those changes that stay, before they are committed, in the transaction or
  ///   elsewhere.
  /// - Returns: the outcome of each change, in order, with the error that it would have had alone;
  ///   ``RequestWasDone`` for a request that took effect before.
  package func together<Output>(
    _ changes: [JointChange<Output>], keep: ([Output], any StoreTransaction) throws -> Void = { _, _ in }
  ) -> [Result<Output, any Error>] {
    guard !changes.isEmpty else { return [] }
    var outcomes: [Result<Output, any Error>] = []
    var isAtCommit = false
    do {
      try store.write { transaction in
        var kept: [Output] = []
        for change in changes {
          var undone: Output?
          let outcome = try transaction.savepoint { try make(change, in: transaction, undone: &undone) }
          if case .success(let output) = outcome { kept.append(output) }
          outcomes.append(undone.map(Result.success) ?? outcome)
        }
        guard !kept.isEmpty else { throw NothingStays() }
        try keep(kept, transaction)
        isAtCommit = true
      }
      return outcomes
    } catch is NothingStays {
      return outcomes
    } catch {
      let kind = (error as? BelfryError)?.kind
      // If the store is locked, each change alone would wait as long again. If the commit failed, the changes may have
      // been committed nevertheless.
      guard changes.count > 1, kind != .tryAgain, !isAtCommit || kind != .storeFailed else {
        return changes.map { _ in .failure(error) }
      }
      return changes.flatMap { together([$0], keep: keep) }
    }
  }

  private func make<Output>(
    _ change: JointChange<Output>, in transaction: any StoreTransaction, undone: inout Output?
  ) throws -> Output {
    if let request = change.request, try transaction.isDone(request: request) { throw RequestWasDone() }
    var belfry = self
    let joined = JoinedTransaction(transaction)
    belfry.shared = joined
    let output = try change.make(belfry)
    guard !joined.hasFailed else {
      undone = output
      throw NothingStays()
    }
    if let request = change.request {
      let now = time.now
      try transaction.note(
        request: request, at: now.wholeSeconds, forgettingUntil: now.addingTimeInterval(-Self.requestSpan))
    }
    return output
  }

  /// Reads the joined transaction, or one state of the store.
  func view<Result>(asKnown: Bool, _ body: (any StoreView) throws -> Result) throws -> Result {
    if let joined = shared { return try body(joined.transaction) }
    return try asKnown ? store.readAsKnown(body) : store.read(body)
  }

  /// Makes changes in the joined transaction, or in a separate one.
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    guard let joined = shared else {
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
