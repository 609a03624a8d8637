import BelfryModel
import FoundationEssentials

/// An item or list with all that is stored about its reminders.
struct OwnerHistory {
  let subject: ExplainedSubject
  /// Its reminders, soonest first.
  let known: [Reminder]
  let deliveries: [ExplainedDelivery]
  let people: [KnownPerson]

  /// The deliveries that carry a reminder.
  func deliveries(of reminder: Reminder) -> [ExplainedDelivery] {
    deliveries.filter { $0.message.contents.contains { $0.reminderID == reminder.id } }
  }

  /// The deliveries by which a reminder rang, without updates and failure notices.
  func rings(of reminder: Reminder) -> [ExplainedDelivery] {
    deliveries(of: reminder).filter { $0.message.kind == .fired }
  }

  /// True if quiet hours held a message about it at an instant.
  func holdsMessage(at instant: Date) -> Bool {
    deliveries.contains { $0.message.createdAt <= instant && $0.delivery.permittedFrom > instant }
  }

  /// The name of the person whom a message goes to; `nil` for no one in particular.
  func person(of message: Message) -> String? { people.first { $0.number == message.person }?.name }

  /// A reminder of its owner as a reminder to come.
  func coming(_ reminder: Reminder) -> PendingReminder {
    PendingReminder(
      reminder: reminder, listName: subject.listName, category: subject.category, text: subject.text,
      zone: subject.zone)
  }
}
