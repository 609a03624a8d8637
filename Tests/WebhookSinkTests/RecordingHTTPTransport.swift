import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MustacheTemplates
import OrderedJSON
import Synchronization
import TestSupport
import Transport
import WebhookSink

/// An HTTP transport that records requests and returns answers chosen by the test.
final class RecordingHTTPTransport: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequest) -> Result<HTTPResponse, TransferFailure>

  private let answer: Answer
  private let received = Mutex<[HTTPRequest]>([])
  private let streams = Mutex<[ScriptedStream]>([])

  init(answer: @escaping Answer = { _ in .success(HTTPResponse(status: 204)) }) { self.answer = answer }

  var requests: [HTTPRequest] { received.withLock { $0 } }

  /// Answers the next requests for streams with these, in order; those after them fail.
  func script(_ streams: [ScriptedStream]) { self.streams.withLock { $0 += streams } }

  func stream(_ request: HTTPRequest, silenceSeconds: Double) async throws(TransferFailure) -> HTTPStream {
    received.withLock { $0.append(request) }
    let scripted = streams.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let scripted else { throw TransferFailure(.unreachable, "nothing is scripted for \(request.url)") }
    return try await HTTPStream(from: scripted.pipe())
  }

  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse {
    received.withLock { $0.append(request) }
    return try answer(request).get()
  }

  func probe(url: String, options: TransferOptions) async throws(TransferFailure) {
    _ = try answer(HTTPRequest(url: url, fields: [], body: [], options: options)).get()
  }
}

/// A streamed response chosen by the test.
struct ScriptedStream: Sendable {
  var status = 200
  var fields = [HTTPField("Content-Type", "application/x-ndjson; charset=utf-8")]
  var body = ""
  /// The end; `nil` for a stream that continues.
  var end: Result<Void, TransferFailure>? = .success(())

  /// A stream of these lines, each with its end.
  static func lines(_ lines: [String], end: Result<Void, TransferFailure>? = .success(())) -> ScriptedStream {
    ScriptedStream(body: lines.map { $0 + "\n" }.joined(), end: end)
  }

  fileprivate func pipe() -> ResponsePipe {
    let pipe = ResponsePipe(capacity: .max)
    pipe.write(head: HTTPResponse(status: status, fields: fields))
    _ = pipe.write(body.utf8)
    if let end { pipe.end(end) }
    return pipe
  }
}

enum Hooking {
  static let zones = ZoneDatabase(environment: [:])
  static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  static func sink(
    _ transport: RecordingHTTPTransport, url: String = "https://hooks.example.org/T0KEN-PATH/b?key=QUERYTOKEN",
    trace: (@Sendable (TransferLine) -> Void)? = nil, _ change: (inout WebhookEndpoint) throws -> Void = { _ in }
  ) throws -> WebhookSink {
    var endpoint = WebhookEndpoint(url: SecretSource(Secret(url)))
    try change(&endpoint)
    return WebhookSink(
      endpoint, transports: Transports(http: transport, mail: Transports.none.mail, trace: trace), zones: zones)
  }

  /// The request sent for an attempt.
  static func request(
    _ attempt: DeliveryAttempt, url: String = "https://hooks.example.org/T0KEN-PATH/b?key=QUERYTOKEN",
    _ change: (inout WebhookEndpoint) throws -> Void = { _ in }
  ) async throws -> HTTPRequest {
    let transport = RecordingHTTPTransport()
    _ = try await sink(transport, url: url, change).deliver(attempt)
    return try Check.present(transport.requests.first, "the request")
  }

  /// The lines that say how to answer the sample message if there is no page.
  static func commands() throws -> String {
    let reminder = try Sample.message().contents[0].reminderID.text
    return "Done: belfry act \(reminder) done\nLater: belfry act \(reminder) later"
  }

  static func json(_ request: HTTPRequest) throws -> JSONValue { try JSONValue(parsing: request.body) }

  /// The diagnostics of `belfry config check` about a webhook's section.
  static func complaints(_ section: String) -> [String] {
    SinkConfig(WebhookSinkPlugin.self, called: "hook", templates: MustacheLanguage()).complaints(section)
  }
}
