import BelfryModel
import CivilTime
import Foundation

/// The ringings that were answered: nothing of them may ring any more.
struct AnsweredRingings {
  private struct Ringing: Hashable {
    let owner: ReminderOwner
    let wallTime: WallTime
    let lead: CalendarDuration

    init(_ reminder: Reminder) {
      let occurrence = reminder.occurrence
      (owner, wallTime, lead) = (occurrence.owner, occurrence.wallTime, occurrence.lead)
    }
  }

  /// The part of a ringing before its answer.
  private struct Past {
    var fired: Set<UUID> = []
    /// The number of the last run; 0 for none.
    var run = 0
  }

  private var past: [Ringing: Past] = [:]

  /// Notes an answer that was carried out.
  ///
  /// - Parameter reminders: every reminder of its item or list, in any state.
  mutating func note(_ answer: Answer, _ reminders: [Reminder]) {
    let ended = reminders.filter { reminder in
      let (time, lead) = (reminder.occurrence.wallTime, reminder.occurrence.lead)
      return switch answer.operation {
      case .acknowledge, .snooze: (time, lead) == (answer.wallTime, answer.lead)
      case .check: time <= answer.wallTime
      default: true
      }
    }
    for reminder in ended {
      if reminder.state == .fired { past[Ringing(reminder), default: Past()].fired.insert(reminder.id) }
      guard case .escalation(let place) = reminder.occurrence.kind else { continue }
      past[Ringing(reminder), default: Past()].run = max(past[Ringing(reminder)]?.run ?? 0, place.run)
    }
  }

  /// Forgets the answers about an item or list: they may hold no more.
  mutating func reopen(_ owner: ReminderOwner) { past = past.filter { $0.key.owner != owner } }

  /// True if a reminder being sent belongs to an answered ringing. A later ringing begins a new run.
  func includes(_ reminder: Reminder) -> Bool {
    guard let past = past[Ringing(reminder)] else { return false }
    if case .escalation(let place) = reminder.occurrence.kind { return place.run <= past.run }
    return past.fired.contains(reminder.id)
  }
}
