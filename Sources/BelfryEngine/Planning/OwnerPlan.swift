import BelfryModel
import CivilTime
import FoundationEssentials

/// What one item or list asks for, now and after each ringing. Pure.
struct OwnerPlan {
  /// The most alerts of one item: each takes a search of its own.
  static let alertLimit = 1_000

  let owner: ReminderOwner
  let uuid: UUID
  let leads: [CalendarDuration]
  let nag: CalendarDuration?
  /// On the floating clock where the system does not know the zone.
  let series: OccurrenceSeries
  /// Whether the system knows the zone: where it does not, what is scheduled rings when it was to, and nothing new is.
  let isZoneKnown: Bool

  /// What is to be scheduled from `now` on, with what is scheduled already and still holds.
  ///
  /// - Parameter isOver: whether a reminder has rung or was missed, so that what comes behind it is next.
  /// - Throws: ``PlanningFault``, and what `isOver` throws.
  func reminders(
    known: [Reminder], now: Date, isOver: (PlannedReminder) throws -> Bool
  ) throws -> [PlannedReminder] {
    guard leads.count <= Self.alertLimit else { throw PlanningFault.tooManyAlerts(leads.count) }
    guard isZoneKnown else {
      return known.compactMap { reminder in
        guard reminder.state == .scheduled, holding(reminder) != nil else { return nil }
        return extra(reminder.occurrence, reminder.fireDate)
      }
    }
    var planned = try leads.compactMap { lead in
      guard series.repeats else { return reminder(series.due, lead: lead) }
      return try first(lead: lead, ringingFrom: now.addingTimeInterval(0.001), isOver: isOver)
    }
    let held = known.compactMap { $0.state == .scheduled ? holding($0) : nil }
    planned += held.filter { held in !planned.contains { $0.id == held.id } }
    return planned
  }

  /// For each alert that still rings, the first occurrence that does at `instant` or later.
  ///
  /// - Throws: ``PlanningFault``.
  func firstRingings(from instant: Date) throws -> [(lead: CalendarDuration, first: WallTime)] {
    guard leads.count <= Self.alertLimit else { throw PlanningFault.tooManyAlerts(leads.count) }
    return try leads.compactMap { lead in
      try series.first(lead: lead, ringingFrom: instant).map { (lead, $0) }
    }
  }

  /// What follows a planned ringing of a repeating item that was claimed or missed: its next occurrence for the same
  /// lead that the missed policy does not leave out. It may have passed as well.
  ///
  /// - Throws: ``PlanningFault``, and what `isOver` throws.
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

  /// Whether an occurrence that is to follow a scheduled reminder rings after `earlier` and by `latest`.
  func hasOccurrence(behind reminder: Reminder, after earlier: FireDate, until latest: Date) -> Bool {
    guard series.repeats, reminder.occurrence.kind == .planned else { return false }
    return lastMissed(lead: reminder.occurrence.lead, after: max(earlier, reminder.fireDate), until: latest) != nil
  }

  /// The next ringing of its own accord after one that was just claimed; `nil` when there have been enough.
  ///
  /// Each ringing of another kind begins a new series of numbers, so that none comes twice.
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
    return extra(
      Occurrence(owner: owner, wallTime: occurrence.wallTime, lead: occurrence.lead, kind: .nag(number)), fireDate)
  }

  /// One more ringing of an occurrence at a named instant.
  func snooze(of wallTime: WallTime, until fireDate: FireDate) -> PlannedReminder {
    let minute = Int(fireDate.secondsSinceEpoch / 60)
    return extra(Occurrence(owner: owner, wallTime: wallTime, lead: .zero, kind: .snooze(minute)), fireDate)
  }

  /// The minute that lies a duration after an instant: days on the wall clock, minutes exact.
  func instant(of duration: CalendarDuration, after instant: Date) -> FireDate? {
    let exact = instant.addingTimeInterval(60 * Double(duration.minutes))
    guard duration.days > 0 else { return try? FireDate(exact) }
    return try? FireDate(series.zone.instant(of: series.zone.wallTime(at: exact).adding(days: duration.days)).instant)
  }

  /// The occurrence's reminder in its present zone.
  func reminder(_ time: WallTime, lead: CalendarDuration) -> PlannedReminder? {
    series.fireDate(time, lead: lead).map { fireDate in
      extra(Occurrence(owner: owner, wallTime: time, lead: lead), fireDate)
    }
  }

  // The reminder that rings first at `instant` or later and is not over.
  private func first(
    lead: CalendarDuration, ringingFrom instant: Date, isOver: (PlannedReminder) throws -> Bool
  ) throws -> PlannedReminder? {
    let time = try series.first(lead: lead, ringingFrom: instant) { time in
      guard let reminder = reminder(time, lead: lead) else { return false }
      return try !isOver(reminder)
    }
    return time.flatMap { reminder($0, lead: lead) }
  }

  // A scheduled reminder holds while its occurrence exists; what rings once more does so while that does.
  private func holding(_ reminder: Reminder) -> PlannedReminder? {
    let occurrence = reminder.occurrence
    guard series.contains(occurrence.wallTime) else { return nil }
    switch occurrence.kind {
    case .planned:
      return leads.contains(occurrence.lead) ? self.reminder(occurrence.wallTime, lead: occurrence.lead) : nil
    case .snooze: return extra(occurrence, reminder.fireDate)
    case .nag: return nag == nil ? nil : extra(occurrence, reminder.fireDate)
    }
  }

  private func extra(_ occurrence: Occurrence, _ fireDate: FireDate) -> PlannedReminder {
    PlannedReminder(id: occurrence.reminderID(ownerUUID: uuid), occurrence: occurrence, fireDate: fireDate)
  }

  private func lastMissed(lead: CalendarDuration, after earlier: FireDate, until latest: Date) -> FireDate? {
    guard let fireDate = series.lastRinging(lead: lead, until: latest), fireDate > earlier else { return nil }
    return fireDate
  }
}
