import BelfryModel
import CivilTime
import FoundationEssentials

/// The reminders that one item or list asks for. Pure.
struct OwnerPlan {
  /// The most alerts of one item, since each needs a search of its own.
  static let alertLimit = 1_000

  let owner: ReminderOwner
  let uuid: UUID
  let leads: [CalendarDuration]
  let nag: CalendarDuration?
  /// The occurrences, in the floating zone if the item's zone is unknown.
  let series: OccurrenceSeries
  /// True if the system knows the zone. If not, scheduled reminders keep their fire dates and nothing new is scheduled.
  let isZoneKnown: Bool

  /// The reminders to schedule from `now` on, including those that are scheduled already and still valid.
  ///
  /// - Parameter isOver: whether a reminder has fired or was missed; its follower is next then.
  /// - Throws: ``PlanningFault``, and the errors of `isOver`.
  func reminders(
    known: [Reminder], now: Date, isOver: (PlannedReminder) throws -> Bool
  ) throws -> [PlannedReminder] {
    guard leads.count <= Self.alertLimit else { throw PlanningFault.tooManyAlerts(leads.count) }
    guard isZoneKnown else {
      return known.compactMap { reminder in
        guard reminder.state == .scheduled, stillValid(reminder) != nil else { return nil }
        return plannedReminder(reminder.occurrence, reminder.fireDate)
      }
    }
    var planned = try leads.compactMap { lead in
      guard series.repeats else { return reminder(series.due, lead: lead) }
      return try first(lead: lead, ringingFrom: now.addingTimeInterval(0.001), isOver: isOver)
    }
    let valid = known.compactMap { $0.state == .scheduled ? stillValid($0) : nil }
    planned += valid.filter { valid in !planned.contains { $0.id == valid.id } }
    return planned
  }

  /// The first occurrence of each alert that fires at `instant` or later; alerts without one are left out.
  ///
  /// - Throws: ``PlanningFault``.
  func firstRingings(from instant: Date) throws -> [(lead: CalendarDuration, first: WallTime)] {
    guard leads.count <= Self.alertLimit else { throw PlanningFault.tooManyAlerts(leads.count) }
    return try leads.compactMap { lead in
      try series.first(lead: lead, ringingFrom: instant).map { (lead, $0) }
    }
  }

  /// The follower of a claimed reminder of a repeating item: its next occurrence for the same lead time that the missed
  /// policy does not skip. Its fire date may be in the past too.
  ///
  /// - Throws: ``PlanningFault``, and the errors of `isOver`.
  func following(
    _ reminder: Reminder, policy: MissedPolicy, now: Date, isOver: (PlannedReminder) throws -> Bool
  ) throws -> PlannedReminder? {
    let occurrence = reminder.occurrence
    guard isZoneKnown, series.repeats, occurrence.kind == .planned else { return nil }
    let graceStart = now.addingTimeInterval(-Double(policy.graceSeconds))
    let earliest =
      switch policy.policy {
      case .all: now.addingTimeInterval(-policy.maxAge.seconds)
      case .skip: graceStart
      case .once:
        lastMissed(lead: occurrence.lead, after: reminder.fireDate, until: policy.latestMissed(at: now))?.date
          ?? graceStart
      }
    return try first(lead: occurrence.lead, ringingFrom: max(earliest, reminder.fireDate.date), isOver: isOver)
  }

  /// True if an occurrence after a scheduled reminder fires after `earlier` and by `latest`.
  func hasOccurrence(behind reminder: Reminder, after earlier: FireDate, until latest: Date) -> Bool {
    guard series.repeats, reminder.occurrence.kind == .planned else { return false }
    return lastMissed(lead: reminder.occurrence.lead, after: max(earlier, reminder.fireDate), until: latest) != nil
  }

