import BelfryModel
import CivilTime
import FoundationEssentials

/// The place of a reminder in its escalation, as far as the store and the present config show it.
public struct ExplainedStep: Hashable, Sendable {
  /// The reason why a ring reached nobody; the next step then came at once.
  public enum Obstacle: Hashable, Sendable {
    /// Everybody whom the config names was away.
    case away([String])
    case noSink
    case failed
  }

  /// The name of the escalation; `nil` if neither the message nor the config has it.
  public let escalation: String?
  /// The number of the step, from 1.
  public let step: Int
  /// The number of steps; `nil` if neither the message nor the config has them.
  public let of: Int?
  /// The number of the ring within its step, from 1.
  public let ring: Int
  /// The people and sinks that it reached, or will reach.
  public let names: [String]
  /// The people among its recipients.
  public let people: [String]
  /// The reason why the next step came at once; `nil` if it did not.
  public let obstacle: Obstacle?
  /// True if it sent nothing, since quiet hours held an earlier message to each of its recipients.
  public let isOmitted: Bool
}

extension Forecast {
  /// The place of a stored reminder in its escalation; `nil` for none.
  mutating func step(of reminder: Reminder, _ history: OwnerHistory) -> ExplainedStep? {
    let rings = history.rings(of: reminder)
    let note = rings.first?.message.contents.first { $0.reminderID == reminder.id }?.escalation
    let escalation = escalation(of: history.coming(reminder))
    // A reminder that rang before the config had the escalation has a message without a note.
    let begins =
      reminder.beginsEscalation && (note != nil || reminder.mayBeginEscalation && escalation != nil && rings.isEmpty)
    guard let place = reminder.place ?? (begins ? .first : nil) else { return nil }
    let step = escalation?.step(place.step)
    let (names, people) = names(reminder, rings, history)
    let isOmitted = rings.isEmpty && place != .first && history.holdsMessage(at: reminder.changedAt)
    return ExplainedStep(
      escalation: note?.name ?? (step == nil ? nil : escalation?.name), step: place.step,
      of: note.map { Int($0.of) } ?? (step == nil ? nil : escalation?.steps.count), ring: place.ring,
      names: names, people: people,
      obstacle: isOmitted ? nil : obstacle(reminder, place, step, rings, history), isOmitted: isOmitted)
  }

  private mutating func names(
    _ reminder: Reminder, _ rings: [ExplainedDelivery], _ history: OwnerHistory
  ) -> (names: [String], people: [String]) {
    if reminder.state == .scheduled {
      let reach = reach(of: history.coming(reminder))
      return (reach.names, reach.people)
    }
    let people = rings.map { history.person(of: $0.message) }
    let names = zip(people, rings).map { $0 ?? $1.message.sink }
    return (names.uniqued(), people.compactMap(\.self).uniqued())
  }

  private func obstacle(
    _ reminder: Reminder, _ place: EscalationPlace, _ step: Escalation.Step?, _ rings: [ExplainedDelivery],
    _ history: OwnerHistory
  ) -> ExplainedStep.Obstacle? {
    guard reminder.state == .fired else { return nil }
    if rings.isEmpty {
      let given = step?.to ?? []
      let absentees = names.absentees(among: given, at: reminder.changedAt, in: zone).map(\.name)
      return !given.isEmpty && absentees.count == given.count ? .away(absentees) : .noSink
    }
    guard rings.allSatisfy({ [.dead, .discarded].contains($0.delivery.state) }),
      let end = rings.compactMap(\.delivery.closedAt).max(), let minute = try? FireDate(end)
    else { return nil }
    // The last failure made the next step due in its minute.
    let isHandedOver = history.known.contains { other in
      other.place?.step == place.step + 1 && other.place?.ring == 1 && other.fireDate == minute
        && other.occurrence.wallTime == reminder.occurrence.wallTime && other.hasLead(of: reminder)
    }
    return isHandedOver ? .failed : nil
  }
}

extension Reminder {
  /// True if it will ring or rang; it then begins the escalation if there is one.
  fileprivate var mayBeginEscalation: Bool { state == .scheduled || state == .fired }
}
