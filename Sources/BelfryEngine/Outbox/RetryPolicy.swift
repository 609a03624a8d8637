import FoundationEssentials

/// When a delivery that did not succeed is tried again. Pure: jitter comes in from outside.
public struct RetryPolicy: Hashable, Sendable {
  /// Seconds to wait after the first, second, … attempt; the last one repeats.
  public static let delays: [Double] = [5, 30, 120, 600, 1_800, 3_600]
  /// The most that jitter adds, as a part of the delay.
  public static let jitter = 0.1

  /// How long after the first permitted attempt a delivery is given up, in seconds.
  public var maxAge: Double

  /// A policy that gives up after `maxAge` seconds.
  public init(maxAge: Double = 86_400) { self.maxAge = maxAge }

  /// The instant of the next attempt, or `nil` when the time is over.
  ///
  /// - Parameters:
  ///   - attempts: how many attempts have failed, at least 1.
  ///   - now: the instant at which the last one ended.
  ///   - permittedFrom: the first permitted attempt; `maxAge` counts from here.
  ///   - retryAfter: the instant that the other side named; it replaces the schedule's next step if it is at least a
  ///     second off, so that nobody who says "at once" is asked without a pause.
  ///   - random: from 0 to 1; adds up to ``jitter`` so that many senders do not return at once, never takes away.
  public func nextAttempt(
    afterAttempts attempts: Int, at now: Date, permittedFrom: Date, retryAfter: Date?, random: Double
  ) -> Date? {
    let end = permittedFrom.addingTimeInterval(maxAge)
    guard now < end else { return nil }
    let step = Self.delays[min(max(attempts, 1), Self.delays.count) - 1]
    let scheduled = now.addingTimeInterval(step * (1 + Self.jitter * random))
    // The last attempt falls on the end at the latest: a delivery has its whole time.
    return min(retryAfter.flatMap { $0 < now + 1 ? nil : $0 } ?? scheduled, end)
  }
}
