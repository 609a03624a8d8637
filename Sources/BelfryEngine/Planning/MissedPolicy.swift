import CivilTime
import FoundationEssentials

/// What to do with a reminder whose fire date has come.
public enum ClaimDecision: Hashable, Sendable {
  /// It rings.
  case fire
  /// It is left out, and kept for the record.
  case miss
}

extension MissedPolicy {
  /// Decides about a scheduled reminder whose fire date has come.
  ///
  /// Up to `grace` late is just late, under every policy; beyond `maxAge` nothing rings.
  ///
  /// - Parameter hasLaterMissed: whether the same owner has a later reminder that also passed more than `grace` ago;
  ///   asked only where it matters.
  public func decide(
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
  /// The end of what has passed more than `grace` ago.
  func latestMissed(at now: Date) -> Date { now.addingTimeInterval(-Double(graceSeconds) - 0.001) }
}

extension CalendarDuration {
  /// The length in seconds, a day counted as 24 hours.
  public var seconds: Double { Double(days) * 86_400 + Double(minutes) * 60 }
}
