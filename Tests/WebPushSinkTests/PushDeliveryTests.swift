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
    let bench = try PushBench { $0.contact = "mailto:me@example.org" }
    try bench.subscribe()
    _ = try await bench.shown(attempt(endsAt: Sample.now.addingTimeInterval(600.5)))
    let request = try #require(bench.requests.first)
    #expect(request.method == "POST" && request.url == PushBench.endpoint)
    #expect(request.field("Content-Encoding") == "aes128gcm" && request.field("TTL") == "600")
    #expect(request.field("Urgency") == "high")
    #expect(request.field("Topic")?.wholeMatch(of: /[A-Za-z0-9_-]{32}/) != nil)
    #expect(
      request.field("Authorization")?.wholeMatch(of: /vapid t=[\w-]+\.[\w-]+\.[\w-]{86},k=[\w-]{87}/) != nil)
    #expect(try bench.file.subscription("Phone")?.reachedAt == Sample.now)
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
    let bench = try PushBench()
    let browsers = try (1...3).map { number in
      let name = try bench.subscribe("Browser \(number)", at: "\(PushBench.endpoint)\(number)")
      return try #require(try bench.file.subscription(name))
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
    let bench = try PushBench()
    try bench.subscribe()
    _ = try await bench.shown(attempt(endsAt: seconds.map { Sample.now.addingTimeInterval($0) }))
    #expect(bench.requests.first?.field("TTL") == field)
  }

  @Test("404 and 410 end a subscription, and pause no sink", arguments: [404, 410])
  func ended(status: Int) async throws {
    let bench = try PushBench()
    try bench.subscribe()
    bench.answer(status)
    guard case .never(let reason, false) = await bench.sink.deliver(try attempt()) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason == "HTTP \(status), the browser has ended its subscription")
    #expect(try bench.file.subscriptions().isEmpty)
    #expect(await bench.sink.deliver(try attempt()) == .never(reason: "the browser is no longer subscribed"))
    #expect(bench.requests.count == 1)
    #expect(bench.sink.recipients == [nil])
  }

  @Test("other replies follow the rules of every sink, and keep the subscription")
  func replies() async throws {
    let bench = try PushBench()
    try bench.subscribe()
    bench.answer(429, [HTTPField("Retry-After", "60")])
    #expect(
      await bench.sink.deliver(try attempt())
        == .later(reason: "HTTP 429", retryAfter: Sample.now.addingTimeInterval(60)))
    bench.answer(413)
    #expect(await bench.sink.deliver(try attempt()) == .never(reason: "HTTP 413"))
    bench.answer(503)
    #expect(await bench.sink.deliver(try attempt()) == .later(reason: "HTTP 503"))
    bench.answer(502)
    #expect(await bench.sink.deliver(try attempt()) == .unknown(reason: "HTTP 502"))
    bench.answer(403)
    #expect(
      await bench.sink.deliver(try attempt()) == .later(reason: "HTTP 403, access denied", needsAttention: true))
    #expect(try bench.file.subscriptions().count == 1)
  }

  @Test("where nobody has subscribed, that is told")
  func nobody() async throws {
    let bench = try PushBench()
    #expect(bench.sink.recipients == [nil] && bench.sink.recipients(of: "anna") == [nil])
    guard case .never(let reason, false) = await bench.sink.deliver(try attempt(nil)) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason.contains("/settings"))
  }

  @Test("what rings while the file of the browsers cannot be read waits for it, and then goes to those of its person")
  func unreadable() async throws {
    let bench = try PushBench()
    try bench.subscribe("Phone", for: "anna")
    try bench.subscribe("Laptop", for: "ben", at: PushBench.endpoint + "2")
    let (path, other) = (URL(fileURLWithPath: bench.file.path), bench.file.path + ".other")
    try FileManager.default.moveItem(atPath: path.path, toPath: other)
    try Data(repeating: 7, count: 4_096).write(to: path)
    #expect(bench.sink.recipients(of: "anna") == ["all browsers of anna"])
    #expect(bench.sink.recipients == ["all browsers"])
    #expect(bench.sink.silence?.contains("push.sqlite") == true)
    guard case .later(let reason, _, true) = await bench.sink.deliver(try attempt("all browsers of anna")) else {
      Issue.record("it is given up")
      return
    }
    #expect(reason.contains("push.sqlite") && !reason.contains("\n"))
    try FileManager.default.removeItem(at: path)
    try FileManager.default.moveItem(atPath: other, toPath: path.path)
    #expect(await bench.sink.deliver(try attempt("all browsers of anna")).isDelivered)
    #expect(bench.requests.map(\.url) == [PushBench.endpoint])
    #expect(await bench.sink.deliver(try attempt("all browsers")).isDelivered)
    #expect(bench.requests.map(\.url).suffix(2) == [PushBench.endpoint, PushBench.endpoint + "2"])
    bench.answer(503)
    #expect(await bench.sink.deliver(try attempt("all browsers")) == .later(reason: "HTTP 503"))
    #expect(
      await bench.sink.deliver(try attempt("all browsers of eve"))
        == .never(reason: "the browser is no longer subscribed"))
  }

  @Test("a key that is lost is told, and each browser has to subscribe again")
  func lostKey() async throws {
    let bench = try PushBench { $0.contact = "mailto:me@example.org" }
    try bench.subscribe()
    #expect(bench.sink.silence == nil)
    let database = try Database(path: bench.file.path, SQLITE_OPEN_READWRITE)
    try database.execute("DELETE FROM push_key")
    #expect(bench.sink.silence == "the key that its browsers know is lost: each has to subscribe again")
    guard case .never(let reason, false) = await bench.sink.deliver(try attempt()) else {
      Issue.record("it is not given up")
      return
    }
    #expect(reason.contains("is lost") && bench.requests.isEmpty)
    _ = try bench.file.keyForSubscribers()
    #expect(try bench.file.subscriptions().isEmpty)
  }

  @Test("a message names the contact, or else the web face")
  func contact() async throws {
    for (contact, subject) in [("mailto:me@example.org", "mailto:me@example.org"), (nil, "https://belfry.example.org")]
    {
      let bench = try PushBench { $0.contact = contact }
      try bench.subscribe()
      #expect(await bench.sink.naming(webFace: "https://belfry.example.org").deliver(try attempt()).isDelivered)
      let token = try #require(bench.requests.first?.field("Authorization")?.split(separator: ".").dropFirst().first)
      let claims = try #require(
        Data(
          base64Encoded: String(token).replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - token.count % 4) % 4)))
      #expect(try JSONValue(parsing: claims)["sub"]?.stringValue == subject)
    }
  }

  @Test("a connection reaches public hosts alone, unless the config permits the push service")
  func publicHosts() async throws {
    let bench = try PushBench { $0.origins = ["https://push.lan:8443"] }
    try bench.subscribe()
    try bench.subscribe("Laptop", at: "https://push.lan:8443/x")
    for name in ["Phone", "Laptop"] { _ = await bench.sink.deliver(try attempt(name)) }
    #expect(bench.requests.map(\.options.isForPublicHosts) == [true, false])
  }

  @Test("a probe says that nobody has subscribed")
  func probe() async throws {
    let bench = try PushBench()
    #expect(await !bench.sink.probe().isDelivered)
    try bench.subscribe()
    #expect(await bench.sink.probe().isDelivered)
  }

  @Test("each browser of a person is a recipient, and no address stands in its place")
  func recipients() throws {
    let bench = try PushBench()
    try bench.subscribe("Phone", for: "anna")
    try bench.subscribe("Laptop", for: "ben", at: PushBench.endpoint + "2")
    #expect(bench.sink.receivers(for: "anna") == ["Phone"])
    #expect(bench.sink.receivers(for: nil) == ["Phone", "Laptop"])
    #expect(!bench.sink.takesAddresses)
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
    let bench = try PushBench()
    try bench.subscribe(at: endpoint)
    #expect(bench.sink.refusal(ofEndpoint: endpoint) != nil)
    guard case .never = await bench.sink.deliver(try attempt()) else {
      Issue.record("it was sent")
      return
    }
    #expect(bench.requests.isEmpty)
  }

  @Test("the config can permit a push service of one's own")
  func permitted() async throws {
    let bench = try PushBench { $0.origins = ["http://push.lan:8080"] }
    try bench.subscribe(at: "http://push.lan:8080/x")
    #expect(bench.sink.refusal(ofEndpoint: "http://push.lan:8080/x") == nil)
    #expect(await bench.sink.deliver(try attempt()).isDelivered)
  }

  @Test("neither endpoint nor token stands in a reason")
  func secrecy() async throws {
    let bench = try PushBench()
    try bench.subscribe()
    bench.answer(400, [], "no vapid: \(PushBench.endpoint)")
    guard case .never(let reason, _) = await bench.sink.deliver(try attempt()) else {
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
      #expect(PushBench.complaints(section) == [], "\(section)")
    }
    let warnings = PushBench.complaints("") + PushBench.complaints("web: { public_url: \"http://localhost\" }\n")
    #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("warning: write a 'contact'") }, "\(warnings)")
    #expect(PushBench.complaints("web: { public_url: \"https://belfry.example.org\" }\n") == [])
    #expect(PushBench.complaints("    contact: http://example.org\n").count == 1)
    #expect(PushBench.complaints("    origins: [\"https://a.example/path\"]\n").count == 1)
  }
}
