import Dispatch
import OrderedJSON

/// A server of ntfy, with a phone that shows its notifications and presses their buttons.
package final class NtfyServer: TestService {
  /// Something that a client asks for.
  package enum Operation: String, Sendable {
    /// `POST /`, `POST /TOPIC` and `POST /TOPIC/SEQUENCE`.
    case publish
    /// `DELETE /TOPIC/SEQUENCE` and `PUT /TOPIC/SEQUENCE/clear`.
    case withdraw
    case poll
    /// `GET /TOPIC/json`, up to the head of the reply.
    case stream
    case auth
    case health
  }

  /// An event in a line of a stream.
  package enum Event: String, Decodable, Sendable {
    case open
    case keepalive
    case message
    case messageDelete = "message_delete"
    case messageClear = "message_clear"
  }

  /// A way in which a line of a stream goes wrong. A message is kept all the same.
  package enum LineFault: String, Sendable {
    /// The connection ends before the line.
    case drop
    /// The connection ends in the middle of it.
    case cut
    /// Lines that are not JSON precede it.
    case garbage
    case duplicate
    case silence
  }

  /// Who may publish and subscribe.
  package enum Credential: Sendable {
    /// The bearer of a token.
    case token(String)
    case basic(user: String, password: String)

    fileprivate var json: JSONValue {
      switch self {
      case .token(let token): ["token": .string(token)]
      case .basic(let user, let password): ["user": .string(user), "password": .string(password)]
      }
    }
  }

  /// A kept message, or a kept event about one.
  package struct Message: Decodable, Hashable, Sendable {
    /// The identity, 12 letters and digits.
    package let id: String
    package let event: Event
    package let topic: String
    /// The moment of its arrival, in seconds since 1970.
    package let time: Int
    /// The identity of its notification, if it was given one.
    package let sequenceID: String?
    package let title: String?
    /// The text; `nil` for other events.
    package let message: String?
    package let tags: [String]?
    /// The priority, 1 to 5; `nil` for the default.
    package let priority: Int?
    package let click: String?
    package let actions: [Action]?

    private enum CodingKeys: String, CodingKey {
      case id, event, topic, time, title, message, tags, priority, click, actions
      case sequenceID = "sequence_id"
    }
  }

  /// A button of a notification.
  package struct Action: Decodable, Hashable, Sendable {
    /// `view`, `http` and so on.
    package let action: String
    package let label: String
    /// The page that it opens, or the URL that it calls.
    package let url: String?
    /// The method of its request; `nil` for POST.
    package let method: String?
    /// The header fields of its request.
    package let headers: [String: String]?
    /// The body of its request.
    package let body: String?
    /// True if a press dismisses the notification.
    package let clear: Bool
  }

  package let process: ServiceProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - seconds: the time between two keepalives of a stream.
  ///   - credentials: those who may use it; none for everybody.
  ///   - second: the moment at which its clock stands, in seconds since 1970; `nil` for one that runs on from now.
  ///   - authority: the issuer of its certificate for `localhost`; `nil` for plain HTTP.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(
    keepaliveEvery seconds: Double = 45, credentials: [Credential] = [], standingAt second: Int? = nil,
    authority: TestAuthority? = nil
  ) throws {
    let configuration: JSONObject = [
      "keepalive": .number(seconds), "credentials": .array(credentials.map(\.json)),
      "standsAt": second.map { .integer(Int64($0)) } ?? .null,
    ]
    process = try ServiceProcess("ntfy_server.py", configuration, authority: authority)
  }

  /// The kept messages and events of a topic, oldest first.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func sent(to topic: String) throws -> [Message] {
    try process.order("messages", ["topic": .string(topic)], as: [Message].self)
  }

  /// What a phone shows of a topic: of each sequence the latest message, unless it was deleted, cleared or dismissed.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func shown(on topic: String) throws -> [Message] {
    try process.order("shown", ["topic": .string(topic)], as: [Message].self)
  }

  /// The topics of each open stream, joined by commas.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func streams() throws -> [String] {
    try process.order("streams").arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Has the next requests of a kind fail. A stream that has begun is not affected: see ``fail(line:_:times:)`` for
  /// that.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func fail(_ operation: Operation, _ fault: ServiceFault, times: Int = 1) throws {
    try fail(operation.rawValue, fault.json, times: times)
  }

  /// Has the next lines of an event fail, on any stream.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func fail(line event: Event, _ fault: LineFault, times: Int = 1) throws {
    try fail(event.rawValue, ["kind": .string(fault.rawValue)], times: times)
  }

  /// Publishes a text of any length as somebody with access.
  ///
  /// - Returns: the identity of the message.
  /// - Throws: ``ServiceProcess/Failure``.
  @discardableResult
  package func publish(_ text: String, to topic: String) throws -> String {
    try process.order("publish", ["topic": .string(topic), "text": .string(text)]).stringValue ?? ""
  }

  /// Writes a line as it is to the open streams of a topic, and keeps nothing.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func send(line: String, to topic: String) throws {
    try process.order("line", ["topic": .string(topic), "line": .string(line)])
  }

  /// Presses a button that sends a request, as a phone does: once, waiting 10 seconds at most.
  ///
  /// - Returns: the status of the reply; `nil` if there was none.
  /// - Throws: ``ServiceProcess/Failure``, if there is no such button.
  @discardableResult
  package func press(message: Message, button: String) async throws -> Int? {
    try await withCheckedThrowingContinuation { continuation in
      // The called server may wait for the test, so that this must not block a thread of Swift's pool.
      DispatchQueue.global().async { [process] in
        let parameters: JSONObject = ["message": .string(message.id), "button": .string(button)]
        continuation.resume(
          with: Result { try process.order("press", parameters).integerValue.map { Int($0) } })
      }
    }
  }
}
