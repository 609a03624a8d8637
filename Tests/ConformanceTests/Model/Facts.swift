import BelfryEngine
import BelfryModel
import CivilTime
import Foundation

/// The content of a store, in terms common to the model and the store.
struct Facts: Equatable {
  struct Own: Hashable {
    var local: WallTime
    var zone: ItemZone
    var instant: Date
    var message: String?
  }

  struct List: Hashable {
    var name: String
    var own: Own?
    var items: [Int64]
  }

  struct Item: Hashable {
    var text: String
    var isChecked: Bool
    var local: WallTime?
    var instant: Date?
    var zone: ItemZone
    var shouldRemind: Bool
    var leads: Set<CalendarDuration>
  }

  struct Ring: Hashable {
    var owner: ReminderOwner
    var local: WallTime
    var lead: CalendarDuration
  }

  struct RingState: Hashable {
    var instant: Date
    var state: Reminder.State
  }

  struct Sending: Hashable {
    var ring: Ring
    var sink: String
    var recipient: String?
  }

  struct SendingState: Hashable {
    var instant: Date
    var state: Delivery.State
    var attempts = 0
    var permittedFrom: Date
    var next: Date?
    var last: Date?
    var closed: Date?
    var error: String?
  }

  struct Given: Hashable {
    var ring: Ring
    var word: ActionOperation.Word
    var effect: Answer.Effect
    var isTakenBack = false
  }

  var zone: String?
  var nextItemID: Int64 = 0
  var lists: [Int64: List] = [:]
  var items: [Int64: Item] = [:]
  var rings: [Ring: RingState] = [:]
  var sendings: [Sending: SendingState] = [:]
  var answers: [Int64: Given] = [:]
  /// The deliveries whose copies show that they were answered, or will by an update that is written.
  var answeredCopies: Set<Sending> = []

  init() {}
}

extension Facts {
  /// The content of a store, including these owners.
  init(_ store: any ItemStore, owners: [ReminderOwner]) throws {
    try store.read { view in
      zone = try view.plannedZone()
      nextItemID = try view.counters().nextItemID
      for list in try view.lists() {
        lists[list.id] = List(name: list.name, own: list.reminder.map(Own.init), items: [])
      }
      var places: [Int64: [(Int64, Int64)]] = [:]
      try view.forEachItem(ItemQuery(checked: .any)) { listing in
        items[listing.item.id] = Item(listing.item)
        places[listing.item.listID, default: []].append((listing.item.position, listing.item.id))
      }
      for (list, items) in places { lists[list]?.items = items.sorted { $0 < $1 }.map(\.1) }
      var known: [UUID: Ring] = [:]
      for owner in owners {
        for reminder in try view.reminders(of: owner) {
          let ring = Ring(
            owner: owner, local: reminder.occurrence.wallTime, lead: reminder.occurrence.lead)
          known[reminder.id] = ring
          rings[ring] = RingState(instant: reminder.fireDate.date, state: reminder.state)
        }
      }
      try view.forEachAnswer(limit: nil) { answer in
        let ring = Ring(owner: answer.owner, local: answer.wallTime, lead: answer.lead)
        answers[answer.id] = Given(
          ring: ring, word: answer.operation, effect: answer.effect, isTakenBack: answer.takenBackAt != nil)
      }
      var newest: [UUID: Message.Kind] = [:]
      // From the newest to the oldest, so that updates come before the messages that they are about.
      try view.forEachDelivery(state: nil, limit: nil) { delivery, message in
        guard message.update == nil else {
          if delivery.state != .discarded, let id = message.update?.messageID, newest[id] == nil {
            newest[id] = message.kind
          }
          return
        }
        guard let content = message.contents.first, let ring = known[content.reminderID] else {
          throw Difference("delivery \(delivery.id) is about a reminder that is not there")
        }
        let sending = Sending(ring: ring, sink: delivery.sink, recipient: delivery.recipient)
        guard sendings.updateValue(SendingState(delivery), forKey: sending) == nil else {
          throw Difference("there are two deliveries of \(sending)")
        }
        if newest[message.id] == .answered { answeredCopies.insert(sending) }
      }
    }
  }

  /// The differences, one on each line.
  func differences(from other: Facts) -> [String] {
    var found: [String] = []
    if zone != other.zone { found.append("zone \(zone ?? "none"), not \(other.zone ?? "none")") }
    if nextItemID != other.nextItemID {
      found.append("next number \(nextItemID), not \(other.nextItemID)")
    }
    found +=
      Self.differences("list", lists, other.lists) + Self.differences("item", items, other.items)
    found +=
      Self.differences("", rings, other.rings) + Self.differences("", sendings, other.sendings)
    found += Self.differences("answer", answers, other.answers)
    found += answeredCopies.symmetricDifference(other.answeredCopies).map { sending in
      "the copy of \(sending) is \(answeredCopies.contains(sending) ? "" : "not ")shown as answered"
    }
    return found
  }

  private static func differences<Key, Value: Equatable>(
    _ what: String, _ actual: [Key: Value], _ expected: [Key: Value]
  ) -> [String] {
    Set(actual.keys).union(expected.keys).filter { actual[$0] != expected[$0] }.map { key in
      "\(what) \(key): \(actual[key].map { "\($0)" } ?? "none"), not \(expected[key].map { "\($0)" } ?? "none")"
    }
  }
}

struct Difference: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Facts.Own {
  fileprivate init(_ reminder: ListReminder) {
    self.init(
      local: reminder.due.local, zone: reminder.zone, instant: reminder.due.instant.date,
      message: reminder.message)
  }
}

extension Facts.Item {
  fileprivate init(_ item: Item) {
    self.init(
      text: item.text, isChecked: item.isChecked, local: item.due?.local,
      instant: item.due?.instant.date,
      zone: item.zone, shouldRemind: item.shouldRemind, leads: Set(item.alerts))
  }
}

extension Facts.SendingState {
  fileprivate init(_ delivery: Delivery) {
    self.init(
      instant: delivery.fireDate.date, state: delivery.state, attempts: delivery.attempts,
      permittedFrom: delivery.permittedFrom, next: delivery.nextAttemptAt,
      last: delivery.lastAttemptAt,
      closed: delivery.closedAt, error: delivery.lastError)
  }
}
