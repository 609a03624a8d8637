import BelfryModel
import CivilTime
import FoundationEssentials

/// The changes that turn the scheduled reminders into a plan.
public struct Reconciliation: Hashable, Sendable {
  /// Reminders to write, in their new state.
  public private(set) var puts: [Reminder] = []
  /// Fire dates that are newly scheduled.
  public private(set) var scheduled: [FireDate] = []
  /// Fire dates that were already past when asked for, and never fire.
  public private(set) var past: [FireDate] = []
  /// The number of cancelled reminders.
  public private(set) var cancelled = 0

  /// Compares the planned reminders with the stored reminders of the same owner.
  ///
  /// An occurrence that has fired or was missed never fires again. A scheduled reminder stays scheduled even if its
  /// instant has just passed, since the daemon has yet to claim it. A new reminder is scheduled only if its instant is
  /// after `now`.
  ///
  /// - Parameter isMoved: whether a person gave the occurrences another zone. A reminder that is past because of that
  ///   counts as new.
  init(planned: [PlannedReminder], existing: [Reminder], now: Date, isMoved: Bool = false) {
    var known = Dictionary(existing.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for plan in planned {
      switch known.removeValue(forKey: plan.id) {
      case let reminder? where isMoved && plan.fireDate.date <= now && reminder.isAhead(of: now):
        past.append(plan.fireDate)
        known[plan.id] = reminder
      case let reminder? where reminder.state == .scheduled:
        if reminder.fireDate != plan.fireDate { put(plan, over: reminder, now: now) }
      case let reminder? where reminder.state == .fired || reminder.state == .missed:
        continue
      case let reminder:
        if plan.fireDate.date > now {
          put(plan, over: reminder, now: now)
          scheduled.append(plan.fireDate)
        } else {
          past.append(plan.fireDate)
        }
      }
    }
    for var reminder in known.values where reminder.state == .scheduled {
      reminder.state = .cancelled
      reminder.changedAt = now.wholeSeconds
      puts.append(reminder)
      cancelled += 1
    }
    scheduled.sort()
    past.sort()
  }

  /// Includes earlier fire dates, which were scheduled too.
  mutating func add(_ others: [FireDate]) {
    scheduled = (scheduled + others).sorted()
  }

  private mutating func put(_ plan: PlannedReminder, over known: Reminder?, now: Date) {
    var reminder = Reminder(
      id: plan.id, occurrence: plan.occurrence, fireDate: plan.fireDate, state: .scheduled, changedAt: now.wholeSeconds)
    reminder.unknown = known?.unknown
    puts.append(reminder)
  }
}

extension Reminder {
  /// True if it is scheduled for a later time.
  fileprivate func isAhead(of now: Date) -> Bool { state == .scheduled && fireDate.date > now }
}
