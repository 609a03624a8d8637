import BelfryEngine
import BelfryTestKit
import CSQLite
import Foundation
import OrderedJSON
import SQLiteStore
import Testing
import Transport
import WebPush

@testable import WebPushSink

@Suite("Delivery to push services")
struct PushDeliveryTests {
  private func attempt(_ recipient: String? = "Phone", endsAt: Date? = nil) throws -> DeliveryAttempt {
    DeliveryAttempt(
      deliveryID: 1, message: try Sample.message(), recipient: recipient, startedAt: Sample.now, lateSeconds: 0,
      endsAt: endsAt)
  }

  @Test("a request has the fields of RFC 8030, 8188 and 8292")
  func fields() async throws {
    let fixture = try PushFixture { $0.contact = "mailto:me@example.org" }
    try fixture.subscribe()
    _ = try await fixture.shown(attempt(endsAt: Sample.now.addingTimeInterval(600.5)))
    let request = try #require(fixture.requests.first)
    #expect(request.method == "POST" && request.url == PushFixture.endpoint)
    #expect(request.field("Content-Encoding") == "aes128gcm" && request.field("TTL") == "600")
    #expect(request.field("Urgency") == "high")
    #expect(request.field("Topic")?.wholeMatch(of: /[A-Za-z0-9_-]{32}/) != nil)
    #expect(
      request.field("Authorization")?.wholeMatch(of: /vapid t=[\w-]+\.[\w-]+\.[\w-]{86},k=[\w-]{87}/) != nil)
    #expect(try fixture.file.subscription("Phone")?.reachedAt == Sample.now)
  }

  @Test("a token serves one push service for an hour, for one key and contact")
  func tokens() throws {
    let (burst, key) = (PushBurst(), try #require(PushKey.make()))
    func token(_ origin: String, after seconds: Double = 0, from contact: String? = nil, _ key: PushKey) -> String? {
      burst.token(for: origin, from: contact, at: Sample.now + seconds, key: key)?.text
    }
    let first = try #require(token("https://a.example", key))
    #expect(token("https://a.example", after: 3_599, key) == first)
    #expect(token("https://b.example", key) != first)
    for other in [token("https://a.example", after: 3_600, key), token("https://a.example", after: -9, key)] {
      #expect(other != nil && other != first)
    }
    #expect(token("https://a.example", from: "mailto:me@example.org", key) != first)
    let other = try #require(PushKey.make())
    #expect(token("https://a.example", other) != first)
  }

  @Test("the browsers that a burst reached are noted together, once none of it is under way")
  func reached() throws {
    let fixture = try PushFixture()
    let browsers = try (1...3).map { number in
      let name = try fixture.subscribe("Browser \(number)", at: "\(PushFixture.endpoint)\(number)")
      return try #require(try fixture.file.subscription(name))
    }
    let burst = PushBurst()
    for _ in browsers { burst.begin() }
    #expect(burst.end([browsers[0]]).isEmpty && burst.end([]).isEmpty)
    #expect(burst.end([browsers[2]]) == [browsers[0], browsers[2]])
    burst.begin()
    #expect(burst.end([]).isEmpty)
  }

  @Test(
    "a message lives as long as it is tried, never longer than a service keeps it",
    arguments: [(nil, "86400"), (-5, "0"), (1e9, "2419200")] as [(Double?, String)])
  func life(seconds: Double?, field: String) async throws {
    let fixture = try PushFixture()
    try fixture.subscribe()
    _ = try await fixture.shown(attempt(endsAt: seconds.map { Sample.now.addingTimeInterval($0) }))
    #expect(fixture.requests.first?.field("TTL") == field)
  }

  @Test("404 and 410 end a subscription, and pause no sink", arguments: [404, 410])
  func ended(status: Int) async throws {
    let fixture = try PushFixture()
    try fixture.subscribe()
    fixture.answer(status)
    guard case .never(let reason, false) = await fixture.sink.deliver(try attempt()) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason == "HTTP \(status), the browser has ended its subscription")
    #expect(try fixture.file.subscriptions().isEmpty)
    #expect(await fixture.sink.deliver(try attempt()) == .never(reason: "the browser is no longer subscribed"))
    #expect(fixture.requests.count == 1)
    #expect(fixture.sink.recipients == [nil])
  }

  @Test("other replies follow the rules of every sink, and keep the subscription")
  func replies() async throws {
    let fixture = try PushFixture()
    try fixture.subscribe()
    fixture.answer(429, [HTTPField("Retry-After", "60")])
    #expect(
      await fixture.sink.deliver(try attempt())
        == .later(reason: "HTTP 429", retryAfter: Sample.now.addingTimeInterval(60)))
    fixture.answer(413)
    #expect(await fixture.sink.deliver(try attempt()) == .never(reason: "HTTP 413"))
    fixture.answer(503)
    #expect(await fixture.sink.deliver(try attempt()) == .later(reason: "HTTP 503"))
    fixture.answer(502)
    #expect(await fixture.sink.deliver(try attempt()) == .unknown(reason: "HTTP 502"))
    fixture.answer(403)
    #expect(
      await fixture.sink.deliver(try attempt()) == .later(reason: "HTTP 403, access denied", needsAttention: true))
    #expect(try fixture.file.subscriptions().count == 1)
  }

  @Test("where nobody has subscribed, that is told")
  func nobody() async throws {
    let fixture = try PushFixture()
    #expect(fixture.sink.recipients == [nil] && fixture.sink.recipients(of: "anna") == [nil])
    guard case .never(let reason, false) = await fixture.sink.deliver(try attempt(nil)) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason.contains("/settings"))
  }

  @Test("what rings while the file of the browsers cannot be read waits for it, and then goes to those of its person")
  func unreadable() async throws {
    let fixture = try PushFixture()
    try fixture.subscribe("Phone", for: "anna")
    try fixture.subscribe("Laptop", for: "ben", at: PushFixture.endpoint + "2")
    let (path, other) = (URL(fileURLWithPath: fixture.file.path), fixture.file.path + ".other")
    try FileManager.default.moveItem(atPath: path.path, toPath: other)
    try Data(repeating: 7, count: 4_096).write(to: path)
    #expect(fixture.sink.recipients(of: "anna") == ["all browsers of anna"])
    #expect(fixture.sink.recipients == ["all browsers"])
    #expect(fixture.sink.silence?.contains("push.sqlite") == true)
    guard case .later(let reason, _, true) = await fixture.sink.deliver(try attempt("all browsers of anna")) else {
      Issue.record("it is given up")
      return
    }
    #expect(reason.contains("push.sqlite") && !reason.contains("\n"))
    try FileManager.default.removeItem(at: path)
    try FileManager.default.moveItem(atPath: other, toPath: path.path)
    #expect(await fixture.sink.deliver(try attempt("all browsers of anna")).isDelivered)
    #expect(fixture.requests.map(\.url) == [PushFixture.endpoint])
    #expect(await fixture.sink.deliver(try attempt("all browsers")).isDelivered)
    #expect(fixture.requests.map(\.url).suffix(2) == [PushFixture.endpoint, PushFixture.endpoint + "2"])
    fixture.answer(503)
    #expect(await fixture.sink.deliver(try attempt("all browsers")) == .later(reason: "HTTP 503"))
    #expect(
      await fixture.sink.deliver(try attempt("all browsers of eve"))
        == .never(reason: "the browser is no longer subscribed"))
  }

  @Test("a key that is lost is told, and each browser has to subscribe again")
  func lostKey() async throws {
    let fixture = try PushFixture { $0.contact = "mailto:me@example.org" }
    try fixture.subscribe()
    #expect(fixture.sink.silence == nil)
    let database = try Database(path: fixture.file.path, SQLITE_OPEN_READWRITE)
    try database.execute("DELETE FROM push_key")
    #expect(fixture.sink.silence == "the key that its browsers know is lost: each has to subscribe again")
    guard case .never(let reason, false) = await fixture.sink.deliver(try attempt()) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason.contains("is lost") && fixture.requests.isEmpty)
    _ = try fixture.file.keyForSubscribers()
    #expect(try fixture.file.subscriptions().isEmpty)
  }

  @Test("a message names the contact, or else the web face")
  func contact() async throws {
    for (contact, subject) in [("mailto:me@example.org", "mailto:me@example.org"), (nil, "https://belfry.example.org")]
    {
      let fixture = try PushFixture { $0.contact = contact }
      try fixture.subscribe()
      #expect(await fixture.sink.naming(webFace: "https://belfry.example.org").deliver(try attempt()).isDelivered)
      let token = try #require(fixture.requests.first?.field("Authorization")?.split(separator: ".").dropFirst().first)
      let claims = try #require(
        Data(
          base64Encoded: String(token).replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - token.count % 4) % 4)))
      #expect(try JSONValue(parsing: claims)["sub"]?.stringValue == subject)
    }
  }

  @Test("a connection reaches public hosts alone, unless the config permits the push service")
  func publicHosts() async throws {
    let fixture = try PushFixture { $0.origins = ["https://push.lan:8443"] }
    try fixture.subscribe()
    try fixture.subscribe("Laptop", at: "https://push.lan:8443/x")
    for name in ["Phone", "Laptop"] { _ = await fixture.sink.deliver(try attempt(name)) }
    #expect(fixture.requests.map(\.options.isForPublicHosts) == [true, false])
  }

  @Test("a probe says that nobody has subscribed")
  func probe() async throws {
    let fixture = try PushFixture()
    #expect(await !fixture.sink.probe().isDelivered)
    try fixture.subscribe()
    #expect(await fixture.sink.probe().isDelivered)
  }

  @Test("each browser of a person is a recipient, and no address stands in its place")
  func recipients() throws {
    let fixture = try PushFixture()
    try fixture.subscribe("Phone", for: "anna")
    try fixture.subscribe("Laptop", for: "ben", at: PushFixture.endpoint + "2")
    #expect(fixture.sink.receivers(for: "anna") == ["Phone"])
    #expect(fixture.sink.receivers(for: nil) == ["Phone", "Laptop"])
    #expect(!fixture.sink.takesAddresses)
  }

  @Test(
    "nothing goes to a host that is not public, nor without TLS",
    arguments: [
      "http://push.example.org/x", "https://localhost/x", "https://10.0.0.1/x", "https://[::1]/x", "https://push/x",
      "https://printer.local/x", "https://push.corp/x", "https://0x7f.0x1/x", "https://10.0.0.0x1/x",
      "https://push.example.org:8443/x", "https://me@push.example.org/x", "ftp://a.org/x",
      "https://push.example.org/" + String(repeating: "x", count: 3_000),
    ])
  func hosts(endpoint: String) async throws {
    let fixture = try PushFixture()
    try fixture.subscribe(at: endpoint)
    #expect(fixture.sink.refusal(ofEndpoint: endpoint) != nil)
    guard case .never = await fixture.sink.deliver(try attempt()) else {
      Issue.record("it was sent")
      return
    }
    #expect(fixture.requests.isEmpty)
  }

  @Test("the config can permit a push service of one's own")
  func permitted() async throws {
    let fixture = try PushFixture { $0.origins = ["http://push.lan:8080"] }
    try fixture.subscribe(at: "http://push.lan:8080/x")
    #expect(fixture.sink.refusal(ofEndpoint: "http://push.lan:8080/x") == nil)
    #expect(await fixture.sink.deliver(try attempt()).isDelivered)
  }

  @Test("neither endpoint nor token stands in a reason")
  func secrecy() async throws {
    let fixture = try PushFixture()
    try fixture.subscribe()
    fixture.answer(400, [], "no vapid: \(PushFixture.endpoint)")
    guard case .never(let reason, _) = await fixture.sink.deliver(try attempt()) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason == "HTTP 400: no vapid: <redacted>")
  }

  @Test("a config that is in order, and others")
  func config() {
    for section in [
      "    contact: me@example.org\n    path: here.sqlite\n", "    contact: https://example.org/contact\n",
      "    contact: me@example.org\n    origins: [\"http://127.0.0.1:8080\"]\n    timeout: 5s\n    concurrency: 2\n",
    ] {
      #expect(PushFixture.complaints(section) == [], "\(section)")
    }
    let warnings = PushFixture.complaints("") + PushFixture.complaints("web: { public_url: \"http://localhost\" }\n")
    #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("warning: write a 'contact'") }, "\(warnings)")
    #expect(PushFixture.complaints("web: { public_url: \"https://belfry.example.org\" }\n") == [])
    #expect(PushFixture.complaints("    contact: http://example.org\n").count == 1)
    #expect(PushFixture.complaints("    origins: [\"https://a.example/path\"]\n").count == 1)
  }
}
