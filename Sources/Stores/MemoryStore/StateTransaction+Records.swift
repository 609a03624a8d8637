import BelfryEngine
import BelfryModel
import FoundationEssentials

extension StateTransaction {
  package func counters() -> StoreCounters { state.counters }

  package func forEachRecord(_ body: (StoreRecord) throws -> Void) throws {
    try body(.counters(state.counters))
    for id in state.lists.keys.sorted() { if let list = state.lists[id] { try body(.list(list)) } }
    for id in state.items.keys.sorted() { if let item = state.items[id] { try body(.item(item)) } }
    for reminder in state.reminders.values { try body(.reminder(reminder)) }
    for message in state.messages.values { try body(.message(message)) }
    let deliveryIDs = state.deliveries.keys.sorted()
    for id in deliveryIDs { if let delivery = state.deliveries[id] { try body(.delivery(delivery)) } }
    for id in deliveryIDs { for attempt in state.attempts[id] ?? [] { try body(.attempt(attempt)) } }
    for problem in sinkProblems() { try body(.problem(problem)) }
    for id in state.answers.keys.sorted() { if let answer = state.answers[id] { try body(.answer(answer)) } }
    for inbox in inboxes() { try body(.inbox(inbox)) }
    for person in people() { try body(.person(person)) }
  }

  package func counts() throws -> StoreCounts {
    var counts = StoreCounts()
    counts.lists = state.lists.count
    counts.items = state.items.values.count { !$0.isEvent }
    counts.unchecked = state.items.values.count { !$0.isChecked && !$0.isEvent }
    counts.scheduled = state.reminders.values.count { $0.state == .scheduled }
    for delivery in state.deliveries.values { counts.deliveries[delivery.state, default: 0] += 1 }
    return counts
  }

  package func removeEverything() throws {
    changes.head = true
    changes.lists.formUnion(state.lists.keys)
    changes.items.formUnion(state.items.keys)
    changes.reminders.formUnion(state.reminders.keys)
    changes.messages.formUnion(state.messages.keys)
    changes.deliveries.formUnion(state.deliveries.keys)
    changes.answers.formUnion(state.answers.keys)
    state = StoreState()
    forgetUndo()
    indexes = StateIndexes()
  }

  package func restore(_ record: StoreRecord) throws {
    try record.requireNumber()
    switch record {
    case .counters(let counters):
      state.counters = counters
      changes.head = true
    case .list(let list):
      state.lists[list.id] = list
      changes.lists.insert(list.id)
    case .item(let item):
      try Self.require(state.lists[item.listID] != nil, "item \(item.id) has no list")
      state.items[item.id] = item
      changes.items.insert(item.id)
    case .reminder(let reminder):
      state.reminders[reminder.id] = reminder
      changes.reminders.insert(reminder.id)
    case .message(let message):
      state.messages[message.id] = message
      changes.messages.insert(message.id)
    case .delivery(let delivery):
      try Self.require(
        state.messages[delivery.messageID] != nil, "delivery \(delivery.id) has no message")
      state.deliveries[delivery.id] = delivery
      changes.deliveries.insert(delivery.id)
    case .attempt(let attempt): try add(attempt)
    case .problem(let problem): put(problem)
    case .answer(let answer):
      state.answers[answer.id] = answer
      changes.answers.insert(answer.id)
    case .inbox(let inbox): put(inbox)
    case .person(let person): put(person)
    }
    // The records were changed without updating the indexes.
    indexes = StateIndexes()
  }

  static func require(_ isThere: Bool, _ message: @autoclosure () -> String) throws {
    if !isThere { throw BelfryError(.internalError, message()) }
  }
}
