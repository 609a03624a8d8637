import BelfryModel
import CivilTime
import FoundationEssentials

extension Belfry {
  /// Checks the whole store, both below the records and across them.
  ///
  /// - Returns: one sentence for each problem, at most about a hundred.
  /// - Throws: ``BelfryError`` `.storeFailed` if the store cannot even be read.
  package func checkStore() throws -> [String] {
    let damage = try store.damage()
    guard damage.isEmpty else { return damage }
    return try read { reading in
      // Unplanned edits are not a problem, since the next change or the daemon plans them.
      var check = StoreCheck(
        planner: reading.planner, now: reading.now, isPlanned: try !reading.view.isEditedElsewhere())
      try reading.view.forEachRecord { check.inspect($0) }
      try check.comparePlan(reading)
      return check.findings
    }
  }
}

/// The check of all records of a store.
private struct StoreCheck {
  private static let limit = 100

  let planner: Planner
  let now: Date
  /// True if reminders are expected to match the items.
  let isPlanned: Bool
  private(set) var findings: [String] = []
  private var counters = StoreCounters()
  private var lists: [Int64: Checklist] = [:]
  private var items: [Int64: UUID] = [:]
  private var messages: Set<UUID> = []
  private var deliveries: Set<Int64> = []
  private var uuids: Set<UUID> = []
  private var names: Set<String> = []
  /// The zones of items with the error for each unknown one; cached, since the database stats the zone's file each
  /// time.
  private var zones: [ItemZone: UnknownZone?] = [:]

  init(planner: Planner, now: Date, isPlanned: Bool) {
    self.planner = planner
    self.now = now
    self.isPlanned = isPlanned
  }

  mutating func inspect(_ record: StoreRecord) {
    switch record {
    case .counters(let counters): self.counters = counters
    case .list(let list):
      require(id: list.id, of: "list", below: counters.nextListID)
      require(names.insert(Checklist.nameKey(list.name)).inserted, "two lists are called '\(list.name)'")
      require(uuids.insert(list.uuid).inserted, "list \(list.id) has the same UUID as another record")
      lists[list.id] = list
      inspect(list)
    case .item(let item):
      require(id: item.id, of: "item", below: counters.nextItemID)
      require(lists[item.listID] != nil, "item \(item.id) is on list \(item.listID), which does not exist")
      require(uuids.insert(item.uuid).inserted, "item \(item.id) has the same UUID as another record")
      items[item.id] = item.uuid
      inspect(item)
    case .reminder(let reminder): inspect(reminder)
    case .message(let message): messages.insert(message.id)
    case .delivery(let delivery):
      deliveries.insert(delivery.id)
      inspect(delivery)
    case .attempt(let attempt):
      require(
        deliveries.contains(attempt.deliveryID),
        "an attempt belongs to delivery \(attempt.deliveryID), which does not exist")
    case .answer(let answer):
      require(id: answer.id, of: "answer", below: counters.nextAnswerID)
    case .person(let person):
      require(id: person.number, of: "person", below: counters.nextPersonNumber)
    case .problem, .inbox: break
    }
  }

  // Checks rules that commands enforce, but a file or another program may break.
  private mutating func inspect(_ list: Checklist) {
    let words = "list \(list.id)"
    report(words) { _ = try TextRules.listName(list.name) }
    guard let reminder = list.reminder else { return }
    if let message = reminder.message { report(words) { _ = try TextRules.message(message) } }
    inspect(reminder.zone, of: "the reminder of \(words)")
  }

  private mutating func inspect(_ item: Item) {
    let words = "item \(item.id)"
    report(words) { _ = try TextRules.line(item.text, what: "the text") }
    if let key = item.key { report(words) { _ = try TextRules.key(key) } }
    if let notes = item.notes { report(words) { _ = try TextRules.lines(notes, what: "the notes") } }
    require(item.nag != .zero, "\(words) nags every 0 minutes: the nag is ignored")
    inspect(item.zone, of: words)
    if let fault = planner.fault(of: item, now: now) { require(false, "\(words) cannot be scheduled: \(fault)") }
  }

  private mutating func inspect(_ zone: ItemZone, of words: String) {
    guard zone != .floating else { return }
    let fault: UnknownZone?
    if let known = zones[zone] {
      fault = known
    } else {
      fault = planner.fault(of: zone)
      zones[zone] = .some(fault)
    }
    if let fault { require(false, "\(words) cannot be scheduled: \(fault)") }
  }

  private mutating func report(_ words: String, _ rule: () throws -> Void) {
    do {
      try rule()
    } catch {
      require(false, "\(words): \((error as? BelfryError)?.message ?? "\(error)")")
    }
  }

  private mutating func inspect(_ reminder: Reminder) {
    guard isPlanned else { return }
    let owner: UUID?
    let words: String
    switch reminder.occurrence.owner {
    case .item(let id): (owner, words) = (items[id], "item \(id)")
    case .list(let id): (owner, words) = (lists[id]?.uuid, "list \(id)")
    }
    guard let owner else {
      return require(reminder.state != .scheduled, "a reminder is scheduled for \(words), which does not exist")
    }
    require(
      reminder.id == reminder.occurrence.reminderID(ownerUUID: owner),
      "the reminder of \(words) has the UUID of another occurrence: \(reminder.id.text)")
  }

  private mutating func require(id: Int64, of kind: String, below next: Int64) {
    require(id < next, "\(kind) \(id) is not below the next \(kind) number (\(next))")
  }

  private mutating func inspect(_ delivery: Delivery) {
    require(id: delivery.id, of: "delivery", below: counters.nextDeliveryID)
    require(messages.contains(delivery.messageID), "delivery \(delivery.id) has a message that does not exist")
    require(
      (delivery.state == .pending) == (delivery.nextAttemptAt != nil),
      "delivery \(delivery.id) is \(delivery.state.name) and has \(delivery.nextAttemptAt == nil ? "no" : "a") next attempt"
    )
    require(
      (delivery.state == .pending) == (delivery.closedAt == nil),
      "delivery \(delivery.id) is \(delivery.state.name) and has \(delivery.closedAt == nil ? "no" : "an") end time")
  }

  /// Compares the scheduled reminders with the items.
  mutating func comparePlan(_ reading: Reading) throws {
    guard isPlanned else { return }
    var found: [String] = []
    try reading.view.forEachItem(ItemQuery(kind: .any, checked: .checked)) { listing in
      guard listing.nextFireDate != nil else { return }
      found.append("item \(listing.item.id) is checked and still has a reminder scheduled")
    }
    try reading.view.forEachItem(ItemQuery(kind: .any, checked: .unchecked)) { listing in
      let item = listing.item
      guard !item.shouldRemind, listing.nextFireDate != nil else { return }
      found.append("item \(item.id) has its reminder switched off and still has one scheduled")
    }
    findings += found.prefix(max(0, Self.limit - findings.count))
  }

  private mutating func require(_ isRight: Bool, _ finding: @autoclosure () -> String) {
    if !isRight, findings.count < Self.limit { findings.append(finding()) }
  }
}
