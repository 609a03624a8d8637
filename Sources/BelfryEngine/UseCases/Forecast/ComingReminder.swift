import BelfryModel
import CivilTime

/// A reminder to come, with the fields that decide whom it reaches.
public protocol ComingReminder {
  var occurrence: Occurrence { get }
  var fireDate: FireDate { get }
  /// The name of its list.
  var listName: String { get }
  /// The category of its item or list reminder.
  var category: String? { get }
  /// The text of the item, or the message of the list reminder.
  var text: String { get }
  /// The zone of its item or list reminder.
  var zone: ItemZone { get }
}

extension ComingReminder {
  /// The item that rings, or the list whose own reminder does.
  public var owner: ReminderOwner { occurrence.owner }
}

extension PreviewedReminder: ComingReminder {}

extension PendingReminder: ComingReminder {
  /// The occurrence that rings.
  public var occurrence: Occurrence { reminder.occurrence }
  /// The full minute at which it rings.
  public var fireDate: FireDate { reminder.fireDate }
}

/// The people and sinks that a reminder to come reaches, by the present config.
public struct Reach: Hashable, Sendable {
  /// The escalation that it belongs to; `nil` for none, and for a step that the config no longer has.
  public let escalation: Escalation?
  /// The step and ring of a reminder in an escalation; `nil` for others.
  public let place: EscalationPlace?
  /// The names of people and sinks that the config gives it.
  public let given: [String]
  /// The given names that it reaches, without people who are away then.
  public let names: [String]
  /// The sinks, with the person and address of each.
  public let recipients: [NamedRecipient]

  /// The names of the sinks, each once.
  public var sinks: [String] { recipients.map(\.sink).uniqued() }

  /// The names of the people, each once.
  public var people: [String] { recipients.compactMap(\.person?.name).uniqued() }
}

/// A step of an escalation that is still to come.
public struct ComingStep: Hashable, Sendable {
  /// The number of the step, from 1.
  public let step: Int
  /// Its first ring that has not rung yet.
  public let at: FireDate
  /// The names that the config gives it.
  public let given: [String]
  /// The given names that this ring reaches.
  public let to: [String]
  /// The time from one ring to the next; `nil` for a single ring.
  public let every: CalendarDuration?
  /// The number of rings that are still to come.
  public internal(set) var times: Int
}

/// A reminder to come, with whom it reaches and the steps that follow it.
public struct ForecastEntry<Reminder: ComingReminder> {
  /// The reminder that is to come.
  public let reminder: Reminder
  /// The people and sinks that it reaches.
  public let reach: Reach
  /// The steps that follow it if nobody answers and that are not scheduled.
  public let steps: [ComingStep]

  /// An entry; without `steps`, nothing follows the reminder.
  public init(reminder: Reminder, reach: Reach, steps: [ComingStep] = []) {
    (self.reminder, self.reach, self.steps) = (reminder, reach, steps)
  }
}

extension Reading {
  /// The due date of a reminder that rings ahead of it, such as `due Sun 17:00`; `nil` for other reminders.
  package func dueWords(_ reminder: some ComingReminder, _ moment: Moment) -> String? {
    let occurrence = reminder.occurrence
    guard occurrence.lead != .zero, occurrence.kind == .planned else { return nil }
    return "due \(moment.short(displayZone(reminder.zone).instant(of: occurrence.wallTime).instant))"
  }
}
