import Foundation

/// What one item or list asks for, now and after each ringing. Pure.
struct OwnerPlan {
  let owner: ReminderOwner
  let uuid: UUID
  let leads: [CalendarDuration]
  let nag: CalendarDuration?
  let series: OccurrenceSeries

  /// What is to be scheduled from `now` on, with what is scheduled already and still holds.
  func reminders(known: [Reminder], now: Date) -> [PlannedReminder] {
    var planned = leads.compactMap { lead -> PlannedReminder? in
      guard series.repeats else { return reminder(series.due, lead: lead) }
      let next = series.first(lead: lead, ringingFrom: now.addingTimeInterval(0.001))
      return next.flatMap { reminder($0, lead: lead) }
    }
    let held = known.compactMap { $0.state == .scheduled ? holding($0) : nil }
    planned += held.filter { held in !planned.contains { $0.id == held.id } }
    return planned
  }

  /// What follows a planned ringing of a repeating item that was claimed or missed: its next occurrence for the same
  /// lead that the missed policy does not leave out. It may have passed as well.
  func following(_ reminder: Reminder, policy: MissedPolicy, now: Date) -> PlannedReminder? {
    let occurrence = reminder.occurrence
    guard series.repeats, occurrence.kind == .planned else { return nil }
    let graceStart = now.addingTimeInterval(-Double(policy.graceSeconds))
    let earliest =
      switch policy.policy {
      case .all: now.addingTimeInterval(-policy.maxAge.seconds)
      case .skip: graceStart
      case .once: lastMissed(lead: occurrence.lead, after: reminder.fireDate, until: graceStart)?.date ?? graceStart
      }
    let next = series.first(
      lead: occurrence.lead, after: occurrence.wallTime, ringingFrom: max(earliest, reminder.fireDate.date))
    return next.flatMap { self.reminder($0, lead: occurrence.lead) }
  }

  /// Whether a later occurrence, for any lead, rings after `earlier` and by `latest`.
  func hasOccurrence(after earlier: FireDate, until latest: Date) -> Bool {
    series.repeats && leads.contains { lastMissed(lead: $0, after: earlier, until: latest) != nil }
  }

  /// The next ringing of its own accord after one that was just claimed; `nil` when there have been enough.
  ///
  /// - Parameter known: every reminder of the item.
  func nextNag(after reminder: Reminder, known: [Reminder], now: Date) -> PlannedReminder? {
    guard let nag else { return nil }
    let occurrence = reminder.occurrence
    let counts = known.compactMap { other -> Int? in
      guard other.occurrence.wallTime == occurrence.wallTime, other.occurrence.lead == occurrence.lead,
        case .nag(let count) = other.occurrence.kind
      else { return nil }
      return count
    }
    let count = (counts.max() ?? 0) + 1
    guard count <= Planner.nagLimit,
      let fireDate = instant(of: nag, after: max(now, reminder.fireDate.date))
    else { return nil }
    return extra(
      Occurrence(owner: owner, wallTime: occurrence.wallTime, lead: occurrence.lead, kind: .nag(count)), fireDate)
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
    guard let time = series.last(lead: lead, ringingUntil: latest),
      let fireDate = series.fireDate(time, lead: lead), fireDate > earlier
    else { return nil }
    return fireDate
  }
}
