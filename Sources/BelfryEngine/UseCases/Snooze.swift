import BelfryModel
import CivilTime
import FoundationEssentials

/// The end of a snooze.
public enum SnoozeEnd: Hashable, Sendable {
  /// A duration from now: days are wall-clock days, minutes exact.
  case after(CalendarDuration)
  /// A wall-clock time in the item's zone.
  case at(WallTime)
}

extension Belfry {
  /// Snoozes the current occurrence of an item, instead of an earlier snooze. The repeat is unchanged.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, `.badInput` for an item without reminders or an end in the past.
  public func snooze(_ id: Int64, until end: SnoozeEnd) throws -> ItemChange {
    try change(as: "snooze") { try $0.snooze(id, until: end) }
  }

  /// Snoozes items, all or none, as one change.
  ///
  /// - Throws: as ``snooze(_:until:)``.
  package func snooze(_ ids: [Int64], until end: SnoozeEnd) throws -> [ItemChange] {
    try change(as: "snooze") { change in try ids.uniqued().map { try change.snooze($0, until: end) } }
  }
}

extension Change {
  func snooze(_ id: Int64, until end: SnoozeEnd) throws -> ItemChange {
    let item = try item(id).item
    guard let plan = planner.plan(of: item) else {
      throw BelfryError(
        .badInput, "\(item.quoted) does not ring: \(item.reasonForSilence)",
        hint: item.isChecked
          ? "'belfry uncheck \(id)' opens it again" : "'belfry edit \(id) --due WHEN --remind' makes it ring")
    }
    try note(item)
    let snooze = try snooze(plan, until: end)
    return ItemChange(
      listing: try self.item(id), schedule: Reconciliation(planned: [snooze], existing: [], now: now))
  }

  /// Snoozes an occurrence, in place of an earlier snooze.
  ///
  /// - Parameter rung: the occurrence to snooze; `nil` for the last one that rang.
  func snooze(_ plan: OwnerPlan, until end: SnoozeEnd, of rung: Occurrence? = nil) throws -> PlannedReminder {
    let fireDate = try fireDate(end, plan)
    guard fireDate.date > now else {
      throw BelfryError(.badInput, "the snooze would end in the past", hint: "name a time that is still to come")
    }
    try cancelExtraRinging(of: plan.owner)
    return try scheduleSnooze(plan, of: rung?.wallTime ?? current(plan), lead: rung?.lead ?? .zero, until: fireDate)
  }

  /// Schedules a snooze that ends at `fireDate`, or at the first later minute at which no snooze has rung, since the
  /// clock may have been set back, and the minute identifies a snooze.
  func scheduleSnooze(
    _ plan: OwnerPlan, of wallTime: WallTime, lead: CalendarDuration, until fireDate: FireDate
  ) throws -> PlannedReminder {
    var snooze = plan.snooze(of: wallTime, lead: lead, until: fireDate)
    while try schedule(snooze) == nil {
      snooze = plan.snooze(of: wallTime, lead: lead, until: try FireDate(snooze.fireDate.date + 60))
    }
    return snooze
  }

  /// Cancels the scheduled snoozes, nags and steps of an owner.
  func cancelExtraRinging(of owner: ReminderOwner) throws {
    for other in try scheduledExtraRinging(of: owner) { try cancel(other) }
  }

  fileprivate func fireDate(_ end: SnoozeEnd, _ plan: OwnerPlan) throws -> FireDate {
    switch end {
    case .at(let time): return try planner.resolve(time, in: plan.series.zone).instant
    case .after(let duration):
      guard let fireDate = plan.instant(of: duration, after: now) else {
        throw BelfryError(.badInput, "the snooze would end after 9999", hint: "choose a shorter one")
      }
      return fireDate
    }
  }

  fileprivate func current(_ plan: OwnerPlan) throws -> WallTime {
    try transaction.lastRung(plan) ?? plan.series.due
  }
}

extension StoreView {
  /// The last occurrence of a plan that rang, if only by an alert before it; `nil` for none.
  fileprivate func lastRung(_ plan: OwnerPlan) throws -> WallTime? {
    let fired = try reminders(of: plan.owner, at: nil, state: .fired)
    return fired.map(\.occurrence.wallTime).sorted(by: >).first(where: plan.series.contains)
  }
}

extension Reading {
  /// True if an occurrence of an item has rung; only then can a snooze put it off.
  package func hasRung(_ item: Item) throws -> Bool {
    try planner.plan(of: item).map { try view.lastRung($0) != nil } ?? false
  }
}

extension Item {
  /// The reason why an item has no reminders.
  public var reasonForSilence: String {
    if isChecked { return "it is checked" }
    if due == nil { return "it has no due date" }
    if !shouldRemind { return "its reminder is switched off" }
    return "it has nothing to ring for"
  }
}
