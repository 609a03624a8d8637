import FoundationEssentials
import Synchronization

/// Lets an address be refused so many times a minute, and then tells it to wait.
final class FailureLimit: Sendable {
  private struct Count {
    var minute: Int
    var failures: Int
  }

  private static let most = 20
  private static let mostAddresses = 10_000
  private let counts = Mutex<[String: Count]>([:])

  /// - Throws: ``Problem`` 429.
  func check(_ address: String, at now: Date) throws(Problem) {
    let count = counts.withLock { $0[address] }
    guard let count, count.minute == Self.minute(now), count.failures >= Self.most else { return }
    throw Problem(.tooManyRequests, "too many requests were refused", hint: "try again in a minute", retryAfter: 60)
  }

  /// Notes that an address was refused.
  func note(_ address: String, at now: Date) {
    let minute = Self.minute(now)
    counts.withLock { counts in
      if counts.count >= Self.mostAddresses, counts[address] == nil {
        counts = counts.filter { $0.value.minute == minute }
      }
      // So many addresses within a minute are one attacker's: memory comes first.
      if counts.count >= Self.mostAddresses { counts = [:] }
      let known = counts[address].flatMap { $0.minute == minute ? $0.failures : nil } ?? 0
      counts[address] = Count(minute: minute, failures: known + 1)
    }
  }

  private static func minute(_ now: Date) -> Int { Int((now.timeIntervalSince1970 / 60).rounded(.down)) }
}
