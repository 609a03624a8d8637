import BelfryModel
import FoundationEssentials

/// One use of an action, as it is received.
public struct Press: Hashable, Sendable {
  /// The way to name an action.
  public enum Choice: Hashable, Sendable {
    /// The action with this identifier.
    case identifier(String)
    /// The action at this place, from 1, among those that the message offers.
    case number(Int)
    /// The first action that acknowledges; if none is offered, an acknowledgement anyway.
    case acknowledgement
  }

  /// The way to name the person who presses.
  public enum Author: Hashable, Sendable {
    /// The person with this number in the store; 0 for no one in particular.
    case number(Int64)
    /// The person with this name in the config; the store gives it a number with the first answer.
    case name(String)
  }

  /// The reminder whose action is pressed.
  public var reminder: UUID
  /// The action that is pressed.
  public var choice: Choice
  /// The channel over which it was received.
  public var channel: Answer.Channel
  /// The person who presses, if the channel knows them.
  public var author: Author
  /// The idempotency key within its channel: the identity of a token, or of an event on the other side. `nil` if each
  /// press counts by itself.
  public var externalID: String?
  /// True if the person has proved who they are. Otherwise actions that destroy or require authentication are refused.
  public var isAuthenticated: Bool
  /// The number of the reminder's latest answer, as the form that was pressed showed it; 0 for none. A spent token acts
  /// only with this number.
  public var latestAnswer: Int64?
  /// The time of the press, if the message offers its buttons again after a take-back: a press after that counts again.
  /// `nil` for a link, whose page asks for the latest answer instead.
  public var pressedAt: Date?
  /// The command, as typed after `belfry`, so that `undo` takes it back; `nil` for other channels.
  public var command: String?

  /// A press by no one in particular that counts separately, unless told otherwise.
  public init(
    reminder: UUID, choice: Choice, channel: Answer.Channel, author: Author = .number(0),
    externalID: String? = nil, isAuthenticated: Bool = false, latestAnswer: Int64? = nil, pressedAt: Date? = nil,
    command: String? = nil
  ) {
    (self.reminder, self.choice, self.channel, self.author) = (reminder, choice, channel, author)
    (self.externalID, self.isAuthenticated) = (externalID, isAuthenticated)
    (self.latestAnswer, self.pressedAt, self.command) = (latestAnswer, pressedAt, command)
  }
}
