import Foundation
import Testing
import WebAccess

@testable import BelfryModel
@testable import BelfryWeb

@Suite("Adding passkeys and signing in with them")
struct PasskeyRequestTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let fields: KeyValuePairs = [
    "label": "phone", "client": "e30", "attestation": "oA", "credential": "AQI", "authenticator": "AA",
    "signature": "MA",
  ]

  // MARK: Challenges

  @Test("a challenge is good for one browser, one purpose, five minutes, and once")
  func challenge() {
    let challenges = PasskeyChallenges(sealingKey: [1])
    let challenge = challenges.make(for: .adding, of: "anna", at: Self.now)
    #expect(challenges.isGood(challenge, for: .adding, of: "anna", at: Self.now))
    #expect(!challenges.isGood(challenge, for: .signingIn, of: "anna", at: Self.now))
    #expect(!challenges.isGood(challenge, for: .adding, of: "ben", at: Self.now))
    #expect(challenges.isGood(challenge, for: .adding, of: "anna", at: Self.now + 299))
    #expect(!challenges.isGood(challenge, for: .adding, of: "anna", at: Self.now + 300))
    #expect(!PasskeyChallenges(sealingKey: [2]).isGood(challenge, for: .adding, of: "anna", at: Self.now))
    #expect(challenge != challenges.make(for: .adding, of: "anna", at: Self.now))
  }

  @Test("no other text is a challenge")
  func otherChallenges() {
    let challenges = PasskeyChallenges(sealingKey: [1])
    let challenge = challenges.make(for: .adding, of: "anna", at: Self.now)
    for index in challenge.indices {
      var changed = challenge
      changed.replaceSubrange(index...index, with: [challenge[index] == "B" ? "C" : "B"])
      #expect(!challenges.isGood(changed, for: .adding, of: "anna", at: Self.now))
    }
    for other in ["", "A", challenge + "A", String(challenge.dropLast())] {
      #expect(!challenges.isGood(other, for: .adding, of: "anna", at: Self.now))
    }
  }

  // MARK: Adding

  @Test("options name this site, ask for verification, and leave out what is known")
  func options() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor(.edit, person: "anna")
    let grant = Access.Grant(person: "anna", scope: .edit)
    let known = Passkey(credential: [1, 2], key: [1], counter: 0)
    try fixture.server.access.add(known, label: "phone", for: grant, at: fixture.server.time.now)
    let reply = try await fixture.post("/access/passkeys/options", [:], visitor)
    let json = try reply.json
    #expect(reply.status == 200 && json["rp"]?["id"] == "localhost" && json["attestation"] == "none")
    #expect(json["authenticatorSelection"]?["userVerification"] == "required" && json["user"]?["name"] == "anna")
    #expect(json["excludeCredentials"]?.arrayValue?.first?["id"] == "AQI")
    let other = try await fixture.post("/access/passkeys/options", [:], try fixture.visitor(.edit, person: "ben"))
    #expect(try other.json["excludeCredentials"]?.arrayValue?.isEmpty == true)
  }

  @Test("only a session that began within ten minutes adds one, and nothing else than what was asked for")
  func adding() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor()
    #expect(try await fixture.server.get("/access", visitor).body.contains("data-passkey=\"/access/passkeys/options\""))
    for name in ["client", "attestation"] {
      let fields = Self.fields.filter { $0.key != name }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
      #expect(try await fixture.server.post("/access/passkeys", visitor, body: fields).status == 400)
    }
    let wrong = try await fixture.post("/access/passkeys", Self.fields, visitor)
    #expect(wrong.status == 400 && wrong.body.contains("The passkey was not accepted."))
    #expect(try await fixture.post("/access/passkeys", ["label": ""], visitor).status == 400)
    fixture.server.time.advance(by: 601)
    let stale = try await fixture.server.get("/access", visitor).body
    #expect(stale.contains("You signed in more than ten minutes ago.") && !stale.contains("data-passkey"))
    for path in ["/access/passkeys/options", "/access/passkeys"] {
      #expect(try await fixture.post(path, Self.fields, visitor).status == 409, "\(path)")
    }
    let token = try fixture.server.access.addToken("x", for: Access.Grant(scope: .admin), at: fixture.server.time.now)
    let program = "Authorization: Bearer \(token)\r\n"
    #expect(try await fixture.server.post("/access/passkeys/options", program).status == 409)
    #expect(try fixture.server.access.list(at: fixture.server.time.now).allSatisfy { $0.kind != .passkey })
  }

  @Test("where browsers permit no passkeys, the page says so, and none are asked for")
  func noSite() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor()
    let page = try await fixture.server.get("/access", visitor, host: "127.0.0.1").body
    #expect(page.contains("under the name localhost") && !page.contains("data-passkey"))
    #expect(try await fixture.server.post("/access/passkeys/options", visitor, host: "127.0.0.1").status == 409)
    #expect(try await fixture.server.post("/passkeys/options", host: "127.0.0.1").status == 409)
    #expect(try await !fixture.server.get("/sign-in", host: "127.0.0.1").body.contains("data-passkey"))
  }

  // MARK: Signing in

  @Test("options for signing in come with a cookie, and tell nothing of who has passkeys")
  func signInOptions() async throws {
    let server = try Server()
    let reply = try await server.post("/passkeys/options")
    let json = try reply.json
    #expect(reply.status == 200 && json["rpId"] == "localhost" && json["userVerification"] == "required")
    #expect(json["allowCredentials"] == nil)
    let cookie = try #require(reply["set-cookie"].first)
    let form = /belfry-passkey=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Strict/
    #expect(cookie.wholeMatch(of: form) != nil, "\(cookie)")
    for foreign in ["Sec-Fetch-Site: cross-site\r\n", "Origin: https://evil.example\r\n"] {
      #expect(try await server.post("/passkeys/options", foreign).status == 403)
      #expect(try await server.post("/passkeys/sign-in", foreign).status == 403)
    }
  }

  @Test("a passkey that is not known, and one whose signature is not its own, say the same, and are held back")
  func refused() async throws {
    let fixture = try PageFixture()
    let known = Passkey(credential: [1, 2], key: [1], counter: 0)
    try fixture.server.access.add(known, label: "x", for: Access.Grant(scope: .admin), at: fixture.server.time.now)
    var bodies: Set<String> = []
    for credential in ["AQI", "AQM"] {
      let fields = Self.fields.map { "\($0)=\($0 == "credential" ? credential : $1)" }.joined(separator: "&")
      for _ in 1...10 {
        let reply = try await fixture.server.post("/passkeys/sign-in", PageFixture.html, body: fields)
        #expect(reply.status == 400 && reply["set-cookie"] == [])
        bodies.insert(reply.body)
      }
    }
    #expect(bodies.count == 1)
    #expect(try await fixture.post("/passkeys/sign-in", Self.fields, "").status == 429)
  }
}
