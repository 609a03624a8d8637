import Foundation
import Testing

/// Waits until a condition holds, looking every few milliseconds.
///
/// - Throws: ``TooLate`` when it does not hold in time.
func waitUntil(_ what: String, within seconds: Double = 200, _ condition: () throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    guard ContinuousClock.now < end else { throw TooLate(what: what, seconds: seconds) }
    try await Task.sleep(for: .milliseconds(3))
  }
}

/// Lets a few programs run at a time, in the order in which they asked, so that none is slow because all are.
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

/// A condition did not come to hold in time.
struct TooLate: Error, CustomStringConvertible {
  let what: String
  let seconds: Double

  var description: String { "waited \(seconds) s in vain until \(what)" }
}

/// A repeatable source of chance (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
