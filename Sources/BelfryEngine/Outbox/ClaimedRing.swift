import BelfryModel
import CivilTime
import FoundationEssentials

/// A ring of an escalation that is being claimed: a step, or the reminder itself, which is the first ring of step 1.
///
/// The store keeps only the scheduled rings: each claim schedules the next ones in its transaction.
struct ClaimedRing {
  let plan: EscalationPlan
  let place: EscalationPlace
  let step: Escalation.Step
  /// The instant at which the escalation began.
  let start: Date

  private let change: Change
  private let reminder: Reminder
  // The claim is earlier than the fire date if the clock was set back in between.
  private var claimedAt: Date { max(change.now, reminder.fireDate.date) }

  /// The ring of a claimed reminder; `nil` if the escalation has no such step, since the config has changed.
  init?(_ reminder: Reminder, on escalation: Escalation, of owner: OwnerPlan, in change: Change) throws {
    let transaction = change.transaction
    (self.change, self.reminder) = (change, reminder)
    if case .escalation(let place) = reminder.occurrence.kind {
      self.place = place
      start = try transaction.reminder(id: transaction.ring(of: reminder))?.changedAt ?? change.now
    } else {
      let others = try transaction.reminders(of: owner.owner, at: reminder.occurrence.wallTime, state: nil)
      let last = others.lazy.filter { $0.hasLead(of: reminder) }.compactMap(\.place?.run).max() ?? 0
      place = EscalationPlace(run: last + 1, step: 1, ring: 1)
      start = change.now
    }
    plan = EscalationPlan(owner: owner, escalation: escalation, occurrence: reminder.occurrence, run: place.run)
    guard let step = escalation.step(at: place) else { return nil }
    self.step = step
  }

  /// True if the reminder is a step, and not the ringing that begins the escalation.
  var isStep: Bool { reminder.occurrence.kind.isEscalation }

  /// Schedules the rings that follow, and ends those that this one replaces.
  func goOn(reachedNobody: Bool) throws {
    let scheduled = try change.transaction.reminders(of: plan.owner.owner, at: nil, state: .scheduled)
      .filter { $0.place != nil && $0.hasLead(of: reminder) }
    let ahead = scheduled.filter(isAhead)
    for other in scheduled where !ahead.contains(other) { try change.cancel(other) }
    let moved = try ahead.map(moved)
    let next = moved.first { $0.place?.step == place.step + 1 }
    if reachedNobody, let next, place.ring > 1 { try change.transaction.moveUp(next, to: change.now) }
    let rings = plan.rings(
      after: place, claimedAt: claimedAt, nextStep: next?.fireDate, reachedNobody: reachedNobody)
    for ring in rings { try change.schedule(ring) }
  }

  // The next ringing ends the escalation, and the next step ends the one before it.
  private func isAhead(_ other: Reminder) -> Bool {
    guard isStep, other.occurrence.wallTime == reminder.occurrence.wallTime, let there = other.place else {
      return false
    }
    return there.run == place.run && there.step >= place.step
  }

  // After an outage, late rings do not ring all at once: the rings after this one are delayed by the same time.
  private func moved(_ other: Reminder) throws -> Reminder {
    let delay = try FireDate(claimedAt).date.timeIntervalSince(reminder.fireDate.date)
    guard delay > 0, let fireDate = try? FireDate(other.fireDate.date.addingTimeInterval(delay)) else { return other }
    var other = other
    (other.fireDate, other.changedAt) = (fireDate, change.stamp)
    try change.transaction.put(other)
    return other
  }
}

// MARK: The message

extension ClaimedRing {
  /// The place in the escalation for a message, with the names of the people who were asked and have not answered.
  func note(_ people: [Person], since zone: Zone) -> EscalationNote {
    let steps = plan.escalation.steps
    let floating = change.planner.floatingZone
    var asked: [String] = []
    // If this ring repeats its step, the people of the step were asked before as well.
    for earlier in steps.prefix(place.ring > 1 ? place.step : place.step - 1) {
      let instant = start.addingTimeInterval(earlier.after.exactSeconds)
      for name in earlier.to where !asked.contains(name) {
        let isAway = people.first { $0.name == name }?.isAway(at: instant, in: floating) ?? false
        if !isAway { asked.append(name) }
      }
    }
    let names = Set(people.map(\.name))
    return EscalationNote(
      name: plan.escalation.name, step: place.step, of: steps.count, ring: place.ring,
      since: OffsetInstant(start, in: zone), asked: asked, people: asked.filter(names.contains),
      tellsAnswer: plan.escalation.tellsAnswer)
  }
}

// MARK: A changed config

extension Change {
  /// Schedules the first step of the present config that has not rung, instead of a step that it no longer has.
  func findStep(of escalation: Escalation, inPlaceOf lost: Reminder, _ owner: OwnerPlan) throws {
    guard let place = lost.place, let ringing = try transaction.reminder(id: transaction.ring(of: lost)) else { return }
    // A new run, since the earlier run may already have scheduled a step at the same place.
    let plan = EscalationPlan(owner: owner, escalation: escalation, occurrence: lost.occurrence, run: place.run + 1)
    let known = try transaction.reminders(of: owner.owner, at: lost.occurrence.wallTime, state: .scheduled)
    // If another step of this escalation is scheduled, its claim does this.
    guard !known.contains(where: { $0.id != lost.id && $0.place != nil && $0.hasLead(of: lost) }) else { return }
    if let next = plan.firstStep(after: now, start: ringing.changedAt) { try schedule(next) }
  }
}

extension StoreTransaction {
  /// Makes a scheduled step due at an instant, unless it is due before.
  func moveUp(_ step: Reminder, to now: Date) throws {
    guard step.fireDate.date > now else { return }
    var step = step
    (step.fireDate, step.changedAt) = (try FireDate(now), now.wholeSeconds)
    try put(step)
  }
}

// MARK: A clock that was set back

extension Change {
  /// Moves the times at which reminders of the same occurrence and lead time fired to just before a ringing that fires
  /// now, if the clock was ahead then and was set back since. So the times keep the order of the ringings.
  func putBehind(_ ringing: Reminder) throws {
    let occurrence = ringing.occurrence
    for var earlier in try transaction.reminders(of: occurrence.owner, at: occurrence.wallTime, state: .fired)
    where earlier.changedAt > stamp && earlier.hasLead(of: ringing) {
      earlier.changedAt = stamp.addingTimeInterval(-1)
      try transaction.put(earlier)
    }
  }
}
