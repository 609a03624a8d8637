import Foundation

/// What one claim did.
public struct ClaimResult: Hashable, Sendable {
  /// How many reminders rang.
  public var fired = 0
  /// How many were left out by the missed policy.
  public var missed = 0
  /// How many rang with no sink to send them to.
  public var unrouted = 0
  /// Whether more may be due.
  public var hasMore = false
}

extension Belfry {
  /// Claims what is due: its messages and deliveries are written in the same transaction that marks it fired.
  ///
  /// - Parameters:
  ///   - sinks: the enabled sinks by name, each with its recipients, in the config's order.
  ///   - limit: how many reminders to claim at most, so that sending can begin.
  public func claimDue(sinks: [(name: String, recipients: [String?])], limit: Int) throws -> ClaimResult {
    // Most minutes nothing is due: a read spares the write.
    guard try !store.read({ try $0.dueReminders(at: time.now, limit: 1) }).isEmpty else { return ClaimResult() }
    return try change { change in
      let due = try change.transaction.dueReminders(at: change.now, limit: limit)
      var claim = try Claim(change: change, settings: settings, sinks: sinks)
      for reminder in due { try claim.claim(reminder) }
      claim.result.hasMore = due.count == limit
      return claim.result
    }
  }
}

/// One claim in progress.
private struct Claim {
  let change: Change
  let settings: Settings
  let sinks: [(name: String, recipients: [String?])]
  let badge: Int
  var result = ClaimResult()

  init(change: Change, settings: Settings, sinks: [(name: String, recipients: [String?])]) throws {
    self.change = change
    self.settings = settings
    self.sinks = sinks
    badge = try change.transaction.uncheckedCount(listID: nil, dueBefore: change.now)
  }

  mutating func claim(_ reminder: Reminder) throws {
    let decision = try settings.missed.decide(fireDate: reminder.fireDate, now: change.now) {
      let latest = change.now.addingTimeInterval(-Double(settings.missed.graceSeconds))
      return try change.transaction.hasScheduled(
        reminder.occurrence.owner, after: reminder.fireDate, through: latest)
    }
    switch decision {
    case .miss:
      try close(reminder, as: .missed)
      result.missed += 1
    case .fire:
      guard let subject = try subject(of: reminder) else { return try close(reminder, as: .cancelled) }
      try close(reminder, as: .fired)
      try send(reminder, subject)
      result.fired += 1
    }
  }

  private func close(_ reminder: Reminder, as state: Reminder.State) throws {
    var closed = reminder
    closed.state = state
    closed.changedAt = change.stamp
    try change.transaction.put(closed)
  }

  private mutating func send(_ reminder: Reminder, _ subject: ReminderSubject) throws {
    let names = settings.routes.sinks(
      forList: subject.listName, category: subject.category, enabled: sinks.map(\.name))
    let content = ReminderContent(
      reminder: reminder, subject: subject, settings: settings, badge: badge, planner: change.planner, now: change.now)
    var isRouted = false
    for sink in sinks where names.contains(sink.name) {
      isRouted = true
      let message = Message(
        id: Message.id(sink: sink.name, reminders: [reminder.id]), sink: sink.name, contents: [content],
        createdAt: change.stamp)
      try change.transaction.add(
        message, recipients: sink.recipients, fireDate: reminder.fireDate, permittedFrom: change.stamp)
    }
    if !isRouted { result.unrouted += 1 }
  }

  // Nothing is left to ring for where the owner has gone or a list has nothing unchecked.
  private func subject(of reminder: Reminder) throws -> ReminderSubject? {
    switch reminder.occurrence.owner {
    case .item(let id):
      return try change.transaction.item(id: id).map(ReminderSubject.item)
    case .list(let id):
      guard let list = try change.transaction.list(id: id), list.reminder != nil else { return nil }
      var unchecked: [ItemListing] = []
      try change.transaction.visitItems(ItemQuery(listID: id)) { unchecked.append($0) }
      return unchecked.isEmpty ? nil : .list(list, unchecked: unchecked)
    }
  }
}
