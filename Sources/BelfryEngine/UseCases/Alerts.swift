import BelfryModel
import CivilTime
import FoundationEssentials

/// An alert as a monitor reports it.
package struct Alert: Hashable, Sendable {
  /// The state of an alert according to its monitor.
  package enum State: Hashable, Sendable {
    /// It fires, and expires at this instant unless it is renewed.
    case firing(until: Date?)
    case resolved
  }

  /// The key of its item.
  package var key: String
  /// The text of its item.
  package var text: String
  /// The notes of a new item.
  package var notes: String?
  /// The time at which it began to fire; `nil` if the monitor does not say.
  package var startsAt: Date?
  package var state: State
  /// The list of a new item; `nil` for that of its destination.
  package var list: String?
  /// The category of a new item; `nil` for that of its destination.
  package var category: String?

  package init(key: String, text: String, notes: String?, startsAt: Date?, state: State) {
    (self.key, self.text, self.notes) = (key, text, notes)
    (self.startsAt, self.state) = (startsAt, state)
  }
}

/// The place of the items of alerts.
package struct AlertDestination: Sendable {
  /// The list of new items.
  package var list: ListChoice
  /// The category of new items.
  package var category: String?
  /// True for a list whose items the alerts may change, by its identity.
  package var mayChange: @Sendable (UUID) -> Bool

  package init(list: ListChoice, category: String?, mayChange: @escaping @Sendable (UUID) -> Bool) {
    (self.list, self.category, self.mayChange) = (list, category, mayChange)
  }
}

extension Belfry {
  /// Adds, changes, opens and checks the items of alerts, all or none.
  ///
  /// A new alert rings with the next minute. An alert that still fires changes only the text of its item, and a checked
  /// item opens again only for a later start. Items of alerts that were not renewed are checked. None of this can be
  /// undone, since `undo` would otherwise take back a monitor's report instead of a person's command.
  ///
  /// - Returns: the items that changed, apart from the expiry.
  /// - Throws: ``BelfryError`` `.notFound` for an unknown list, `.badInput` for a text that is not a line.
  package func take(_ alerts: [Alert], to destination: AlertDestination) throws -> [ItemListing] {
    try change { change in
      var ids = try change.expireAlerts(on: destination)
      ids += try alerts.compactMap { try change.take($0, to: destination) }
      return try ids.uniqued().map(change.item)
    }
  }
}

extension Change {
  /// Checks an item whose alert has expired.
  ///
  /// - Returns: true for such an item.
  func expireAlert(of item: Item) throws -> Bool {
    var event = AlertEvent(of: item)
    guard !item.isChecked, let expiry = event.expiry, expiry <= now else { return false }
    // An alert that fires after its expiry counts as a new event, even with the start of the old one.
    (event.start, event.expiry) = (nil, nil)
    try keep(event, of: item)
    _ = try setChecked(true, [item.id])
    return true
  }

  fileprivate func expireAlerts(on destination: AlertDestination) throws -> [Int64] {
    guard let list = try transaction.list(destination.list), destination.mayChange(list.uuid) else {
      return []
    }
    return try transaction.listings(ItemQuery(listID: list.id)).map(\.item).filter(expireAlert).map(\.id)
  }

  /// - Returns: the id of an item that changed.
  fileprivate func take(_ alert: Alert, to destination: AlertDestination) throws -> Int64? {
    guard let old = try transaction.item(keyed: alert.key)?.item else {
      return alert.isOver(at: now) ? nil : try add(alert, to: destination)
    }
    guard let list = try transaction.list(id: old.listID), destination.mayChange(list.uuid) else { return nil }
    let known = AlertEvent(of: old)
    var event = known
    event.start = alert.startsAt ?? (known.isUnderWay(at: now) || alert.isOver(at: now) ? known.start : nil) ?? stamp
    // A report about an earlier event arrived late.
    if let start = known.start, let told = event.start, told < start { return nil }
    let isNew = event.start != known.start
    guard !alert.isOver(at: now) else {
      guard isNew || !known.isResolved else { return nil }
      (event.expiry, event.isResolved) = (nil, true)
      try keep(event, of: old)
      guard !old.isChecked else { return nil }
      return try setChecked(true, [old.id]).first?.listing.item.id
    }
    event.expiry = alert.expiry
    guard isNew || !known.isResolved else { return nil }
    event.isResolved = false
    if old.isChecked || known.isResolved {
      guard isNew else {
        // Only the expiry shows whether an alert without a start is still the same event.
        if alert.startsAt == nil { try keep(event, of: old) }
        return nil
      }
      return try open(old, alert, event)
    }
    return try rename(old, alert, event)
  }

