import Foundation
import Synchronization
import Testing

/// Waits until a condition holds, checking every few milliseconds.
///
/// - Parameter what: the condition in words, with what helps to see why it does not hold; asked for only then.
/// - Throws: ``TooLate`` when it does not hold in time.
func waitUntil(
  _ what: @autoclosure () -> String, within seconds: Double = 200, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw TooLate(what: what(), seconds: seconds) }
    try await Task.sleep(for: .milliseconds(3))
  }
}

/// Limits how many programs run at a time, so that they do not slow each other down.
///
/// The test that began first goes on first. If hundreds of tests took a step in turn, a limit of time within one of them
/// would count the steps of all others.
actor Turns {
  private static let shared = Turns(free: max(4, ProcessInfo.processInfo.activeProcessorCount))
  private static let tickets = Atomic(0)

  private var free: Int
  private var waiting: [(ticket: Int, CheckedContinuation<Void, Never>)] = []

  private init(free: Int) { self.free = free }

  /// The place of a test in the order of turns.
  static func ticket() -> Int { tickets.add(1, ordering: .relaxed).newValue }

  /// Does something when it is the turn of a ticket.
  static func run<Result>(_ ticket: Int, _ body: () async throws -> Result) async rethrows -> Result {
    await shared.take(ticket)
    do {
      let result = try await body()
      await shared.giveBack()
      return result
    } catch {
      await shared.giveBack()
      throw error
    }
  }

  private func take(_ ticket: Int) async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append((ticket, $0)) }
    }
  }

  private func giveBack() {
    if let next = waiting.indices.min(by: { waiting[$0].ticket < waiting[$1].ticket }) {
      waiting.remove(at: next).1.resume()
    } else {
      free += 1
    }
  }
}

/// The error of a condition that did not hold in time.
struct TooLate: Error, CustomStringConvertible {
  let what: String
  let seconds: Double

  var description: String { "waited \(seconds) s in vain until \(what)" }
}
