import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import OrderedJSON
import Synchronization
import TestSupport
import Testing
import Transport

@testable import TelegramSink

/// One call of a method, as a bot made it.
struct Call: Sendable {
  let url: String
  let parameters: JSONValue

  var method: String { String(url.split(separator: "/").last ?? "") }
}

/// A transport that records calls and returns replies chosen by the test.
final class ScriptedBotAPI: HTTPTransport {
  /// Chooses the reply; `earlier` is the number of calls of the same method before.
  typealias Reply = @Sendable (_ call: Call, _ earlier: Int) throws(TransferFailure) -> HTTPResponse

  private let reply: Reply
  private let received = Mutex<[HTTPRequest]>([])

  init(_ reply: @escaping Reply = { call, earlier throws(TransferFailure) in .usual(call, earlier) }) {
    self.reply = reply
  }

  var requests: [HTTPRequest] { received.withLock { $0 } }

  var calls: [Call] { requests.compactMap(Self.call) }

  /// The parameters of each call of a method, in order.
  func calls(of method: String) -> [JSONValue] { calls.filter { $0.method == method }.map(\.parameters) }

  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse { try answer(request) }

  func stream(_ request: HTTPRequest, silenceSeconds: Double) async throws(TransferFailure) -> HTTPStream {
    let response = try answer(request)
    let pipe = ResponsePipe()
    pipe.write(head: HTTPResponse(status: response.status, fields: response.fields))
    _ = pipe.write(response.body)
    pipe.end(.success(()))
    return try await HTTPStream(from: pipe)
  }

  func probe(url: String, options: TransferOptions) async throws(TransferFailure) {
    throw TransferFailure(.unsendable, "not for this sink")
  }

  private func answer(_ request: HTTPRequest) throws(TransferFailure) -> HTTPResponse {
    guard let call = Self.call(request) else { throw TransferFailure(.unsendable, "not JSON") }
    let earlier = received.withLock { received in
      defer { received.append(request) }
      return received.count { Self.call($0)?.method == call.method }
    }
    return try reply(call, earlier)
  }

  private static func call(_ request: HTTPRequest) -> Call? {
    (try? JSONValue(parsing: request.body)).map { Call(url: request.url, parameters: $0) }
  }
}

extension HTTPResponse {
  static func result(_ result: JSONValue) -> HTTPResponse { json(200, ["ok": true, "result": result]) }

  static func refusal(_ status: Int, _ description: String, _ parameters: JSONValue? = nil) -> HTTPResponse {
    var body: JSONObject = [
      "ok": false, "error_code": .integer(Int64(status)), "description": .string(description),
    ]
    body["parameters"] = parameters
    return json(status, .object(body))
  }

  /// The reply of a server that accepts everything, and has no updates.
  static func usual(_ call: Call, _ earlier: Int) -> HTTPResponse {
    switch call.method {
    case "getUpdates": return .result([])
    case "sendMessage", "editMessageText":
      let number = call.parameters["message_id"]?.integerValue ?? Int64(41 + earlier)
      return .result(["message_id": .integer(number), "chat": ["id": .integer(Telling.chat), "type": "private"]])
    default: return .result(true)
    }
  }

  private static func json(_ status: Int, _ body: JSONValue) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(body.serialized().utf8))
  }
}

/// The words that tests of this sink share.
enum Telling {
  static let zones = ZoneDatabase(environment: [:])
  static let chat: Int64 = 1_001
  static let token = "7000000001:AAF-t0ken_which_nobody_reads"

  static func settings(_ chat: TelegramChat = .number(chat)) -> TelegramSettings {
    TelegramSettings(token: SecretSource(Secret(token)), chat: chat)
  }

  static func sink(
    _ api: ScriptedBotAPI, _ settings: TelegramSettings = settings(), trace: (@Sendable (TransferLine) -> Void)? = nil
  ) -> TelegramSink {
    TelegramSink(
      settings, transports: Transports(http: api, mail: Transports.none.mail, trace: trace), zones: zones)
  }

  /// The parameters of the only call that an attempt makes.
  static func parameters(_ attempt: DeliveryAttempt) async throws -> JSONValue {
    let api = ScriptedBotAPI()
    let outcome = await sink(api).deliver(attempt)
    try #require(outcome.isDelivered && api.calls.count == 1, "\(outcome)")
    return api.calls[0].parameters
  }

  /// A message whose reminders offer these actions, and whose tokens name them.
  static func attempt(
    _ message: Message, actions: [OfferedAction]? = nil, hasButtons: Bool = true, publicURL: String? = nil,
    receipt: String? = nil
  ) -> DeliveryAttempt {
    var message = message
    if let actions {
      let contents = message.contents.map { content in
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
          category: nil, actions: actions, timeZone: "UTC")
      }
      message = Message(id: message.id, sink: message.sink, contents: contents, createdAt: message.createdAt)
    }
    let tokens = message.contents.enumerated().map { index, content in
      content.actions.map { $0.isCarriedOutByToken ? "token \(index) \($0.identifier)" : nil }
    }
    return DeliveryAttempt(
      deliveryID: 1, message: message, recipient: nil, startedAt: message.createdAt, lateSeconds: 0,
      links: publicURL.map { Sample.links(of: message, at: $0) } ?? [], buttons: hasButtons ? tokens : [],
      receipt: receipt)
  }

  /// The part of a text that an entity covers.
  static func covered(_ entity: JSONValue, of text: String) -> String? {
    guard let offset = entity["offset"]?.integerValue, let length = entity["length"]?.integerValue else { return nil }
    return String(Array(text.utf16).dropFirst(Int(offset)).prefix(Int(length)))
  }

  /// The diagnostics of `belfry config check` about a Telegram sink's section.
  static func complaints(_ section: String) -> [String] {
    SinkConfig(TelegramSinkPlugin.self, called: "phone").complaints(section)
  }
}

extension String {
  /// The text of UTF-16 code units; broken pairs become U+FFFD.
  init(_ units: ArraySlice<UInt16>) { self.init(decoding: units, as: UTF16.self) }
}
