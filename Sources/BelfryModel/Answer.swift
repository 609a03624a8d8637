import CivilTime
import FoundationEssentials

/// One use of one action on one reminder, by one person.
public struct Answer: Hashable, Sendable {
  /// The effect of an answer.
  public enum Effect: Int, CaseIterable, Hashable, Sendable {
    case done = 0
    /// It was not stronger than the answer in force, or there was nothing left to do.
    case already = 1
    /// The reminder was cancelled, or its item was deleted.
    case gone = 2
    /// The action needs a person who has signed in.
    case refused = 3

    /// The word that commands, JSON and files use.
    public var name: String {
      switch self {
      case .done: "done"
      case .already: "already"
      case .gone: "gone"
      case .refused: "refused"
      }
    }
  }

  /// The number in its store, 1 for the first, never used again.
  public internal(set) var id: Int64
  /// The reminder that was answered.
  public internal(set) var reminderID: UUID
  /// The ringing that it counts for: the planned or snoozed reminder that the answered one repeats.
  public internal(set) var ring: UUID
  /// The item or list that rang.
  public internal(set) var owner: ReminderOwner
  /// The due date that was announced, on the clock of the owner's zone.
  public internal(set) var wallTime: WallTime
  /// The lead time: the reminder rang this long before the due date.
  public internal(set) var lead: CalendarDuration
  /// The name of the list at that time.
  public internal(set) var listName: String
  /// The text of the reminder.
  public internal(set) var text: String
  /// The identifier of the action in its category.
  public internal(set) var action: String
  /// The operation of the action.
  public internal(set) var operation: ActionOperation.Word
  /// The person's number; 0 for no one in particular.
  public internal(set) var person: Int64
  /// The channel by which it came.
  public internal(set) var channel: Channel
  /// The idempotency key within its channel: the identity of a token, or of an event on the other side.
  public internal(set) var externalID: String?
  /// The time of the answer, in whole seconds.
  public internal(set) var date: Date
  /// The effect that it had.
  public internal(set) var effect: Effect
  /// The reply that the person got.
  public internal(set) var reply: String
  /// The id of the reminder that it scheduled, if it is a snooze; otherwise `nil`.
  public internal(set) var snooze: UUID?
  /// The time at which it was taken back, in whole seconds; `nil` while it is in force.
  public var takenBackAt: Date?
  /// The undo image, as the engine writes it; `nil` if there is nothing to put back.
  public var image: String?
  /// The fields of its file that Belfry does not know.
  package var unknown: UnknownFields?

  /// An answer with all its fields.
  public init(
    id: Int64, reminderID: UUID, ring: UUID, owner: ReminderOwner, wallTime: WallTime, lead: CalendarDuration,
    listName: String, text: String, action: String, operation: ActionOperation.Word, person: Int64 = 0,
    channel: Channel, externalID: String? = nil, date: Date, effect: Effect, reply: String, snooze: UUID? = nil,
    takenBackAt: Date? = nil, image: String? = nil
  ) {
    (self.id, self.reminderID, self.ring, self.owner) = (id, reminderID, ring, owner)
    (self.wallTime, self.lead, self.listName, self.text) = (wallTime, lead, listName, text)
    (self.action, self.operation, self.person, self.channel) = (action, operation, person, channel)
    (self.externalID, self.date, self.effect, self.reply) = (externalID, date, effect, reply)
    (self.snooze, self.takenBackAt, self.image) = (snooze, takenBackAt, image)
  }

  /// The same answer under the number that a store gives it.
  public func numbered(_ id: Int64) -> Answer {
    var answer = self
    answer.id = id
    return answer
  }
}
