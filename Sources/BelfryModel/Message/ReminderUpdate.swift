import CivilTime
import FoundationEssentials

/// The present state of a reminder whose message was delivered, for the copies of that message.
public struct ReminderUpdate: Hashable, Sendable, Record {
  /// The state of a reminder.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// Answered, checked or deleted: nothing is left to answer.
    case answered
    case open
  }

  package static let form = RecordForm<ReminderUpdate>(15, "message's update") { fields in
    fields.add("message_id", \.messageID, .identity)
    fields.add("number", \.number, .number)
    fields.add("state", \.state, WordCodec(State.self, \.rawValue))
    fields.add("words", \.words, .text)
    fields.add("do", \.operation, WordCodec(ActionOperation.Word.self, \.rawValue), isNullable: true)
    fields.add("action", \.action, .text, isNullable: true)
    fields.add("channel", \.channel, ChannelCodec(), isNullable: true)
    fields.add("person", \.person, .text, isNullable: true)
    fields.add("at", \.at, .offsetInstant)
  }

  /// The id of the message that was delivered.
  public internal(set) var messageID: UUID
  /// The number among the updates of that message, from 1; a higher one replaces the lower.
  public internal(set) var number: Int64 = 1
  /// The state that it reports: open while anything is left to answer.
  public internal(set) var state = State.open
  /// The state in words, as part of a sentence: `checked 'Milk'`.
  public internal(set) var words = ""
  /// The operation that ended it; `nil` while it is open.
  public internal(set) var operation: ActionOperation.Word?
  /// The identifier of the action; `nil` if the change was not an answer.
  public internal(set) var action: String?
  /// The channel of the answer; `nil` if the change was not an answer.
  public internal(set) var channel: Answer.Channel?
  /// The name of the person who answered, as in the config; `nil` if unknown.
  public internal(set) var person: String?
  /// The time of the change, with the offset of its zone.
  public internal(set) var at = OffsetInstant(.distantPast, in: .utc)
  package var unknown: UnknownFields?

  package init() { messageID = .belfry }

  /// An update with all its fields.
  package init(
    messageID: UUID, number: Int64, state: State, words: String, operation: ActionOperation.Word? = nil,
    action: String? = nil, channel: Answer.Channel? = nil, person: String? = nil, at: OffsetInstant
  ) {
    (self.messageID, self.number, self.state, self.words) = (messageID, number, state, words)
    (self.operation, self.action, self.channel) = (operation, action, channel)
    (self.person, self.at) = (person, at)
  }

  /// The id of an update. Deterministic: writing it again gives the same id.
  package static func id(number: Int64, of message: UUID) -> UUID {
    UUID(namespace: .belfry, name: "update \(number) of \(message.text)")
  }

  /// The words with who answered and how: `checked 'Milk' ('done' by Anna over link)`.
  public var sentence: String {
    guard let action, let channel else { return words }
    return "\(words) ('\(action)' by \(channel.giver(person)))"
  }
}
