import BelfryEngine
import BelfryTestKit
import CivilTime
import Digests
import Foundation
import OrderedJSON
import TestSupport
import Testing
import Transport
import WebAccess
import WebPush

@testable import WebPushSink

extension WebPushSinkPlugin: TestedSinkPlugin {
  static var fixtures: [SinkKind] { [SinkKind("webpush") { try WebPushSinkFixture() }] }
}

/// A push service, over libcurl, and a browser that decrypts its messages.
final class WebPushSinkFixture: NetworkSinkFixture {
  private static let path = "push-t0ken-which-nobody-reads"

  private let folder: TemporaryFolder
  private let collector: HTTPCollector
  private let browser = PushBrowser()
  private let servers = FaultyServers()

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    collector = try HTTPCollector(answers: [.init(201)])
  }

  var secrets: [String] { [Self.path, Base64URL.encode(browser.secret)] }

  var showsLinks: Bool { true }

  // Title, list and date are shown beside the text.
  var longestText: Int { 3_000 }

  func makeSink() throws -> any ReminderSink { try sink(collector.url, timeout: 15) }

  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink {
    try sink(servers.url(with: fault, busy: 429, answering: answer), timeout: timeout)
  }

  func received() throws -> [ReceivedMessage] {
    try collector.received().map { request in
      let opened = browser.opened(Array(request.body)) ?? []
      let json = try JSONValue(parsing: opened)
      let texts = [json["title"], json["text"]].compactMap { $0?.stringValue }
      return ReceivedMessage(
        identity: nil, text: texts.joined(separator: "\n"),
        envelope: [request.method, request.path] + request.fields.compactMap(\.first).sorted(),
        whole: String(decoding: opened, as: UTF8.self))
    }
  }

  func disconnect() { collector.stop() }

  func dialogue() -> [String] { servers.dialogue }

  private func sink(_ url: String, timeout: Double) throws -> any ReminderSink {
    var settings = WebPushSettings(path: folder.file("\(UUID()).sqlite"))
    settings.origins = [try ServerURL(url, schemes: ["http", "https"]).origin]
    settings.options.timeoutSeconds = timeout
    let file = SubscriptionFile(path: settings.path)
    _ = try file.keyForSubscribers()
    let recipient = try #require(PushRecipient(publicKey: browser.publicKey, secret: browser.secret))
    try file.add(
      .init(endpoint: "\(url)/\(Self.path)", recipient: recipient), called: "Firefox", for: nil, at: Sample.now)
    return WebPushSink(settings, transports: servers.transports, zones: ZoneDatabase(environment: [:]))
  }

  private func answer(_ status: Int) -> HTTPCollector.Answer {
    let told = "no good: \(secrets.joined(separator: ", "))"
    return .init(status, fields: ["X-Told": told], body: told)
  }
}
