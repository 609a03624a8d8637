import Foundation

/// One ringing that is to come.
public struct PreviewedReminder: Hashable, Sendable {
  /// When it rings.
  public var fireDate: FireDate
  /// Whom it is about.
  public var owner: ReminderOwner
  /// The name of its list.
  public var listName: String
  /// What it says.
  public var text: String
  /// The category of its item or list reminder.
  public var category: String?
  /// Whose clock it follows.
  public var zone: ItemZone
}

extension Reading {
  /// What rings in a span of time, repeats expanded, soonest first. Changes nothing.
  ///
  /// - Parameters:
  ///   - from: the first instant.
  ///   - until: the last instant.
  ///   - limit: at most this many.
  public func preview(from: Date, until: Date, limit: Int?) throws -> [PreviewedReminder] {
    var preview = Preview(reading: self, from: from, until: until, limit: limit ?? .max)
    try preview.expandRepeats()
    try preview.addScheduled()
    return preview.sorted()
  }
}

/// A preview in the making.
private struct Preview {
  let reading: Reading
  let from: Date
  let until: Date
  let limit: Int
  private var found: [PreviewedReminder] = []
  private var expanded: Set<ReminderOwner> = []

  init(reading: Reading, from: Date, until: Date, limit: Int) {
    self.reading = reading
    self.from = from
    self.until = until
    self.limit = limit
  }

  func sorted() -> [PreviewedReminder] {
    Array(found.sorted { ($0.fireDate, $0.listName, $0.text) < ($1.fireDate, $1.listName, $1.text) }.prefix(limit))
  }

  mutating func expandRepeats() throws {
    var items: [ItemListing] = []
    try reading.view.visitItems(ItemQuery(isRepeating: true)) { items.append($0) }
    for listing in items {
      guard let plan = reading.planner.plan(of: listing.item) else { continue }
      expand(
        plan, listName: listing.listName, text: listing.item.text, category: listing.item.category,
        zone: listing.item.zone)
    }
    for list in try reading.view.lists() {
      guard let reminder = list.reminder, reminder.recurrence != nil,
        try reading.view.uncheckedCount(listID: list.id, dueBefore: nil) > 0,
        let plan = reading.planner.plan(of: list)
      else { continue }
      expand(
        plan, listName: list.name, text: reminder.message ?? list.name, category: reminder.category,
        zone: reminder.zone)
    }
  }

  // What is scheduled of anything that repeats has been expanded already, but for snoozes and nags.
  mutating func addScheduled() throws {
    var taken = 0
    do {
      try reading.view.visitPending(limit: nil) { pending in
        let instant = pending.reminder.fireDate.date
        guard instant <= until, taken < limit else { throw Enough() }
        let occurrence = pending.reminder.occurrence
        guard instant >= from, occurrence.kind != .planned || !expanded.contains(occurrence.owner) else { return }
        taken += 1
        found.append(
          PreviewedReminder(
            fireDate: pending.reminder.fireDate, owner: occurrence.owner, listName: pending.listName,
            text: pending.text, category: pending.category, zone: pending.zone))
      }
    } catch is Enough {}
  }

  private mutating func expand(
    _ plan: OwnerPlan, listName: String, text: String, category: String?, zone: ItemZone
  ) {
    expanded.insert(plan.owner)
    for lead in plan.leads {
      var time = plan.series.first(lead: lead, ringingFrom: from)
      var count = 0
      while let occurrence = time, count < limit, let fireDate = plan.series.fireDate(occurrence, lead: lead),
        fireDate.date <= until
      {
        found.append(
          PreviewedReminder(
            fireDate: fireDate, owner: plan.owner, listName: listName, text: text, category: category, zone: zone))
        count += 1
        time = plan.series.next(after: occurrence)
      }
    }
  }

  private struct Enough: Error {}
}
