import BelfryModel

/// A run of an escalation with at least one scheduled ring.
struct EscalationUnderWay {
  /// Any ring of the run, by which it is found.
  let occurrence: Occurrence
  /// The ringing that began it; `nil` if the store no longer has it.
  let ringing: Reminder?
  /// Its rings that are scheduled, in no order.
  let scheduled: [EscalationRing]
  /// Its later rings that have fired, under any config.
  let made: [Reminder]

  /// The run to which a ring belongs.
  init(_ occurrence: Occurrence, in view: any StoreView) throws {
    self.occurrence = occurrence
    let known = try view.reminders(of: occurrence.owner, at: occurrence.wallTime, state: nil)
      .filter { $0.occurrence.lead == occurrence.lead }
    let steps = known.filter { $0.place != nil }
    let ringing = try steps.first.flatMap { try view.reminder(id: view.ring(of: $0)) }.flatMap {
      $0.beginsEscalation ? $0 : nil
    }
    scheduled = steps.filter { $0.state == .scheduled && $0.place?.run == occurrence.place?.run }.compactMap {
      step in
      step.place.map { EscalationRing(place: $0, fireDate: step.fireDate) }
    }
    // The escalation of an earlier ringing ended with this one.
    made = steps.filter { step in
      step.state == .fired && ringing.map { !step.rang(before: $0) } ?? true
    }
    self.ringing = ringing
  }
}
