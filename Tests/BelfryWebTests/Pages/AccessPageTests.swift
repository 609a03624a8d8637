import Foundation
import Testing
import WebAccess

@testable import BelfryModel
@testable import BelfryWeb

@Suite("The page of access")
struct AccessPageTests {
  private func names(_ reply: Reply) -> [String] {
    reply.body.matches(of: #/\/access\/revoke\?name=([^"]*)"/#).map { String($0.1) }
  }

  private func fixture() throws -> PageFixture {
    let fixture = try PageFixture(people: ["anna", "carl"])
    try fixture.add(["Milk"])
    try fixture.add(["Report"], to: "Work")
    return fixture
  }

  @Test("who decides about access sees everybody's, a person sees their own sessions, and others see themselves")
  func own() async throws {
    let fixture = try fixture()
    let now = fixture.server.time.now
    _ = try fixture.server.access.addToken("laptop", for: Access.Grant(person: "anna", scope: .edit), at: now)
    let admin = try fixture.visitor()
    let anna = try fixture.visitor(.edit, person: "anna")
    let reading = try fixture.visitor(.read, person: "anna")
    let ben = try fixture.visitor(.answer, person: "ben")
    let limited = try fixture.visitor(.admin, person: "anna", lists: ["Work"])
    let all = ["laptop", "session-2", "session-3", "session-4", "session-5", "session-6"]
    let shown = [
      (admin, all), (anna, ["session-3", "session-4"]), (reading, ["session-4"]), (ben, ["session-5"]),
      (limited, ["session-6"]),
    ]
    for (visitor, expected) in shown {
      let page = try await fixture.server.get("/access", visitor)
      #expect(names(page) == expected && page.body.contains("<em>this browser</em>"), "\(expected)")
      #expect(page.body.contains("action=\"/access/tokens\"") == (visitor == admin))
      for name in all + ["nobody"] where !expected.contains(name) {
        let hidden = try await fixture.server.get("/access/revoke?name=\(name)", visitor)
        #expect(hidden.status == 404 && hidden.body.contains("There is no access &#39;\(name)&#39;."))
        #expect(try await fixture.post("/access/revoke", ["name": name], visitor).status == 404)
      }
    }
    #expect(try fixture.server.access.list(at: now).count == 6)
    let page = try await fixture.server.get("/access", limited).body
    #expect(page.contains("for Work") && !page.contains("Groceries"))
  }

  @Test("the end of an access is asked for, and ends the sessions that were made by it")
  func revoking() async throws {
    let fixture = try fixture()
    let (admin, ben) = (try fixture.visitor(), try fixture.visitor(.answer, person: "ben"))
    let made = try await fixture.post("/access/links", ["guest": "carl", "right": "edit"], ben)
    #expect(made.status == 403)
    let link = try await fixture.post("/access/links", ["guest": "carl", "right": "edit"], admin)
    let path = try #require(link.body.firstMatch(of: #/http:\/\/127\.0\.0\.1:\d+(\/sign-in\/[\w-]{43})</#)).1
    let signedIn = try await fixture.server.post(String(path))
    let carl = "Cookie: \(try #require(signedIn["set-cookie"].first?.prefix { $0 != ";" }))\r\n" + PageFixture.html
    #expect(try await fixture.server.get("/access", carl).body.contains(">carl</span>"))

    let question = try await fixture.server.get("/access/revoke?name=session-1", admin)
    #expect(question.body.contains("End the session of this browser?"))
    let other = try await fixture.submit("/access/revoke", ["name": "session-2"], admin)
    #expect(other.body.contains("The access has ended") && names(other) == ["session-1", "session-3"])
    #expect(try await fixture.server.get("/", ben).status == 401)
    let own = try await fixture.post("/access/revoke", ["name": "session-1"], admin)
    #expect(own.status == 303 && own["location"] == ["/sign-in"] && own["clear-site-data"] != [])
    for visitor in [admin, carl] { #expect(try await fixture.server.get("/", visitor).status == 401) }
  }

  @Test("a token is shown once, for the lists that were marked")
  func tokens() async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor()
    let added = try await fixture.post(
      "/access/tokens", ["name": "phone", "scope": "read", "person": "anna", "list": "2"], visitor)
    let token = try #require(added.body.firstMatch(of: /bfy_[\w-]{49}/)).output
    #expect(added.status == 200 && added["cache-control"] == ["no-store"])
    let lists = try await fixture.server.get("/api/v1/lists", "Authorization: Bearer \(token)\r\n")
    #expect(try lists.all("name") == ["Work"])
    let page = try await fixture.server.get("/access", visitor).body
    #expect(!page.contains(token) && page.contains(">phone</strong>") && page.contains("for Work"))
  }

  @Test("a token for the calendar is shown as the URL to subscribe to")
  func feed() async throws {
    let fixture = try fixture()
    let added = try await fixture.post(
      "/access/tokens", ["name": "phone", "scope": "feed", "person": ""], try fixture.visitor())
    let token = try #require(added.body.firstMatch(of: /bfy_[\w-]{49}/)).output
    #expect(added.body.contains("http://\(fixture.server.address)/agenda/\(token).ics"))
    #expect(try await fixture.server.get("/agenda/\(token).ics").status == 200)
  }

  @Test("what is wrong is told beside its field, and what was typed is kept")
  func faults() async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor()
    _ = try await fixture.post("/access/tokens", ["name": "phone", "scope": "read"], visitor)
    let wrong: [(KeyValuePairs<String, String>, String)] = [
      (["name": "", "scope": "read"], "cannot be a name"),
      (["name": "session-7", "scope": "read"], "cannot be a name"),
      (["name": "phone", "scope": "read"], "There is an access &#39;phone&#39; already."),
      (["name": "tablet", "scope": "all"], "There is no such scope."),
      (["name": "tablet", "scope": "read", "person": "a\nb"], "A person&#39;s name is one line"),
    ]
    for (fields, words) in wrong {
      let reply = try await fixture.post("/access/tokens", fields, visitor)
      #expect(reply.status == 422 && reply.body.contains(words), "\(words)")
      #expect(reply.body.contains("value=\"\(fields[0].value)\"") && !reply.body.contains("bfy_"))
    }
    let feed = try await fixture.post("/access/links", ["guest": "", "right": "feed"], visitor)
    #expect(
      feed.status == 422 && feed.body.contains("A link cannot sign in to a feed: make a token with the scope feed."))
    #expect(try await fixture.post("/access/tokens", ["name": "x", "list": "9"], visitor).status == 404)
    #expect(try await fixture.post("/access/tokens", ["name": "x", "list": "a"], visitor).status == 400)
    #expect(try await fixture.post("/access/revoke", [:], visitor).status == 400)
    #expect(try fixture.server.access.list(at: fixture.server.time.now).count == 2)
    let some = try await fixture.post("/access/links", ["guest": "", "right": "edit", "only": "1"], visitor)
    let secret = try #require(some.body.firstMatch(of: #/\/sign-in\/([\w-]{43})</#)).1
    let now = fixture.server.time.now
    let session = try #require(try fixture.server.access.openSession(link: String(secret), lasting: 60, at: now))
    let list = try #require(try fixture.list(1))
    #expect(try fixture.server.access.session(session, at: now)?.grant.lists == [list.uuid])
  }
}
