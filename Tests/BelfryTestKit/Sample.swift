import BelfryEngine
import BelfryModel
import CivilTime
import Foundation
import OrderedJSON

/// Sample values for tests, ordinary and always the same unless a test says otherwise.
public enum Sample {
  /// 2026-11-21T08:00:00Z, a Saturday; 09:00 in Zurich.
  public static let now = Date(timeIntervalSince1970: 1_795_248_000)

  /// A planner whose floating zone is UTC, with the system's zones.
  public static let planner = Planner(floatingZone: .utc, zones: ZoneDatabase(environment: [:]))

  /// The identifier for a name; the same name always has the same one.
  public static func uuid(_ name: String) -> UUID { UUID(namespace: .belfry, name: "sample \(name)") }

  /// The fire date this many minutes after ``now``.
  ///
  /// - Throws: `DateError` outside the supported years.
  public static func fireDate(_ minutes: Int = 0) throws -> FireDate {
    try FireDate(now.addingTimeInterval(Double(minutes) * 60))
  }

  /// The due date this many minutes after ``now``, in UTC.
  ///
  /// - Throws: `DateError` outside the supported years.
  public static func due(_ minutes: Int = 0) throws -> DueDate {
    let fireDate = try fireDate(minutes)
    return DueDate(local: Zone.utc.wallTime(at: fireDate.date), instant: fireDate)
  }

  /// An item that is not stored.
  public static func item(
    id: Int64 = 1, listID: Int64 = 1, position: Int64 = 1, text: String = "Buy milk", due: DueDate? = nil,
    shouldRemind: Bool = true, alerts: [CalendarDuration] = [.zero], zone: ItemZone = .floating
  ) -> Item {
    Item(
      id: id, uuid: uuid("item \(id)"), listID: listID, position: position, text: text, due: due, zone: zone,
      shouldRemind: shouldRemind, alerts: alerts, createdAt: now, updatedAt: now)
  }

  /// A list that is not stored.
  public static func list(id: Int64 = 1, name: String = "Groceries", reminder: ListReminder? = nil) -> Checklist {
    Checklist(id: id, uuid: uuid("list \(id)"), name: name, reminder: reminder, createdAt: now, updatedAt: now)
  }

  /// A reminder that fires this many minutes after ``now``.
  ///
  /// - Throws: `DateError` outside the supported years.
  public static func reminder(
    of owner: ReminderOwner, at minutes: Int = 0, lead: CalendarDuration = .zero, kind: Occurrence.Kind = .planned,
    state: Reminder.State = .scheduled, changedAt: Date = now
  ) throws -> Reminder {
    let occurrence = Occurrence(
      owner: owner, wallTime: try due(minutes).local.adding(days: lead.days, minutes: lead.minutes), lead: lead,
      kind: kind)
    return Reminder(
      id: occurrence.reminderID(ownerUUID: uuid("\(owner)")), occurrence: occurrence, fireDate: try fireDate(minutes),
      state: state, changedAt: changedAt)
  }

  /// The message content of a reminder.
  public static func content(
    _ reminder: Reminder, about subject: ReminderSubject, _ alert: AlertStyle = AlertStyle()
  ) -> ReminderContent {
    var settings = Settings()
    settings.alert = alert
    return ReminderContent(
      reminder: reminder, subject: subject, settings: settings, badge: 0, planner: planner, now: now)
  }

  /// A message about an item that is not stored.
  ///
  /// - Throws: `DateError` outside the supported years.
  public static func message(
    text: String = "Buy milk", listName: String = "Groceries", itemID: Int64 = 1, at minutes: Int = 0,
    sink: String = "sink", alert: AlertStyle = AlertStyle()
  ) throws -> Message {
    let reminder = try reminder(of: .item(itemID), at: minutes)
    let listing = ItemListing(
      item: item(id: itemID, text: text, due: try due(minutes)), listName: listName, nextFireDate: nil)
    return Message(
      id: Message.id(sink: sink, reminders: [reminder.id]), sink: sink,
      contents: [content(reminder, about: .item(listing), alert)], createdAt: now)
  }

  /// An attempt to deliver a message at its fire date, or this many seconds late.
  public static func attempt(
    _ message: Message, deliveryID: Int64 = 1, to recipient: String? = nil, lateSeconds: Int = 0
  ) -> DeliveryAttempt {
    DeliveryAttempt(
      deliveryID: deliveryID, message: message, recipient: recipient,
      startedAt: now.addingTimeInterval(Double(lateSeconds)), lateSeconds: lateSeconds)
  }
}

extension DeliveryAttempt {
  /// The message's JSON body.
  ///
  /// - Throws: `JSONError` if it is invalid.
  public func body() throws -> JSONValue {
    var bytes: [UInt8] = []
    writeBody(into: &bytes)
    return try JSONValue(parsing: bytes)
  }
}

extension StoreTransaction {
  /// Adds a list with this name.
  @discardableResult
  public func addSampleList(_ name: String = "Groceries") throws -> Checklist {
    try addList(name: name, uuid: Sample.uuid("list \(name)"), at: Sample.now)
  }

  /// Adds an item at the end of a list, due this many minutes after ``Sample/now`` or undated.
  @discardableResult
  public func addSampleItem(
    _ text: String = "Buy milk", to listID: Int64, preferredID: Int64? = nil, due minutes: Int? = nil,
    isChecked: Bool = false, key: String? = nil
  ) throws -> Item {
    try addItem(listID: listID, preferredID: preferredID) { id, position in
      var item = Sample.item(
        id: id, listID: listID, position: position, text: text, due: try minutes.map { try Sample.due($0) })
      (item.isChecked, item.key) = (isChecked, key)
      return item
    }
  }

  /// Adds a message about an item, with a pending delivery for each recipient, due at its fire date unless it is held.
  @discardableResult
  public func addSampleMessage(
    about itemID: Int64, at minutes: Int = 0, sink: String = "sink", recipients: [String?] = [nil],
    permittedFrom: Date? = nil
  ) throws -> Message {
    let message = try Sample.message(itemID: itemID, at: minutes, sink: sink)
    let fireDate = try Sample.fireDate(minutes)
    try add(message, recipients: recipients, fireDate: fireDate, permittedFrom: permittedFrom ?? fireDate.date)
    return message
  }
}

extension StoreView {
  /// The items that match a query, in order.
  public func items(_ query: ItemQuery = ItemQuery(kind: .any, checked: .any)) throws -> [Item] {
    var items: [Item] = []
    try forEachItem(query) { items.append($0.item) }
    return items
  }

  /// The scheduled reminders, soonest first.
  public func pending(limit: Int? = nil) throws -> [PendingReminder] {
    var pending: [PendingReminder] = []
    try forEachPending(limit: limit) { pending.append($0) }
    return pending
  }

  /// The deliveries in a state, or in all, newest first.
  public func deliveries(_ state: Delivery.State? = nil, limit: Int? = nil) throws -> [Delivery] {
    var deliveries: [Delivery] = []
    try forEachDelivery(state: state, limit: limit) { delivery, _ in deliveries.append(delivery) }
    return deliveries
  }
}