  private func add(_ alert: Alert, to destination: AlertDestination) throws -> Int64 {
    let list = try findOrAdd(alert.list.map { ListChoice($0) } ?? destination.list)
    let content = ItemContent(
      text: alert.text, notes: alert.notes, shouldRemind: true, alerts: [], nag: nil,
      category: alert.category ?? destination.category, key: alert.key, tags: .empty, priority: nil,
      properties: AlertEvent(start: alert.startsAt ?? stamp, expiry: alert.expiry).added(to: []))
    let id = try add(ItemDraft(content, due: nextMinute, zone: Self.alertZone), to: list).listing.item.id
    try itemsChanged(on: list)
    return id
  }

  private func open(_ old: Item, _ alert: Alert, _ event: AlertEvent) throws -> Int64 {
    var edit = ItemEdit()
    (edit.text, edit.due, edit.zone, edit.shouldRemind) = (alert.text, .at(nextMinute), Self.alertZone, true)
    var new = try applying(edit, to: old.isChecked ? unchecked(old) : old)
    new.properties = event.added(to: new.properties)
    outdated.add(.item(old.id))
    return try replace(old, with: new).listing.item.id
  }

  private func rename(_ old: Item, _ alert: Alert, _ event: AlertEvent) throws -> Int64? {
    var edit = ItemEdit()
    edit.text = alert.text
    var new = try applying(edit, to: old)
    guard new.text != old.text else {
      try keep(event, of: old)
      return nil
    }
    new.properties = event.added(to: new.properties)
    return try replace(old, with: new).listing.item.id
  }

  // This is not an edit: the item's version stays, so that an edit in progress need not start again.
  private func keep(_ event: AlertEvent, of item: Item) throws {
    var new = item
    new.properties = event.added(to: item.properties)
    if new.properties != item.properties { try update(new, from: item) }
  }

  private var nextMinute: WallTime {
    WallTime(minutesSinceEpoch: Int((now.timeIntervalSince1970 / 60).rounded(.down)) + 1)
  }

  // In UTC each minute occurs once, also when the clocks go back.
  private static let alertZone = ItemZone.fixed("UTC")
}

extension Alert {
  fileprivate func isOver(at now: Date) -> Bool {
    switch state {
    case .resolved: true
    case .firing(let expiry): expiry.map { $0 <= now } ?? false
    }
  }

  fileprivate var expiry: Date? { if case .firing(let expiry) = state { expiry } else { nil } }
}

/// The start, expiry and end of the event behind an alert, kept in properties of its item.
private struct AlertEvent: Equatable {
  /// The time at which the alert began to fire.
  var start: Date?
  /// The time at which it is over unless it is renewed.
  var expiry: Date?
  /// True once its monitor has reported that it is over.
  var isResolved = false

  init(start: Date?, expiry: Date?) { (self.start, self.expiry) = (start, expiry) }

  init(of item: Item) {
    func date(_ name: String) -> Date? {
      item.properties.first { $0.hasPrefix(name) }.flatMap { parseRFC3339(String($0.dropFirst(name.count))) }
    }
    (start, expiry) = (date(Self.startName), date(Self.expiryName))
    isResolved = item.properties.contains(Self.resolved)
  }

  func isUnderWay(at now: Date) -> Bool { !isResolved && expiry.map { now < $0 } ?? true }

  func added(to properties: [String]) -> [String] {
    let lines = [
      start.map { Self.startName + Zone.utc.rfc3339($0) }, expiry.map { Self.expiryName + Zone.utc.rfc3339($0) },
      isResolved ? Self.resolved : nil,
    ]
    return properties.filter { !$0.hasPrefix(Self.name) } + lines.compactMap(\.self)
  }

  private static let name = "X-BELFRY-ALERT-"
  private static let startName = name + "START:"
  private static let expiryName = name + "EXPIRY:"
  private static let resolved = name + "RESOLVED:TRUE"
}
