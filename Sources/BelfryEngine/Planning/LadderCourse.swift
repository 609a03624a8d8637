import BelfryModel
import CivilTime
import FoundationEssentials

/// One ring of a ladder.
public struct LadderRing: Hashable, Sendable {
  /// The place.
  public let place: LadderPlace
  /// The fire date.
  public let fireDate: FireDate
}

/// The rings of a ladder that come if nobody answers and every delivery arrives. Pure.
struct LadderCourse {
  let plan: LadderPlan
  /// The instant at which the ladder began, or will begin.
  let start: Date
  /// The next ringing, which ends the ladder; `nil` for none.
  let end: FireDate?
  /// True if a step has nobody to reach at an instant.
  let reachesNobody: (Escalation.Step, Date) -> Bool

  /// The rings to come, in the order of their claims, with the fire dates at which they are claimed.
  ///
  /// - Parameters:
  ///   - scheduled: the rings that are scheduled: of one that is still to begin, the ringing itself.
  ///   - now: what is due before is claimed now.
  func rings(from scheduled: [LadderRing], now: Date) -> [LadderRing] {
    var waiting = scheduled
    var rings: [LadderRing] = []
    while let next = waiting.min(by: { $0.isClaimed(before: $1) }), end.map({ next.fireDate < $0 }) ?? true {
      waiting.removeAll { $0.place == next.place }
      let claimedAt = max(now, next.fireDate.date)
      guard let step = plan.ladder.step(at: next.place) else {
        // The config has changed: in place of a step, the first of its steps that is still to come follows.
        if waiting.isEmpty, plan.ladder.step(next.place.step) == nil,
          let found = plan.firstStep(after: claimedAt, start: start)
        {
          waiting = [found].rings
        }
        continue
      }
      guard let fireDate = try? FireDate(claimedAt) else { break }
      rings.append(LadderRing(place: next.place, fireDate: fireDate))
      waiting = follow(next, among: waiting, claimedAt: fireDate, reachedNobody: reachesNobody(step, claimedAt))
    }
    return rings
  }

  // The rings that wait once one was claimed: none of an earlier step, and as far behind it as before.
  private func follow(
    _ claimed: LadderRing, among others: [LadderRing], claimedAt: FireDate, reachedNobody: Bool
  ) -> [LadderRing] {
    let place = claimed.place
    let delay = claimedAt.date.timeIntervalSince(claimed.fireDate.date)
    var ahead = others.filter { $0.place.step >= place.step }.map { $0.moved(by: delay) }
    if reachedNobody, place.ring > 1 {
      ahead = ahead.map { $0.place.step == place.step + 1 ? LadderRing(place: $0.place, fireDate: claimedAt) : $0 }
    }
    let new = plan.rings(
      after: place, claimedAt: claimedAt.date, nextStep: ahead.first { $0.place.step == place.step + 1 }?.fireDate,
      reachedNobody: reachedNobody
    ).rings
    return ahead.filter { other in !new.contains { $0.place == other.place } } + new
  }
}

extension LadderRing {
  /// Orders as claims do: by time, and in one minute a later step before an earlier one.
  fileprivate func isClaimed(before other: LadderRing) -> Bool {
    (fireDate, -place.step) < (other.fireDate, -other.place.step)
  }

  fileprivate func moved(by delay: Double) -> LadderRing {
    LadderRing(place: place, fireDate: (try? FireDate(fireDate.date.addingTimeInterval(delay))) ?? fireDate)
  }
}

extension [PlannedReminder] {
  /// The rings of ladders among them.
  fileprivate var rings: [LadderRing] {
    compactMap { planned in planned.occurrence.place.map { LadderRing(place: $0, fireDate: planned.fireDate) } }
  }
}

extension Occurrence {
  /// The place on its ladder; `nil` if it is no step.
  var place: LadderPlace? {
    if case .escalation(let place) = kind { place } else { nil }
  }
}