  /// The next nag after a reminder that was just claimed; `nil` once ``Planner/nagLimit`` is reached.
  ///
  /// After a reminder that is not itself a nag, numbering starts after the next multiple of ``Planner/nagLimit``, so
  /// that no number is used twice.
  ///
  /// - Parameter known: every reminder of the occurrence.
  func nextNag(after reminder: Reminder, known: [Reminder], now: Date) -> PlannedReminder? {
    guard let nag else { return nil }
    let occurrence = reminder.occurrence
    let number: Int
    if case .nag(let last) = occurrence.kind {
      guard last % Planner.nagLimit != 0 else { return nil }
      number = last + 1
    } else {
      let numbers = known.compactMap { other -> Int? in
        guard other.occurrence.lead == occurrence.lead, case .nag(let number) = other.occurrence.kind else {
          return nil
        }
        return number
      }
      let series = ((numbers.max() ?? 0) + Planner.nagLimit - 1) / Planner.nagLimit
      number = series * Planner.nagLimit + 1
    }
    guard let fireDate = instant(of: nag, after: max(now, reminder.fireDate.date)) else { return nil }
    return plannedReminder(
      Occurrence(owner: owner, wallTime: occurrence.wallTime, lead: occurrence.lead, kind: .nag(number)), fireDate)
  }

  /// A snooze of an occurrence, ending at `fireDate`.
  func snooze(of wallTime: WallTime, lead: CalendarDuration = .zero, until fireDate: FireDate) -> PlannedReminder {
    let minute = Int(fireDate.secondsSinceEpoch / 60)
    return plannedReminder(
      Occurrence(owner: owner, wallTime: wallTime, lead: lead, kind: .snooze(minute)), fireDate)
  }

  /// The minute that lies a duration after an instant: days are wall-clock days, minutes exact.
  func instant(of duration: CalendarDuration, after instant: Date) -> FireDate? {
    let exact = instant.addingTimeInterval(60 * Double(duration.minutes))
    guard duration.days > 0 else { return try? FireDate(exact) }
    return try? FireDate(series.zone.instant(of: series.zone.wallTime(at: exact).adding(days: duration.days)).instant)
  }

  /// The reminder of an occurrence, with its fire date by the current zone rules.
  func reminder(_ time: WallTime, lead: CalendarDuration) -> PlannedReminder? {
    series.fireDate(time, lead: lead).map { fireDate in
      plannedReminder(Occurrence(owner: owner, wallTime: time, lead: lead), fireDate)
    }
  }

  // The reminder that fires first at `instant` or later and is not over.
  private func first(
    lead: CalendarDuration, ringingFrom instant: Date, isOver: (PlannedReminder) throws -> Bool
  ) throws -> PlannedReminder? {
    let time = try series.first(lead: lead, ringingFrom: instant) { time in
      guard let reminder = reminder(time, lead: lead) else { return false }
      return try !isOver(reminder)
    }
    return time.flatMap { reminder($0, lead: lead) }
  }

  // A scheduled reminder stays valid while its occurrence exists; so does a snooze, nag or escalation of it.
  private func stillValid(_ reminder: Reminder) -> PlannedReminder? {
    let occurrence = reminder.occurrence
    guard series.contains(occurrence.wallTime) else { return nil }
    switch occurrence.kind {
    case .planned:
      return leads.contains(occurrence.lead) ? self.reminder(occurrence.wallTime, lead: occurrence.lead) : nil
    case .snooze, .escalation: return plannedReminder(occurrence, reminder.fireDate)
    case .nag: return nag == nil ? nil : plannedReminder(occurrence, reminder.fireDate)
    }
  }

  /// A reminder of an occurrence at a fire date.
  func plannedReminder(_ occurrence: Occurrence, _ fireDate: FireDate) -> PlannedReminder {
    PlannedReminder(id: occurrence.reminderID(ownerUUID: uuid), occurrence: occurrence, fireDate: fireDate)
  }

  private func lastMissed(lead: CalendarDuration, after earlier: FireDate, until latest: Date) -> FireDate? {
    guard let fireDate = series.lastRinging(lead: lead, until: latest), fireDate > earlier else { return nil }
    return fireDate
  }
}
