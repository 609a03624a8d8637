import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MessageText
import MustacheTemplates
import OrderedJSON
import TestSupport
import Transport

@testable import WebhookSink

extension WebhookSinkPlugin: TestedSinkPlugin {
  static var fixtures: [SinkKind] {
    WebhookFormat.allCases.map { format in
      SinkKind("webhook \(format.rawValue)") { try WebhookSinkFixture(format: format) }
    }
  }
}

/// A web server that a webhook posts to, over libcurl.
final class WebhookSinkFixture: NetworkSinkFixture {
  private static let path = "pa5sage-wh1ch-nobody-reads"
  private static let token = "t0ken~which/nobody+reads"
  private static let key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  private let format: WebhookFormat
  private let collector: HTTPCollector
  private let servers = FaultyServers()

  init(format: WebhookFormat) throws {
    self.format = format
    let answer: HTTPCollector.Answer =
      switch format.dialect?.goodAnswer {
      case .text(let text): .init(200, body: text)
      case .object: .init(200, body: #"{"id":"xE73Iyuabi","event":"message"}"#)
      case .member(let name): .init(200, body: #"{"\#(name)":"$YUwRidLecu:example.com"}"#)
      case .status(let status): .init(200, body: #"{"status":\#(status),"request":"647d2300"}"#)
      case .array: .init(200, body: "[]")
      case .ok: .init(200, body: #"{"error":"","details":[]}"#)
      case .objectOrNothing, nil: .init(204)
      }
    collector = try HTTPCollector(answers: [answer])
  }

  var secrets: [String] { [Self.path, Self.token] + (format.isSigned ? [Self.key] : []) }

  var showsLinks: Bool { true }

  // The list's name, the date and commands are shown beside the text.
  var longestText: Int { format.dialect.map { $0.longestText - max(300, $0.longestText / 10) } ?? .max }

  func makeSink() throws -> any ReminderSink { try sink(collector.url, timeout: 15) }

  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink {
    try sink(servers.url(with: fault, answering: answer), timeout: timeout)
  }

  func received() throws -> [ReceivedMessage] {
    try collector.received().map { request in
      // For Matrix the identity of a message is a part of it.
      let path = request.path.replacing(/[0-9a-f-]{36}$/, with: "")
      return ReceivedMessage(
        identity: request.field("webhook-id"), text: try text(request),
        envelope: [request.method, path] + request.fields.compactMap(\.first).sorted(),
        whole: strings(try JSONValue(parsing: Array(request.body))).joined(separator: "\n"))
    }
  }

  func disconnect() { collector.stop() }

  func dialogue() -> [String] { servers.dialogue }

  private func sink(_ url: String, timeout: Double) throws -> any ReminderSink {
    var endpoint = WebhookEndpoint(url: SecretSource(Secret("\(url)/\(Self.path)")))
    endpoint.format = format
    endpoint.authentication = .bearer(SecretSource(Secret(Self.token)))
    endpoint.options.timeoutSeconds = timeout
    if format.isSigned {
      endpoint.signing = [SecretSource(Secret("whsec_\(Self.key)"))]
    }
    if format == .template {
      endpoint.template = try Template(
        #"{"text":"{{text}}","list":"{{list}}","link":"{{answer_url}}","unchecked":[{{#list}}{{#unchecked}}"{{text}}",{{/unchecked}}{{/list}}""]}"#,
        escaping: .json, language: MustacheLanguage())
    }
    return WebhookSink(endpoint, transports: servers.transports, zones: ZoneDatabase(environment: [:]))
  }

  private func answer(_ status: Int) -> HTTPCollector.Answer {
    let told = "no good: \(secrets.joined(separator: ", Bearer "))"
    return .init(status, fields: ["X-Told": told], body: told)
  }

  private func text(_ request: HTTPCollector.Request) throws -> String {
    let body = try JSONValue(parsing: Array(request.body))
    if format == .standard {
      let data = body["data"]
      let words =
        [data?["alert"]?["title"]?.stringValue, data?["alert"]?["body"]?.stringValue]
        + (data?["list"]?["unchecked"]?.arrayValue ?? []).map { $0["text"]?.stringValue }
      return words.compactMap(\.self).joined(separator: "\n")
    }
    let text = strings(body).joined(separator: "\n")
    guard format == .slack else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  /// Every text in a value.
  private func strings(_ value: JSONValue) -> [String] {
    if let text = value.stringValue { return [text] }
    return (value.arrayValue ?? value.objectValue?.members.map(\.value) ?? []).flatMap(strings)
  }
}
