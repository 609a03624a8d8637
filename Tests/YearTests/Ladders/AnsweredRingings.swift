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

  /// The reminders that had fired by the time of the answer.
  private var fired: [Ringing: Set<UUID>] = [:]

  /// Notes an answer that was carried out.
  ///
  /// - Parameter fired: every reminder of its item or list that has fired.
  mutating func note(_ answer: Answer, fired reminders: [Reminder]) {
    let ended = reminders.filter { reminder in
      let (time, lead) = (reminder.occurrence.wallTime, reminder.occurrence.lead)
      return switch answer.operation {
      case .acknowledge, .snooze: (time, lead) == (answer.wallTime, answer.lead)
      case .check: time <= answer.wallTime
      default: true
      }
    }
    for reminder in ended { fired[Ringing(reminder), default: []].insert(reminder.id) }
  }

  /// Forgets the answers about an item or list: they may hold no more.
  mutating func reopen(_ owner: ReminderOwner) { fired = fired.filter { $0.key.owner != owner } }

  /// True if a reminder that is being sent belongs to an answered ringing. Another ringing begins anew.
  mutating func includes(_ reminder: Reminder) -> Bool {
    guard let ended = fired[Ringing(reminder)] else { return false }
    if ended.contains(reminder.id) || reminder.occurrence.kind.isEscalation { return true }
    fired[Ringing(reminder)] = nil
    return false
  }
}
