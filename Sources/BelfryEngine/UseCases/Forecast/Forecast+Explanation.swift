import BelfryModel
import CivilTime
import FoundationEssentials

extension Forecast {
  /// The escalation of the reminders of an item or list; `nil` for none.
  func escalation(of subject: ExplainedSubject) -> ExplainedEscalation? {
    let (list, category) = (subject.listName, subject.category)
    guard let escalation = settings.escalation(forList: list, category: category),
      let origin = settings.escalationOrigin(forList: list, category: category)
    else { return nil }
    return ExplainedEscalation(escalation: escalation, origin: origin, nag: subject.nag)
  }

  /// The sinks that the next reminder goes to, and the quiet hours that hold it, a clause each.
  mutating func aims(of history: OwnerHistory) throws -> [String] {
    let escalation = escalation(of: history.subject)?.escalation
    // A step that the config no longer has does not ring.
    let next = history.known.first { reminder in
      reminder.state == .scheduled && (reminder.place.map { escalation?.step(at: $0) != nil } ?? true)
    }
    let reminder = try next ?? hypothetical(history.subject)
    let (instant, reach) = (reminder.fireDate.date, reach(of: history.coming(reminder)))
    guard !reach.sinks.isEmpty else {
      let absentees = names.absentees(among: reach.given, at: instant, in: zone).map(\.name)
      let verb = absentees.count == 1 ? "is" : "are"
      return [
        absentees.isEmpty
          ? "goes to no sink: no route leads to an enabled sink"
          : "goes to nobody: \(absentees.inSentence) \(verb) away then"
      ]
    }
    let step = reach.place.flatMap { reach.escalation == nil ? nil : "step \($0.step) " } ?? ""
    let own = reach.place.flatMap { reach.escalation?.step(at: $0) }
    let urgency = settings.urgency(of: history.subject, own).urgency
    let words = own?.urgency.map { " with urgency \($0)" } ?? ""
    return ["\(step)goes to \(reach.sinks.joined(separator: ", "))\(words)"]
      + (next == nil ? [] : reach.recipients.flatMap { quiet($0, urgency, at: instant) }.uniqued())
  }

  // A reminder that will not ring is explained as one that would ring now.
  private func hypothetical(_ subject: ExplainedSubject) throws -> Reminder {
    let now = try FireDate(reading.now)
    let occurrence = Occurrence(
      owner: subject.owner, wallTime: subject.due?.local ?? zone.wallTime(at: now.date), lead: .zero)
    return Reminder(
      id: occurrence.reminderID(ownerUUID: subject.uuid), occurrence: occurrence, fireDate: now, state: .scheduled,
      changedAt: now.date)
  }

  // Quiet hours are in the floating zone, as in the outbox.
  private func quiet(_ recipient: NamedRecipient, _ urgency: Urgency, at instant: Date) -> [String] {
    let sink = sink(recipient)
    let hours = [(recipient.sink, sink?.quietHours), (recipient.person?.name ?? "", recipient.person?.quietHours)]
    let end = hours.map(\.1).permitted(urgency, from: instant, in: zone)
    return hours.compactMap { name, hours in
      guard let hours, hours.end(of: instant, in: zone) != nil else { return nil }
      return
        "\(name) is quiet \(hours.words): \(hours.holds(urgency) ? "held until \(zone.readable(end))" : "not held")"
    }
  }

  func sink(_ recipient: NamedRecipient) -> ActiveSink? { sinks.first { $0.name == recipient.sink } }
}

extension Settings {
  /// The urgency of the reminders of an item or list.
  ///
  /// - Parameter step: the step of the escalation that rings; `nil` for none.
  func urgency(of subject: ExplainedSubject, _ step: Escalation.Step? = nil) -> UrgencySource {
    urgency(forList: subject.listName, category: subject.category, priority: subject.priority, step: step)
  }
}
