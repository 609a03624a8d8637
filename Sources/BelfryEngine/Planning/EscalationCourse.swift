import BelfryModel
import CivilTime
import FoundationEssentials

/// A ring that is scheduled or to come.
public struct EscalationRing: Hashable, Sendable {
  /// Its run, step and ring.
  public let place: EscalationPlace
  /// The minute at which it rings.
  public let fireDate: FireDate
}

/// The rings of an escalation that follow if nobody answers and every delivery arrives. Pure.
struct EscalationCourse {
  let plan: EscalationPlan
  /// The instant at which the escalation began, or will begin.
  let start: Date
  /// The next ringing, which ends the escalation; `nil` for none.
  let end: FireDate?
  /// True if a step reaches nobody at an instant.
  let reachesNobody: (Escalation.Step, Date) -> Bool

  /// The rings to come, in the order of their claims, with the fire dates at which they are claimed.
  ///
  /// - Parameters:
  ///   - scheduled: the scheduled rings; for an escalation that has not begun, the ringing itself.
  ///   - now: rings that are due before are claimed at this instant.
  func rings(from scheduled: [EscalationRing], now: Date) -> [EscalationRing] {
    var waiting = scheduled
    var rings: [EscalationRing] = []
    while let next = waiting.min(by: { $0.isClaimed(before: $1) }), end.map({ next.fireDate < $0 }) ?? true {
      waiting.removeAll { $0.place == next.place }
      let claimedAt = max(now, next.fireDate.date)
      guard let step = plan.escalation.step(at: next.place) else {
        // The config no longer has this step, so the first step of the config that has not begun yet replaces it.
        if waiting.isEmpty, plan.escalation.step(next.place.step) == nil,
          let found = plan.firstStep(after: claimedAt, start: start)
        {
          waiting = [found].rings
        }
        continue
      }
      guard let fireDate = try? FireDate(claimedAt) else { break }
      rings.append(EscalationRing(place: next.place, fireDate: fireDate))
      waiting = follow(next, among: waiting, claimedAt: fireDate, reachedNobody: reachesNobody(step, claimedAt))
    }
    return rings
  }

  // The rings that remain after a claim. Rings of earlier steps are dropped; the others are delayed as much as the
  // claimed ring was.
  private func follow(
    _ claimed: EscalationRing, among others: [EscalationRing], claimedAt: FireDate, reachedNobody: Bool
  ) -> [EscalationRing] {
    let place = claimed.place
    let delay = claimedAt.date.timeIntervalSince(claimed.fireDate.date)
    var ahead = others.filter { $0.place.step >= place.step }.map { $0.moved(by: delay) }
    if reachedNobody, place.ring > 1 {
      ahead = ahead.map { $0.place.step == place.step + 1 ? EscalationRing(place: $0.place, fireDate: claimedAt) : $0 }
    }
    let new = plan.rings(
      after: place, claimedAt: claimedAt.date, nextStep: ahead.first { $0.place.step == place.step + 1 }?.fireDate,
      reachedNobody: reachedNobody
    ).rings
    return ahead.filter { other in !new.contains { $0.place == other.place } } + new
  }
}

extension EscalationRing {
  /// Orders as claims do: by time, and within a minute a later step before an earlier one.
  fileprivate func isClaimed(before other: EscalationRing) -> Bool {
    (fireDate, -place.step) < (other.fireDate, -other.place.step)
  }

  fileprivate func moved(by delay: Double) -> EscalationRing {
    EscalationRing(place: place, fireDate: (try? FireDate(fireDate.date.addingTimeInterval(delay))) ?? fireDate)
  }
}

extension [PlannedReminder] {
  /// The rings of an escalation among them.
  fileprivate var rings: [EscalationRing] {
    compactMap { planned in planned.occurrence.place.map { EscalationRing(place: $0, fireDate: planned.fireDate) } }
  }
}

extension Occurrence {
  /// The place in its escalation; `nil` if it is not a step.
  var place: EscalationPlace? {
    if case .escalation(let place) = kind { place } else { nil }
  }
}
