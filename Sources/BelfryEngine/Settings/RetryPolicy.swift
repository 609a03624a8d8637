import FoundationEssentials

/// The delays between attempts of a delivery. Pure: the caller supplies the clock and the jitter.
public struct RetryPolicy: Hashable, Sendable {
  /// Seconds to wait after the first, second, … attempt; the last one repeats.
  static let delays: [Double] = [5, 30, 120, 600, 1_800, 3_600]
  /// The largest jitter, as a fraction of the delay.
  static let jitter = 0.1

  /// The age in seconds, counted from the first permitted attempt, at which a delivery is given up.
  public var maxAge: Double

  /// A policy that gives up after `maxAge` seconds.
  package init(maxAge: Double = 86_400) { self.maxAge = maxAge }

  /// The seconds to wait after this many attempts, at least 1, without jitter.
  static func delay(afterAttempts attempts: Int) -> Double { delays[min(max(attempts, 1), delays.count) - 1] }

  /// The instant of the next attempt; `nil` if the delivery has reached `maxAge`.
  ///
  /// - Parameters:
  ///   - attempts: the number of failed attempts, at least 1.
  ///   - now: the instant at which the last attempt ended.
  ///   - permittedFrom: the instant of the first permitted attempt; `maxAge` counts from here.
  ///   - retryAfter: the instant that the receiver asked for. It replaces the scheduled delay, unless it is less than a
  ///     second away: a receiver that asks for an attempt at once is not hammered.
  ///   - random: from 0 to 1; adds up to ``jitter`` to the delay, so that many senders do not return at the same
  ///     moment.
  public func nextAttempt(
    afterAttempts attempts: Int, at now: Date, permittedFrom: Date, retryAfter: Date?, random: Double
  ) -> Date? {
    let end = permittedFrom.addingTimeInterval(maxAge)
    guard now < end else { return nil }
    let scheduled = now.addingTimeInterval(Self.delay(afterAttempts: attempts) * (1 + Self.jitter * random))
    // The last attempt is no later than `end`, so that a delivery gets its whole `maxAge`.
    return min(retryAfter.flatMap { $0 < now + 1 ? nil : $0 } ?? scheduled, end)
  }
}
