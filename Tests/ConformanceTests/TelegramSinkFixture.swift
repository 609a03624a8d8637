import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import CurlTransport
import Foundation
import OrderedJSON
import Synchronization
import TestSupport
import Transport

@testable import TelegramSink

extension TelegramSinkPlugin: TestedSinkPlugin {
  static var fixtures: [SinkKind] { [SinkKind("telegram") { try TelegramSinkFixture() }] }
}

/// A web server that answers as the Bot API does, over libcurl.
final class TelegramSinkFixture: NetworkSinkFixture {
  private static let key = "AAF-t0ken_which_nobody_reads"

  private let collector: HTTPCollector
  private let transport = CurlTransport()
  private let others = Mutex<[any Sendable]>([])
  private let lines = Mutex<[String]>([])

  init() throws {
    let result = #"{"message_id":5,"chat":{"id":1001,"type":"private"}}"#
    collector = try HTTPCollector(answers: [.init(200, body: #"{"ok":true,"result":\#(result)}"#)])
  }

  var secrets: [String] { [Self.key] }

  var showsLinks: Bool { true }

  // In a text of 4,096 the list's name, the date and commands stand too.
  var longestText: Int { 3_600 }

  func makeSink() throws -> any ReminderSink { sink(collector.url, timeout: 15) }

  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink {
    switch fault {
    case .refusing: sink(try answering(400), timeout: timeout)
    case .busy: sink(try answering(503), timeout: timeout)
    case .dropping: sink(try rude(.reset), timeout: timeout)
    case .droppingAtTheEnd: sink(try rude(.closing), timeout: timeout)
    case .hanging: sink(try rude(.silent), timeout: timeout)
    case .slow: sink(try rude(.slowBody), timeout: timeout)
    case .babbling: sink(try rude(.garbage), timeout: timeout)
    case .untrusted: sink(try keep(HTTPCollector(authority: TestAuthority())).url, timeout: timeout)
    }
  }

  func received() throws -> [ReceivedMessage] {
    try collector.received().filter { !$0.path.contains("/get") }.map { request in
      let body = try JSONValue(parsing: Array(request.body))
      return ReceivedMessage(
        identity: nil, text: body["text"]?.stringValue ?? "",
        envelope: [request.method, request.path] + request.fields.compactMap(\.first).sorted(),
        whole: String(decoding: request.body, as: UTF8.self))
    }
  }

  func disconnect() { collector.stop() }

  func dialogue() -> [String] { lines.withLock { $0 } }

  private func sink(_ url: String, timeout: Double) -> any ReminderSink {
    var settings = TelegramSettings(token: SecretSource(Secret("7000000001:\(Self.key)")), chat: .number(1_001))
    settings.server = url
    settings.options.timeoutSeconds = timeout
    let transports = Transports(http: transport, mail: transport) { [weak self] line in
      self?.lines.withLock { $0.append("\(line)") }
    }
    return TelegramSink(settings, transports: transports, zones: ZoneDatabase(environment: [:]))
  }

  private func answering(_ status: Int) throws -> String {
    let told = "no good: \(Self.key)"
    let body: JSONValue = ["ok": false, "error_code": .integer(Int64(status)), "description": .string(told)]
    return try keep(HTTPCollector(answers: [.init(status, fields: ["X-Told": told], body: body.serialized())])).url
  }

  private func rude(_ manner: RudeServer.Manner) throws -> String { "http://\(try keep(RudeServer(manner)).address)" }

  private func keep<Server: Sendable>(_ server: Server) -> Server {
    others.withLock { $0.append(server) }
    return server
  }
}
