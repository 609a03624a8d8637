import BelfryEngine
import BelfryTestKit
import Digests
import Foundation
import Testing
import WebAccess
import WebPush

@testable import BelfryWeb

@Suite("Browsers that subscribe")
struct PushRequestTests {
  private struct Browsers: SubscribedSink {
    let subscriptionFile: String
    var service = "https://push.example.org/"
    var recipients: [String?] { [nil] }
    var concurrency: Int { 1 }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { .delivered }
    func recipients(of person: String?) -> [String?] { recipients }
    var silence: String? { nil }
    func naming(webFace origin: String) -> any SubscribedSink { self }
    func refusal(ofEndpoint url: String) -> String? {
      url.hasPrefix(service) ? nil : "the push service is not permitted"
    }
  }

  private let folder: TemporaryFolder
  private let file: SubscriptionFile
  private let server: Server

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = SubscriptionFile(path: folder.file("push.sqlite"))
    var setup = WebSetup()
    let other = Browsers(subscriptionFile: folder.file("other.sqlite"), service: "https://push.example.com/")
    setup.sinks = [
      ActiveSink(name: "other", sink: other), ActiveSink(name: "phone", sink: Browsers(subscriptionFile: file.path)),
    ]
    server = try Server(setup: setup)
  }

  private func visitor(_ person: String?, _ scope: AccessScope = .edit) throws -> String {
    let token = try server.access.addToken(
      "\(person ?? "nobody") \(UUID())", for: Access.Grant(person: person, scope: scope), at: server.time.now)
    return "Authorization: Bearer \(token)\r\n\(PageFixture.html)"
  }

  private func form(_ endpoint: String, _ more: String = "", label: String = "Laptop") -> String {
    let key = Base64URL.encode(PushKey.make()?.publicKey ?? [])
    let endpoint = FormFields.encoded(endpoint)
    return "sink=phone&endpoint=\(endpoint)&p256dh=\(key)&auth=AAAAAAAAAAAAAAAAAAAAAA&label=\(label)\(more)"
  }

  @Test("one press subscribes a browser for its person, who sees it and ends it; others do not")
  func subscribing() async throws {
    let (anna, ben, admin) = (try visitor("anna"), try visitor("ben"), try visitor(nil, .admin))
    let key = try await server.post("/notifications/key?sink=phone", anna)
    let known = Base64URL.encode(try file.keyForSubscribers().publicKey)
    #expect(key.status == 200 && key.body == "{\"key\":\"\(known)\"}\n")
    let posted = try await server.post("/notifications", anna, body: form("https://push.example.org/1"))
    #expect(posted.status == 303 && posted["location"] == ["/notifications"], "\(posted)")
    let subscription = try #require(try file.subscription("Laptop"))
    #expect(subscription.person == "anna")
    for (visitor, isSeen) in [(anna, true), (ben, false), (admin, true)] {
      let page = try await server.get("/notifications", visitor).body
      #expect(
        page.contains(">Laptop</strong>") == isSeen && page.contains("data-push=\"/notifications/key?sink=phone\""))
      #expect(page.contains("data-mark=\"\(subscription.mark)\"") == isSeen && !page.contains("push.example.org"))
    }
    #expect(try await server.post("/notifications/end", ben, body: "sink=phone&name=Laptop").status == 404)
    #expect(try await server.post("/notifications/end", anna, body: "sink=phone&name=Laptop").status == 303)
    #expect(try file.subscriptions().isEmpty)
  }

  @Test("a program's token without a person neither sees nor ends the browsers without a person")
  func withoutPerson() async throws {
    let key = try #require(
      PushRecipient(publicKey: PushKey.make()?.publicKey ?? [], secret: Array(repeating: 1, count: 16)))
    let address = PushSubscription.Address(endpoint: "https://push.example.org/1", recipient: key)
    _ = try file.add(address, called: "Phone", for: nil, at: server.time.now)
    let program = try visitor(nil, .answer)
    #expect(try await server.get("/notifications", program).body.contains(">Phone</strong>") == false)
    for path in ["/notifications/end", "/notifications/test"] {
      #expect(try await server.post(path, program, body: "sink=phone&name=Phone").status == 404, "\(path)")
    }
    #expect(try file.subscription("Phone") != nil)
    let link = try server.access.makeLink(for: Access.Grant(scope: .answer), at: server.time.now)
    let session = try #require(try server.access.openSession(link: link, lasting: 3_600, at: server.time.now))
    let browser = "Cookie: belfry=\(session)\r\nSec-Fetch-Site: same-origin\r\n\(PageFixture.html)"
    #expect(try await server.post("/notifications/end", browser, body: "sink=phone&name=Phone").status == 303)
  }

  @Test("looking makes no key, and what is no subscription is refused")
  func refused() async throws {
    let anna = try visitor("anna")
    let agent = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
    let page = try await server.get("/notifications", anna + agent)
    #expect(page.status == 200 && page.body.contains("value=\"Firefox on Linux\""))
    for place in 0...1 {
      #expect(page.body.matches(of: /id="([^"]*)"/).count { $0.1 == "f-label-\(place)" } == 1)
      #expect(page.body.contains("<label for=\"f-label-\(place)\">"))
    }
    #expect(try file.key() == nil)
    #expect(try await server.post("/notifications/key?sink=none", anna).status == 404)
    #expect(try await server.post("/notifications", anna, body: form("https://10.0.0.1/x")).status == 422)
    let stray = form("https://push.example.org/1").replacing(/p256dh=[^&]*/, with: "p256dh=AAAA")
    #expect(try await server.post("/notifications", anna, body: stray).status == 400)
    let unnamed = form("https://push.example.org/1", label: "")
    #expect(try await server.post("/notifications", anna, body: unnamed).status >= 400)
    for path in ["/notifications", "/notifications/key?sink=phone", "/notifications/end"] {
      #expect(try await server.post(path, PageFixture.html).status == 401)
    }
    let reading = try visitor("anna", .read)
    #expect(try await server.get("/notifications", reading).body.contains("data-push") == false)
    let posted = try await server.post("/notifications", reading, body: form("https://push.example.org/1"))
    #expect(posted.status == 403)
    #expect(try file.subscriptions().isEmpty)
  }

  @Test("one press on the settings subscribes the browser by its own name, where its visitor may answer")
  func onSettings() async throws {
    let agent = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
    let settings = try await server.get("/settings", try visitor("anna", .answer) + agent).body
    #expect(settings.matches(of: /data-push="\/notifications\/key\?sink=(other|phone)"/).count == 2)
    #expect(settings.contains("name=\"label\" value=\"Firefox on Linux\"") && settings.contains("/push-"))
    let unknown = try await server.get("/settings", try visitor("anna", .answer)).body
    #expect(unknown.contains("name=\"label\" value=\"Browser\""))
    #expect(try await server.get("/settings", try visitor("anna", .read)).body.contains("data-push") == false)
    #expect(try file.key() == nil)
  }

  @Test("a browser renews its address by the old one, without a session; nobody else can")
  func renewing() async throws {
    let anna = try visitor("anna")
    _ = try await server.post("/notifications", anna, body: form("https://push.example.org/old"))
    let old = "&old=" + FormFields.encoded("https://push.example.org/old")
    let new = form("https://push.example.org/new", old)
    #expect(try await server.post("/notifications/renew", body: new).status == 204)
    #expect(try file.subscription("Laptop")?.address.endpoint == "https://push.example.org/new")
    #expect(try await server.post("/notifications/renew", body: new).status == 404)
  }

  @Test("nobody without a subscription makes the server compute or write anything")
  func renewingNothing() async throws {
    let fields = "old=x&endpoint=" + FormFields.encoded("https://push.example.org/new") + "&p256dh=AAAA&auth=AAAA"
    let reply = try await server.post("/notifications/renew", body: fields)
    #expect(reply.status == 404, "\(reply)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  private func session(_ person: String) throws -> String {
    let link = try server.access.makeLink(for: Access.Grant(person: person, scope: .answer), at: server.time.now)
    let session = try #require(try server.access.openSession(link: link, lasting: 3_600, at: server.time.now))
    return "Cookie: belfry=\(session)\r\nSec-Fetch-Site: same-origin\r\n\(PageFixture.html)"
  }

  @Test("a browser's subscription ends with the session or token that it used last, and with no other")
  func revoking() async throws {
    let (phone, later, laptop) = (try session("anna"), try session("anna"), try session("anna"))
    _ = try await server.post("/notifications", phone, body: form("https://push.example.org/1", label: "Phone"))
    _ = try await server.post("/notifications", laptop, body: form("https://push.example.org/2"))
    let admin = try visitor(nil, .admin)
    let program = try server.access.addToken("bot", for: Access.Grant(scope: .answer), at: server.time.now)
    let bot = "Authorization: Bearer \(program)\r\n"
    _ = try await server.post("/notifications", bot, body: form("https://push.example.org/3", label: "Bot"))
    #expect(try file.subscriptions().map(\.name) == ["Phone", "Laptop", "Bot"])
    // The phone has signed in anew.
    let seen = "endpoint=" + FormFields.encoded("https://push.example.org/1")
    #expect(try await server.post("/notifications/known", later, body: seen).status == 204)
    #expect(try await server.post("/notifications/known", try session("ben"), body: seen).status == 204)
    #expect(try await server.post("/access/revoke", admin, body: "name=session-1").status == 303)
    #expect(try file.subscriptions().map(\.name) == ["Phone", "Laptop", "Bot"])
    #expect(try await server.post("/access/revoke", admin, body: "name=session-2").status == 303)
    #expect(try file.subscriptions().map(\.name) == ["Laptop", "Bot"])
    #expect(try await server.post("/access/revoke", admin, body: "name=bot").status == 303)
    #expect(try file.subscriptions().map(\.name) == ["Laptop"])
    #expect(!FileManager.default.fileExists(atPath: folder.file("other.sqlite")))
  }

  @Test("a browser learns whether it is known, and only who may end a subscription sends it a test")
  func known() async throws {
    let (anna, ben) = (try visitor("anna"), try visitor("ben"))
    _ = try await server.post("/notifications", anna, body: form("https://push.example.org/1"))
    func status(_ number: Int) async throws -> Int {
      let endpoint = FormFields.encoded("https://push.example.org/\(number)")
      return try await server.post("/notifications/known", anna, body: "endpoint=\(endpoint)").status
    }
    #expect(try await status(1) == 204)
    #expect(try await status(2) == 404)
    // A script ends a subscription for this reply alone: a page could be a proxy's.
    let script = anna.replacing(PageFixture.html, with: "Accept: application/json\r\n")
    let unknown = try await server.post("/notifications/known", script, body: "endpoint=x")
    #expect(unknown.status == 404 && unknown["content-type"] == ["application/problem+json"])
    #expect(try await server.post("/notifications/known", PageFixture.html, body: "endpoint=x").status == 401)
    #expect(try await server.get("/notifications", anna).body.contains("action=\"/notifications/test\""))
    #expect(try await server.post("/notifications/test", ben, body: "sink=phone&name=Laptop").status == 404)
    #expect(try await server.post("/notifications/test", anna, body: "sink=phone&name=Phone").status == 404)
  }

  @Test("without such a sink the page says so")
  func without() async throws {
    let server = try Server()
    let token = try server.access.addToken("t", for: Access.Grant(scope: .read), at: server.time.now)
    let page = try await server.get("/notifications", "Authorization: Bearer \(token)\r\n\(PageFixture.html)")
    #expect(page.status == 200 && page.body.contains("no channel of the type webpush"))
    #expect(page.body.contains("aria-label=\"Back to Settings\""))
    let settings = try await server.get("/settings", "Authorization: Bearer \(token)\r\n\(PageFixture.html)")
    #expect(settings.status == 200 && !settings.body.contains("This browser"))
  }
}
