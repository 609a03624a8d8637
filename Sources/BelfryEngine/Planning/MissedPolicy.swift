import CivilTime
import FoundationEssentials

/// The decision about a reminder whose fire date has passed.
enum ClaimDecision: Hashable, Sendable {
  case fire
  /// The reminder is skipped and recorded as missed.
  case miss
}

extension MissedPolicy {
  /// Decides about a scheduled reminder whose fire date has passed.
  ///
  /// Up to `grace` late, a reminder fires under every policy; older than `maxAge`, none does.
  ///
  /// - Parameter hasLaterMissed: whether the same owner has a later reminder that also passed more than `grace` ago;
  ///   called only if the policy depends on it.
  func decide(
    fireDate: FireDate, now: Date, hasLaterMissed: () throws -> Bool
  ) rethrows -> ClaimDecision {
    let age = now.timeIntervalSince(fireDate.date)
    if age <= Double(graceSeconds) { return .fire }
    if age > maxAge.seconds { return .miss }
    switch policy {
    case .all: return .fire
    case .skip: return .miss
    case .once: return try hasLaterMissed() ? .miss : .fire
    }
  }
}

extension MissedPolicy {
  /// The latest instant that counts as missed: just more than `grace` ago.
  func latestMissed(at now: Date) -> Date { now.addingTimeInterval(-Double(graceSeconds) - 0.001) }
}

extension CalendarDuration {
  /// The length in seconds, a day counted as 24 hours.
  public var seconds: Double { Double(days) * 86_400 + Double(minutes) * 60 }
}
