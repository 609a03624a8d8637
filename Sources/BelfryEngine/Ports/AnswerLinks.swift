import BelfryModel
import FoundationEssentials

/// Makes the links and buttons by which reminders are answered.
///
/// Ringing never waits for it: if no links can be made, a message is sent without them.
public protocol AnswerLinks: Sendable {
  /// The values from which the tokens of a message that is claimed now are made; `nil` if it gets no links.
  ///
  /// - Parameters:
  ///   - retryMaxAge: the longest time for which its deliveries are tried, in seconds.
  ///   - isKeyInUse: returns whether a message in the store names a key; called only if there is no key.
  /// - Throws: the errors of `isKeyInUse`.
  func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens?

  /// The links of a message, one value for each content; empty if it has none.
  ///
  /// They are the same for each attempt, also after a rotation of the keys.
  func links(of message: Message) -> [ReminderLinks]

  /// The tokens of the buttons that return over a channel: for each content one token for each action, `nil` for an
  /// action that no token carries out. Empty if there are none.
  ///
  /// The same for each attempt, as with ``links(of:)``.
  func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]]

  /// A digest of the keys, by which daemons that share a store know whether theirs are the same; `nil` without keys.
  var fingerprint: String? { get }

  /// The press for which a token of a channel stands.
  ///
  /// - Throws: ``ButtonRefusal``.
  func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press
}

extension AnswerLinks {
  /// `nil`, since it has no keys that other daemons could have.
  public var fingerprint: String? { nil }
}

/// The reason why a button's token is refused.
public enum ButtonRefusal: Error, Hashable, Sendable {
  /// The token was never issued for the channel, or its key is gone.
  case unknown
  case expired
  /// The token cannot be checked now, since the keys cannot be read.
  case unverifiable
}

/// The links by which one reminder of a message is answered.
public struct ReminderLinks: Hashable, Sendable {
  /// The page that shows the reminder with its buttons.
  public let answerURL: String
  /// One for each action that the message offers, in its order.
  public let actions: [ActionLink]

  /// The tokens in the URLs.
  package var tokens: [String] {
    ([answerURL] + actions.map(\.url)).compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// The links of a reminder.
  public init(answerURL: String, actions: [ActionLink]) { (self.answerURL, self.actions) = (answerURL, actions) }
}

/// The link of one action that a message offers.
public struct ActionLink: Hashable, Sendable {
  /// The page with this action in front.
  public let url: String
  /// The token that carries out the action; `nil` for one that needs a sign-in, and for one that only opens a program.
  public let token: String?

  /// The link of an action.
  public init(url: String, token: String?) { (self.url, self.token) = (url, token) }
}

extension OfferedAction {
  /// True if a token is enough to carry it out.
  package var isCarriedOutByToken: Bool {
    !isDestructive && !requiresAuthentication && operation != .edit && operation?.word.isDestructive != true
  }

  /// True if a button may lead to the page of the reminder, since it only opens the item or list that rang.
  package var isOpenedByButton: Bool { operation == .edit && !isDestructive && !requiresAuthentication }
}

extension ReminderLinks: CustomStringConvertible, CustomReflectable {
  /// `<redacted>`, since anyone who has a link may use it.
  public var description: String { "<redacted>" }
  /// A mirror without children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension ActionLink: CustomStringConvertible, CustomReflectable {
  /// `<redacted>`, since anyone who has a link may use it.
  public var description: String { "<redacted>" }
  /// A mirror without children, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
