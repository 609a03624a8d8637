import BelfryModel
import CivilTime
import FoundationEssentials

/// One future occurrence of a reminder.
public struct PreviewedReminder: Hashable, Sendable {
  /// The occurrence that would ring.
  public var occurrence: Occurrence
  /// The full minute at which it would ring.
  public var fireDate: FireDate
  /// The name of its list.
  public var listName: String
  /// The text of the item, or the message of the list reminder.
  public var text: String
  /// The category of its item or list reminder.
  public var category: String?
  /// The zone of its item or list reminder.
  public var zone: ItemZone
}

/// The reminders of a span of time.
public struct Outlook: Sendable {
  /// The reminders that ring in the span, soonest first.
  public var rings: [PreviewedReminder] = []
  /// True if there are more, later than these.
  public var hasMore = false
  /// Owners whose later occurrences are left out because there are too many.
  public var frequent: [ReminderOwner] = []
  /// Items and lists that cannot be planned and so are missing here.
  public var setAside: [SetAside] = []
}

extension Reading {
  /// The reminders of a span of time, with repeats expanded. Changes nothing.
  ///
  /// - Parameters:
  ///   - from: the first instant.
  ///   - until: the last instant.
  ///   - limit: the most reminders.
  ///   - limitOfOne: the most reminders for each alert of one item or list.
  ///   - isWanted: true for the items and lists whose reminders are wanted.
  /// - Throws: `CancellationError` once the task that asks for it was cancelled.
  package func preview(
    from: Date, until: Date, limit: Int, limitOfOne: Int = .max,
    of isWanted: (ReminderOwner) throws -> Bool = { _ in true }
  ) throws -> Outlook {
    var preview = Preview(reading: self, from: from, until: until, limit: limit, limitOfOne: limitOfOne)
    try preview.expandPlans(of: isWanted)
    try preview.addScheduled(of: isWanted)
    return preview.outlook()
  }
}

extension Reading {
  /// The most reminders of an agenda.
  package static let agendaLimit = 100_000
  /// The most reminders of one item in an agenda: once a day for ten years, or each minute for three days.
  package static let agendaLimitOfOne = 5_000

  /// The reminders from now to the end of a day.
  ///
  /// - Parameters:
  ///   - days: the number of days, today included.
  ///   - isWanted: true for the items and lists whose reminders are wanted.
  package func agenda(days: Int, of isWanted: (ReminderOwner) throws -> Bool = { _ in true }) throws -> Outlook {
    let zone = planner.floatingZone
    let end = zone.start(of: zone.wallTime(at: now).date.adding(days: days))
    return try preview(
      from: now, until: end.addingTimeInterval(-1), limit: Self.agendaLimit,
      limitOfOne: Self.agendaLimitOfOne, of: isWanted)
  }
}

private struct Preview {
  let reading: Reading
  let from: Date
  private var until: Date
  let limit: Int
  let limitOfOne: Int
  private let log = SetAsideLog()
  private var found: [PreviewedReminder] = []
  private var hasMore = false
  private var frequent: [ReminderOwner] = []
  private var expanded: Set<ReminderOwner> = []

  init(reading: Reading, from: Date, until: Date, limit: Int, limitOfOne: Int) {
    self.reading = reading
    self.from = from
    self.until = until
    self.limit = limit
    self.limitOfOne = min(limit, limitOfOne)
  }

  func outlook() -> Outlook {
    var whole = self
    whole.keepSoonest()
    return Outlook(rings: whole.found, hasMore: whole.hasMore, frequent: frequent, setAside: log.found)
  }

  // Drops all but the soonest, and moves `until` to the last of these, so that later occurrences are not expanded.
  private mutating func keepSoonest() {
    found.sort { ($0.fireDate, $0.listName, $0.text) < ($1.fireDate, $1.listName, $1.text) }
    guard found.count > limit else { return }
    hasMore = true
    found.removeLast(found.count - limit)
    if let last = found.last { until = min(until, last.fireDate.date) }
  }

  // Reminders that occur once are scheduled, except for those that another program has just put into the store's file.
  mutating func expandPlans(of isWanted: (ReminderOwner) throws -> Bool) throws {
    let isPlanned = try !reading.view.isEditedElsewhere()
    for listing in try reading.view.listings(ItemQuery(kind: .any, isRepeating: isPlanned)) {
      try Task.checkCancellation()
      guard try isWanted(.item(listing.item.id)), let plan = reading.planner.plan(of: listing.item) else { continue }
      try expand(
        plan, listName: listing.listName, text: listing.item.text, category: listing.item.category,
        zone: listing.item.zone)
    }
    for list in try reading.view.lists() {
      guard let reminder = list.reminder, !isPlanned || reminder.recurrence != nil, try isWanted(.list(list.id)),
        try reading.view.uncheckedCount(listID: list.id, dueBefore: nil) > 0,
        let plan = reading.planner.plan(of: list)
      else { continue }
      try expand(
        plan, listName: list.name, text: reminder.message ?? list.name, category: reminder.category,
        zone: reminder.zone)
    }
  }

  // Planned reminders of these owners were expanded already; only their snoozes, nags and steps are added.
  mutating func addScheduled(of isWanted: (ReminderOwner) throws -> Bool) throws {
    var taken = 0
    try reading.view.visitPending(limit: nil) { pending in
      let instant = pending.reminder.fireDate.date
      guard instant <= until else { return .stop }
      guard try isWanted(pending.reminder.occurrence.owner) else { return .next }
      guard taken < limit else {
        hasMore = true
        return .stop
      }
      let occurrence = pending.reminder.occurrence
      guard instant >= from, occurrence.kind != .planned || !expanded.contains(occurrence.owner) else { return .next }
      taken += 1
      found.append(
        PreviewedReminder(
          occurrence: occurrence, fireDate: pending.fireDate, listName: pending.listName, text: pending.text,
          category: pending.category, zone: pending.zone))
      return .next
    }
  }

  private mutating func expand(
    _ plan: OwnerPlan, listName: String, text: String, category: String?, zone: ItemZone
  ) throws {
    guard let first = try log.attempt(plan.owner, { try plan.firstRingings(from: from) }) else { return }
    expanded.insert(plan.owner)
    for (lead, first) in first {
      var time: WallTime? = first
      var count = 0
      while let wallTime = time, let fireDate = plan.series.fireDate(wallTime, lead: lead), fireDate.date <= until {
        try Task.checkCancellation()
        guard count < limitOfOne else {
          if limitOfOne < limit { frequent.append(plan.owner) } else { hasMore = true }
          break
        }
        found.append(
          PreviewedReminder(
            occurrence: Occurrence(owner: plan.owner, wallTime: wallTime, lead: lead), fireDate: fireDate,
            listName: listName, text: text, category: category, zone: zone))
        count += 1
        time = plan.series.next(after: wallTime)
      }
      if found.count / 2 > limit { keepSoonest() }
    }
  }
}
