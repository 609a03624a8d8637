import BelfryModel
import CivilTime
import FoundationEssentials

/// The rings of one run of an escalation, which one ringing begins. Pure.
struct EscalationPlan {
  let owner: OwnerPlan
  let escalation: Escalation
  /// The occurrence that rang.
  let occurrence: Occurrence
  /// The number of the run among the runs of its occurrence and lead time.
  let run: Int

  private var steps: [Escalation.Step] { escalation.steps }

  /// The rings that follow a claimed ring: the first of the next step, and the next of the same step unless the next
  /// step begins before it.
  ///
  /// After a step that reached nobody, the next step follows at once, and the step does not ring again. The last step
  /// continues to ring, since a later ring may reach someone.
  ///
  /// - Parameters:
  ///   - claimedAt: the instant of the claim, at the fire date or later.
  ///   - nextStep: the fire date of the next step if it is scheduled already, as it is before every ring but the first.
  func rings(
    after place: EscalationPlace, claimedAt: Date, nextStep: FireDate?, reachedNobody: Bool
  ) -> [PlannedReminder] {
    guard let step = escalation.step(at: place) else { return [] }
    var rings: [PlannedReminder] = []
    var end = nextStep
    let isLast = !steps.indices.contains(place.step)
    if place.ring == 1, !isLast {
      let distance = reachedNobody ? 0 : steps[place.step].after.exactSeconds - step.after.exactSeconds
      end = try? FireDate(claimedAt.addingTimeInterval(distance))
      if let end { rings.append(ring(EscalationPlace(run: run, step: place.step + 1, ring: 1), at: end)) }
    }
    if !reachedNobody || isLast, let every = step.every, place.ring < step.times,
      let next = try? FireDate(claimedAt.addingTimeInterval(every.exactSeconds)), end.map({ next < $0 }) ?? true
    {
      rings.append(ring(EscalationPlace(run: run, step: place.step, ring: place.ring + 1), at: next))
    }
    return rings
  }

  /// The first step that begins after an instant, for a ringing that was claimed at `start`; `nil` if all have begun.
  func firstStep(after instant: Date, start: Date) -> PlannedReminder? {
    for (index, step) in steps.enumerated().dropFirst() {
      guard let date = try? FireDate(start.addingTimeInterval(step.after.exactSeconds)), date.date > instant else {
        continue
      }
      return ring(EscalationPlace(run: run, step: index + 1, ring: 1), at: date)
    }
    return nil
  }

  private func ring(_ place: EscalationPlace, at fireDate: FireDate) -> PlannedReminder {
    owner.plannedReminder(
      Occurrence(
        owner: owner.owner, wallTime: occurrence.wallTime, lead: occurrence.lead, kind: .escalation(place)),
      fireDate)
  }
}

extension Escalation {
  /// The step of a ring; `nil` if the escalation has none, or the step rings less often.
  func step(at place: EscalationPlace) -> Escalation.Step? {
    step(place.step).flatMap { place.ring <= $0.times ? $0 : nil }
  }

  /// The step with a number, from 1; `nil` if the escalation has none.
  func step(_ number: Int) -> Escalation.Step? {
    steps.indices.contains(number - 1) ? steps[number - 1] : nil
  }
}

extension CalendarDuration {
  /// The seconds, with days of 24 hours, so that the steps of an escalation keep their intervals when the clocks
  /// change.
  var exactSeconds: Double { Double(days * 1_440 + minutes) * 60 }
}
