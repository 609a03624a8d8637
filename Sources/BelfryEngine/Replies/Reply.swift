import BelfryModel
import FoundationEssentials

/// A press of a button, as a ``ReplySource`` has received it.
public struct Reply: Hashable, Sendable {
  /// The way in which a button identifies its action.
  public enum Button: Hashable, Sendable {
    /// A token from ``DeliveryAttempt/buttons``.
    case token(String)
    /// The action with this number, from 1, of a reminder; for a channel to which no other program can write.
    case action(Int, of: UUID)
    /// An acknowledgement of a reminder, whatever actions it offers, with a unique id; for such a channel.
    case acknowledgement(of: UUID, id: String)
  }

  /// The button that was pressed.
  public let button: Button
  /// The time of the press, if the server says it.
  public let pressedAt: Date?
  /// The identity of the person who pressed, comparable with ``ReminderSink/correspondent`` of another sink; `nil` if
  /// the server does not say it.
  public let sender: String?

  /// A press of a button.
  public init(_ button: Button, pressedAt: Date? = nil, sender: String? = nil) {
    (self.button, self.pressedAt, self.sender) = (button, pressedAt, sender)
  }
}

/// The result of a ``Reply``.
public enum ReplyResult: Hashable, Sendable {
  /// The stored answer.
  case answered(Answer)
  /// The press asks to edit the item or list, which is not an answer.
  case edit(ReminderOwner)
  /// No effect: the same press was carried out before, and was taken back or undone since.
  case spent(String)
  /// The token has expired.
  case expired
  /// The button is not Belfry's, or its reminder is no longer kept.
  case unknown
  /// No effect: the action cannot be carried out, for this reason.
  case failed(String)

  /// The result in words, for the person who pressed.
  public var words: String {
    switch self {
    case .answered(let answer): answer.reply
    case .spent(let reply): reply
    case .edit(let owner): owner.editingHint
    case .expired: "this button is too old: nothing was changed"
    case .unknown: "this button is not known here: nothing was changed"
    case .failed(let reason): "nothing was changed: \(reason)"
    }
  }
}

extension ReminderOwner {
  /// The command that edits it, for a place that can open neither a page nor an editor.
  public var editingHint: String {
    switch self {
    case .item(let id): "'belfry edit \(id)' edits it"
    case .list: "'belfry show -l LIST' shows the list, 'belfry edit ID' edits an item"
    }
  }
}
