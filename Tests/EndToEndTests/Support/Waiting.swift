import Foundation
import Testing

/// Waits until a condition holds, checking every few milliseconds.
///
/// - Throws: ``TooLate`` when it does not hold in time.
func waitUntil(_ what: String, within seconds: Double = 200, _ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw TooLate(what: what, seconds: seconds) }
    try await Task.sleep(for: .milliseconds(3))
  }
}

/// Limits how many programs run at a time, in order of request, so that they do not slow each other down.
actor Turns {
  static let shared = Turns(free: max(4, ProcessInfo.processInfo.activeProcessorCount))

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(free: Int) { self.free = free }

  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func giveBack() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

/// The error of a condition that did not hold in time.
struct TooLate: Error, CustomStringConvertible {
  let what: String
  let seconds: Double

  var description: String { "waited \(seconds) s in vain until \(what)" }
}
