import BelfryModel
import FoundationEssentials

/// The numbers that a store has given and the reminders that it has fired, as far as they can still be read, for the
/// copy that replaces it.
package struct StoreRemains: Sendable {
  /// The counters, raised above every number found.
  package private(set) var counters = StoreCounters()
  /// False if the store may have given numbers that are not known here.
  package var hasNumbers = true
  /// False if the store may have fired reminders that are not known here, or deliveries of them may be missing.
  package var hasReminders = true
  private(set) var lists: [Int64: UUID] = [:]
  private(set) var reminders: [ReminderOwner: [Reminder]] = [:]
  private(set) var messages: [Message] = []
  private(set) var deliveries: [Delivery] = []
  private(set) var attempts: [Int64: [AttemptRecord]] = [:]
  private(set) var people: [KnownPerson] = []
  private(set) var inboxes: [SinkInbox] = []

  package init() {}

  package mutating func add(_ record: StoreRecord) {
    addNumbers(of: record)
    switch record {
    case .list(let list): lists[list.id] = list.uuid
    case .reminder(let reminder): reminders[reminder.occurrence.owner, default: []].append(reminder)
    case .message(let message): messages.append(message)
    case .delivery(let delivery): deliveries.append(delivery)
    case .attempt(let attempt): attempts[attempt.deliveryID, default: []].append(attempt)
    case .person(let person): people.append(person)
    case .inbox(let inbox): inboxes.append(inbox)
    case .counters, .item, .answer, .problem: break
    }
  }

  /// Adds the numbers of a record only.
  package mutating func addNumbers(of record: StoreRecord) {
    switch record {
    case .counters(let found): counters = counters.raised(to: found)
    case .list(let list): raise(\.nextListID, above: list.id)
    case .item(let item): raise(\.nextItemID, above: item.id)
    case .delivery(let delivery): raise(\.nextDeliveryID, above: delivery.id)
    case .answer(let answer): raise(\.nextAnswerID, above: answer.id)
    case .person(let person): raise(\.nextPersonNumber, above: person.number)
    case .reminder, .message, .attempt, .problem, .inbox: break
    }
  }

  private mutating func raise(_ counter: WritableKeyPath<StoreCounters, Int64>, above number: Int64) {
    if number < .max { counters[keyPath: counter] = max(counters[keyPath: counter], number + 1) }
  }
}

extension StoreCounters {
  /// The higher value of each number; the zone and unknown fields stay.
  func raised(to other: StoreCounters) -> StoreCounters {
    var raised = self
    raised.nextItemID = max(nextItemID, other.nextItemID)
    raised.nextListID = max(nextListID, other.nextListID)
    raised.nextDeliveryID = max(nextDeliveryID, other.nextDeliveryID)
    raised.nextAnswerID = max(nextAnswerID, other.nextAnswerID)
    raised.nextPersonNumber = max(nextPersonNumber, other.nextPersonNumber)
    return raised
  }
}
