import BelfryModel
import CivilTime
import FoundationEssentials

extension Forecast {
  /// An alert of an item or list: each of its reminders ends the escalation of the one before.
  private struct Alert: Hashable {
    let owner: ReminderOwner
    let lead: CalendarDuration
  }

  /// The reminders of a span of time with whom they reach and the steps that follow.
  ///
  /// - Parameter reminders: all of them, soonest first.
  /// - Throws: `CancellationError` once the task that asks for it was cancelled.
  public mutating func entries(of reminders: [PreviewedReminder]) throws -> [ForecastEntry<PreviewedReminder>] {
    try zip(reminders, steps(after: reminders)).map { reminder, steps in
      ForecastEntry(reminder: reminder, reach: reach(of: reminder), steps: steps)
    }
  }

  // Steps that are scheduled are reminders themselves, so they follow no other.
  private mutating func steps(after reminders: [PreviewedReminder]) throws -> [[ComingStep]] {
    var steps: [[ComingStep]] = reminders.map { _ in [] }
    var later: [Alert: FireDate] = [:]
    for (index, reminder) in reminders.enumerated().reversed() {
      try Task.checkCancellation()
      guard let escalation = escalation(of: reminder), let plan = try plan(of: reminder.owner) else { continue }
      let occurrence = reminder.occurrence
      switch occurrence.kind {
      case .nag: break
      case .planned, .snooze:
        let alert = Alert(owner: plan.owner, lead: occurrence.lead)
        let end = try later[alert] ?? nextRinging(of: plan, lead: occurrence.lead, after: reminder.fireDate.date)
        later[alert] = reminder.fireDate
        let rings = course(of: occurrence, on: escalation, plan, start: reminder.fireDate.date, end: end)
          .rings(from: [EscalationRing(place: .first, fireDate: reminder.fireDate)], now: reading.now)
        steps[index] = comingSteps(rings.dropFirst(), of: escalation)
      case .escalation(let place):
        let underWay = try EscalationUnderWay(occurrence, in: reading.view)
        let scheduled = underWay.scheduled
        let rings = try course(of: underWay, on: escalation, plan).rings(from: scheduled, now: reading.now)
          .filter { ring in !scheduled.contains { $0.place == ring.place } }
          .filter { scheduled.step(before: $0) == place.step }
        steps[index] = comingSteps(rings[...], of: escalation)
      }
    }
    return steps
  }

  func course(of underWay: EscalationUnderWay, on escalation: Escalation, _ plan: OwnerPlan) throws -> EscalationCourse
  {
    let (occurrence, start) = (underWay.occurrence, underWay.ringing?.changedAt ?? reading.now)
    return course(
      of: occurrence, on: escalation, plan, start: start,
      end: try nextRinging(of: plan, lead: occurrence.lead, after: start))
  }

  /// The course of an escalation that begins with a claim at `start`.
  func course(
    of occurrence: Occurrence, on escalation: Escalation, _ plan: OwnerPlan, start: Date, end: FireDate?
  ) -> EscalationCourse {
    EscalationCourse(
      plan: EscalationPlan(
        owner: plan, escalation: escalation, occurrence: occurrence, run: occurrence.place?.run ?? 1),
      start: start, end: end
    ) { step, instant in names.recipients(of: step.to, at: instant, in: zone).isEmpty }
  }

  /// The first planned or snoozed ringing after an instant, for one lead time; `nil` for none.
  func nextRinging(of plan: OwnerPlan, lead: CalendarDuration, after instant: Date) throws -> FireDate? {
    let scheduled = try reading.view.reminders(of: plan.owner, at: nil, state: .scheduled)
      .filter { $0.beginsEscalation && $0.occurrence.lead == lead && $0.fireDate.date > instant }.map(\.fireDate).min()
    guard plan.series.repeats else { return scheduled }
    // A rule that cannot be planned has no occurrence to come.
    let minute = try FireDate(instant).date
    let time = (try? plan.series.first(lead: lead, ringingFrom: minute.addingTimeInterval(60))) ?? nil
    let planned = time.flatMap { plan.series.fireDate($0, lead: lead) }
    return [scheduled, planned].compactMap(\.self).min()
  }

  private func comingSteps(_ rings: ArraySlice<EscalationRing>, of escalation: Escalation) -> [ComingStep] {
    var steps: [ComingStep] = []
    for ring in rings {
      if let last = steps.indices.last, steps[last].step == ring.place.step {
        steps[last].times += 1
      } else if let step = escalation.step(at: ring.place) {
        steps.append(
          ComingStep(
            step: ring.place.step, at: ring.fireDate, given: step.to, to: reached(step.to, at: ring.fireDate.date),
            every: step.every, times: 1))
      }
    }
    return steps
  }
}

extension [EscalationRing] {
  /// The last step of these rings that is not after the step of another ring. If the config has changed, there may be
  /// none; then the first step.
  fileprivate func step(before ring: EscalationRing) -> Int? {
    let steps = map(\.place.step)
    return steps.filter { $0 <= ring.place.step }.max() ?? steps.min()
  }
}
