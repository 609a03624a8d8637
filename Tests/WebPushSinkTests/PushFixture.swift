import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import OrderedJSON
import Synchronization
import TestSupport
import Testing
import Transport
import WebAccess
import WebPush

@testable import WebPushSink

/// A push service whose replies the test chooses, and a browser that subscribed to it.
final class PushFixture: HTTPTransport {
  static let zones = ZoneDatabase(environment: [:])
  static let endpoint = "https://push.services.example.org/wpush/v2/t0ken-of-the-browser"

  let browser = PushBrowser()
  let file: SubscriptionFile
  private let folder: TemporaryFolder
  private let reply = Mutex(HTTPResponse(status: 201))
  private let received = Mutex<[HTTPRequest]>([])
  private let settings: WebPushSettings

  init(_ change: (inout WebPushSettings) -> Void = { _ in }) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    var settings = WebPushSettings(path: folder.file("push.sqlite"))
    change(&settings)
    self.settings = settings
    file = SubscriptionFile(path: settings.path)
  }

  var sink: WebPushSink {
    WebPushSink(settings, transports: Transports(http: self, mail: Transports.none.mail), zones: Self.zones)
  }

  var requests: [HTTPRequest] { received.withLock { $0 } }

  @discardableResult
  func subscribe(_ name: String = "Phone", for person: String? = nil, at endpoint: String = endpoint) throws -> String {
    _ = try file.keyForSubscribers()
    let recipient = try #require(PushRecipient(publicKey: browser.publicKey, secret: browser.secret))
    return try file.add(.init(endpoint: endpoint, recipient: recipient), called: name, for: person, at: Sample.now)
  }

  func answer(_ status: Int, _ fields: [HTTPField] = [], _ body: String = "") {
    reply.withLock { $0 = HTTPResponse(status: status, fields: fields, body: Array(body.utf8)) }
  }

  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse {
    received.withLock { $0.append(request) }
    return reply.withLock { $0 }
  }

  func probe(url: String, options: TransferOptions) async throws(TransferFailure) {}

  /// The notification that the browser shows for an attempt.
  func shown(_ attempt: DeliveryAttempt) async throws -> JSONValue {
    let outcome = await sink.deliver(attempt)
    #expect(outcome.isDelivered, "\(outcome)")
    let request = try #require(requests.last)
    let opened = try #require(browser.opened(request.body))
    #expect(opened.count <= 3_800)
    return try JSONValue(parsing: opened)
  }

  static func complaints(_ section: String) -> [String] {
    SinkConfig(WebPushSinkPlugin.self, called: "phone").complaints(section)
  }
}

extension HTTPRequest {
  func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
