import BelfryModel
import ConfigKeys
import MessageText
import OrderedJSON
import Transport

/// The form of messages for a service, and of its answer to a message that it accepted.
protocol WebhookDialect: Sendable {
  /// The service's name for people.
  var service: String { get }
  /// The longest text, in the unit in which the service counts.
  var longestText: Int { get }
  /// The answer with a status of 2xx to an accepted message.
  var goodAnswer: GoodAnswer { get }
  /// True if a later message can take the place of an earlier one, by an id in the body; by default not.
  var replacesMessages: Bool { get }

  /// The URL to post a message to for the user's URL; by default the same.
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

  func url(for address: ServerURL, _ words: [ReminderWords]) throws(ConfigProblem) -> String { address.text }
}

/// A service's answer to an accepted message.
enum GoodAnswer {
  /// This text.
  case text(String)
  /// An object with an `id` that says something.
  case object
  /// Such an object, or nothing with the status 204.
  case objectOrNothing

  /// True if a response is one.
  func matches(_ response: HTTPResponse) -> Bool {
    switch self {
    case .text(let text): String(decoding: response.body.prefix(64), as: UTF8.self).onOneLine() == text
    case .object: (try? JSONValue(parsing: response.body))?["id"]?.stringValue?.isEmpty == false
    case .objectOrNothing: response.status == 204 || (response.status == 200 && Self.object.matches(response))
    }
  }
}
