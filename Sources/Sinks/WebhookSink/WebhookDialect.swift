import BelfryModel
import ConfigKeys
import FoundationEssentials
import MessageText
import OrderedJSON
import Transport

/// The format of the requests to a service, and of its response to an accepted message.
protocol WebhookDialect: Sendable {
  /// The service's name for people.
  var service: String { get }
  /// The longest text, in the unit in which the service counts.
  var longestText: Int { get }
  /// The response, with a status of 2xx, to an accepted message.
  var goodAnswer: GoodAnswer { get }
  /// True if a later message can replace an earlier one; by default not.
  var replacesMessages: Bool { get }
  /// The method of its requests; by default POST.
  var method: String { get }

  /// The URL to post a message to, made from the user's URL; by default the user's URL itself.
  ///
  /// - Throws: ``ConfigProblem`` if the user's URL is not one of the service's.
  func url(for address: ServerURL, _ words: [ReminderWords]) throws(ConfigProblem) -> String

  /// The body of a message, described by `words`, to a webhook.
  ///
  /// - Throws: ``ConfigProblem`` as ``url(for:_:)`` does.
  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) throws(ConfigProblem) -> JSONValue
}

extension WebhookDialect {
  var replacesMessages: Bool { false }
  var method: String { "POST" }

  func url(for address: ServerURL, _ words: [ReminderWords]) throws(ConfigProblem) -> String { address.text }
}

/// A dialect of a service that gives each message an identity, by which a later message edits it.
protocol EditingDialect: WebhookDialect {
  /// The URL to post a message to, made from the user's URL.
  func url(for address: ServerURL, of message: Message) -> String

  /// The identity in the response to an accepted message, which is stored.
  func identity(in response: HTTPResponse) -> String?

  /// The body of a message that edits the message with `identity`, or of a new message if that is unknown.
  func body(
    _ words: [ReminderWords], of message: Message, editing identity: String?, to webhook: WebhookAccess
  ) -> JSONValue
}

extension EditingDialect {
  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    body(words, of: message, editing: nil, to: webhook)
  }
}

/// A dialect of a service that repeats a critical message until a person acknowledges it, which its receipt shows.
protocol AcknowledgedDialect: WebhookDialect {
  /// The receipt in the response to an accepted message; `nil` for a message that is not repeated.
  func receipt(in response: HTTPResponse) -> String?

  /// The receipt in the stored reply to a delivery; `nil` if it has none.
  func receipt(in words: String) -> String?

  /// The URL that shows the state of a message, made from the user's URL.
  func url(of receipt: String, for address: ServerURL) -> String

  /// The acknowledgement in the response from that URL.
  func acknowledgement(in response: HTTPResponse) -> Acknowledgement

  /// The URL and the body of the request that ends the repetition of a message, however often it was sent.
  func cancellation(of message: UUID, for address: ServerURL) -> (url: String, body: JSONValue)
}

/// The state of a message that is repeated until a person acknowledges it.
enum Acknowledgement: Hashable {
  /// Nobody has acknowledged it yet.
  case pending
  /// Somebody has, at a time.
  case given(at: Date?)
  /// The repetition has ended without an acknowledgement, or the receipt is unknown.
  case over
  /// The service does not say.
  case unknown
}

/// A service's response to an accepted message.
enum GoodAnswer {
  case text(String)
  /// An object with a meaningful `id`: a text or a number.
  case object
  /// An object whose member of this name is a text.
  case member(String)
  /// An object with an `id`, or nothing with the status 204.
  case objectOrNothing
  /// An object whose `status` is this number.
  case status(Int64)
  /// An array, with the status 200.
  case array
  /// Anything but a page, with the status 200.
  case ok

  /// True if a response has this form.
  func matches(_ response: HTTPResponse) -> Bool {
    switch self {
    case .text(let text): String(decoding: response.body.prefix(64), as: UTF8.self).onOneLine() == text
    case .object:
      switch Self.json(response)?["id"] {
      case .string(let id): !id.isEmpty
      case .integer: true
      default: false
      }
    case .member(let name): Self.json(response)?[name]?.stringValue?.isEmpty == false
    case .status(let status): Self.json(response)?["status"]?.integerValue == status
    case .array: response.status == 200 && Self.json(response)?.arrayValue != nil
    case .ok: response.status == 200 && response.body.first { ![0x20, 0x0a, 0x0d].contains($0) } != UInt8(ascii: "<")
    case .objectOrNothing: response.status == 204 || (response.status == 200 && Self.object.matches(response))
    }
  }

  private static func json(_ response: HTTPResponse) -> JSONValue? { try? JSONValue(parsing: response.body) }
}
