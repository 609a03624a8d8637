import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import OrderedJSON
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
  private let servers = FaultyServers()

  init() throws {
    let result = #"{"message_id":5,"chat":{"id":1001,"type":"private"}}"#
    collector = try HTTPCollector(answers: [.init(200, body: #"{"ok":true,"result":\#(result)}"#)])
  }

  var secrets: [String] { [Self.key] }

  var showsLinks: Bool { true }

  // A text of 4,096 also has the list's name, the date and commands.
  var longestText: Int { 3_600 }

  func makeSink() throws -> any ReminderSink { sink(collector.url, timeout: 15) }

  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink {
    try sink(servers.url(with: fault, answering: answer), timeout: timeout)
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

  func dialogue() -> [String] { servers.dialogue }

  private func sink(_ url: String, timeout: Double) -> any ReminderSink {
    var settings = TelegramSettings(token: SecretSource(Secret("7000000001:\(Self.key)")), chat: .number(1_001))
    settings.server = url
    settings.options.timeoutSeconds = timeout
    return TelegramSink(settings, transports: servers.transports, zones: ZoneDatabase(environment: [:]))
  }

  private func answer(_ status: Int) -> HTTPCollector.Answer {
    let told = "no good: \(Self.key)"
    let body: JSONValue = ["ok": false, "error_code": .integer(Int64(status)), "description": .string(told)]
    return .init(status, fields: ["X-Told": told], body: body.serialized())
  }
}
