import BelfryEngine
import BelfryModel
import FoundationEssentials
import OrderedJSON
import Transport

/// The requests for the messages of a topic of ntfy, from the inbox's position on.
struct NtfyConnection {
  /// A response other than messages.
  struct Refusal: Error {
    let outcome: DeliveryOutcome
  }

  /// The longest line that is read, in bytes. An answer has about 200, and a server accepts messages of 4 KiB.
  private static let longestLine = 65_536

  let topic: NtfyTopic
  let access: WebhookAccess
  let options: TransferOptions
  let http: any HTTPTransport
  let inbox: Inbox

  /// Takes the messages that the server has kept.
  func poll() async throws { try await read(try await open("poll=1&since=")) }

  /// Takes new messages until the connection ends.
  func follow() async throws { try await read(try await open("since=")) }

  private func read(_ stream: HTTPStream) async throws {
    var lines = LineSplitter(longest: Self.longestLine)
    while let bytes = try await stream.next() { try take(lines.lines(endedBy: bytes).map(NtfyEvent.init)) }
  }

  // Without a position everything is read, so that no answer is missed; messages that are not answers are skipped. The
  // same holds for a position that the server does not understand, since it is from another server.
  private func open(_ query: String) async throws -> HTTPStream {
    let position = inbox.position
    var stream = try await stream(query + (position ?? "all"))
    if position != nil, stream.head.status == 400 { stream = try await self.stream(query + "all") }
    guard stream.head.isFromNtfy else { throw Refusal(outcome: outcome(of: await stream.response())) }
    return stream
  }

  private func outcome(of response: HTTPResponse) -> DeliveryOutcome {
    guard response.status != 200 else {
      return .later(reason: "HTTP 200, not from an ntfy server", needsAttention: true)
    }
    return ResponseClassification.outcome(response, isGood: false, now: inbox.now)
  }

  private func stream(_ query: String) async throws(TransferFailure) -> HTTPStream {
    try await http.stream(
      access.request(for: topic, query, options: options), silenceSeconds: NtfyReplies.longestSilence)
  }

  private func take(_ events: [NtfyEvent]) throws {
    var replies: [Reply] = []
    var last: String?
    for event in events {
      switch event {
      case .open: try inbox.connected()
      case .keepalive: continue
      case .message(let id, let text, let time):
        last = id
        replies.append(Reply(.token(text), pressedAt: time))
      case .other(let id): last = id
      case .unreadable: inbox.reject("a line that is not ntfy's")
      }
    }
    if replies.isEmpty, let last { try inbox.skip(to: last) }
    guard !replies.isEmpty else { return }
    for result in try inbox.take(replies, position: last) {
      if result == .unknown || result == .expired { inbox.reject(result.words) }
    }
  }
}

/// A line of a subscription (https://docs.ntfy.sh/subscribe/api/#json-message-format).
enum NtfyEvent: Hashable {
  /// The subscription is established: new messages will arrive.
  case open
  /// Nothing was published for a while.
  case keepalive
  /// A message, and when it was sent.
  case message(id: String, String, at: Date?)
  /// Something else with a place among the messages.
  case other(id: String)
  /// A line that ntfy does not send.
  case unreadable

  /// The event of a line.
  init(_ line: [UInt8]) {
    guard let json = try? JSONValue(parsing: line), let event = json["event"]?.stringValue else {
      self = .unreadable
      return
    }
    switch event {
    case "open": self = .open
    case "keepalive": self = .keepalive
    default:
      // The id becomes part of the URL of the next request.
      guard let id = json["id"]?.stringValue, NtfyTopic.isName(id) else {
        self = .unreadable
        return
      }
      guard event == "message" else {
        self = .other(id: id)
        return
      }
      let time = json["time"]?.integerValue.map { Date(timeIntervalSince1970: Double($0)) }
      self = .message(id: id, json["message"]?.stringValue ?? "", at: time)
    }
  }
}
