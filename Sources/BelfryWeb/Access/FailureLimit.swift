import FoundationEssentials
import Synchronization

/// Limits the wrong secrets of a kind that an address may send to this server in a minute.
///
/// Secrets are looked up first, so a right one is never refused because of failures from the same address.
final class FailureLimit: Sendable {
  /// A kind of secret; each is counted apart.
  enum Kind: String {
    /// An access token, a session, or a name from a proxy.
    case access
    /// The link in a message.
    case link
    /// A sign-in link or a passkey.
    case signIn
  }

  private struct Count {
    var minute: Int
    var failures: Int
  }

  /// The most wrong secrets of a kind from an address in a minute.
  static let most = 20
  private static let mostAddresses = 10_000
  private let counts = Mutex<[String: Count]>([:])

  /// The refusal of a wrong secret: 429 in place of `problem` after many of them.
  func refusal(of address: String, _ kind: Kind, at now: Date, _ problem: Problem) -> Problem {
    let (key, minute) = ("\(kind.rawValue) \(address)", Self.minute(now))
    return counts.withLock { counts in
      if counts.count >= Self.mostAddresses, counts[key] == nil {
        counts = counts.filter { $0.value.minute == minute }
      }
      // This many addresses within a minute belong to one attacker. Limiting memory matters more than the counts.
      if counts.count >= Self.mostAddresses { counts = [:] }
      let known = counts[key].flatMap { $0.minute == minute ? $0.failures : nil } ?? 0
      guard known < Self.most else { return Self.tooMany }
      counts[key] = Count(minute: minute, failures: known + 1)
      return problem
    }
  }

  static let tooMany = Problem(
    .tooManyRequests, "too many requests were refused", hint: "try again in a minute", retryAfter: 60)

  static func minute(_ now: Date) -> Int { Int((now.timeIntervalSince1970 / 60).rounded(.down)) }
}
