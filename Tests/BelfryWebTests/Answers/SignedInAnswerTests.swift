import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("Answers that need someone who has signed in")
struct SignedInAnswerTests {
  private static let sameOrigin = "Sec-Fetch-Site: same-origin\r\n" + RungReminder.browser

  private static let asks = "You have to sign in first."

  private func cookie(_ reply: Reply) throws -> String {
    try #require(reply["set-cookie"].first).prefix { $0 != ";" }.description
  }

  @Test("from the button of a link over the sign-in to the press, without the way back in any URL")
  func wholeWay() async throws {
    let rung = try RungReminder()
    let page = try await rung.page(rung.token())
    let form = try #require(PageForm.all(in: page.body).first { $0.label == "Throw away" })
    let asked = try await rung.server.press(form)
    #expect(try asked.status == 303 && asked["location"] == ["/sign-in"] && rung.answers() == [])
    let next = try cookie(asked)
    #expect(next.wholeMatch(of: /belfry-next=[\w-]{43}/) != nil)
    let words = try await rung.server.get("/sign-in", "Cookie: \(next)\r\n" + RungReminder.browser)
    #expect(words.status == 200 && words.body.contains("<code>belfry access link</code>"))
    #expect(words.body.contains("You then come back to the reminder."))

    let link = try rung.server.access.makeLink(for: Access.Grant(scope: .answer), at: rung.server.time.now)
    let signedIn = try await rung.server.post("/sign-in/\(link)", "Cookie: \(next)\r\n" + Self.sameOrigin)
    let place = "/reminders/\(rung.reminder.uuidString.lowercased())"
    #expect(signedIn.status == 303 && signedIn["location"] == ["\(place)/actions/4"])
    let session = "Cookie: \(next); \(try cookie(signedIn))\r\n"
    #expect(try await rung.server.get("/sign-in", session)["location"] == ["\(place)/actions/4"])

    let ready = try await rung.server.get("\(place)/actions/4", session + RungReminder.browser)
    let button = try #require(PageForm.all(in: ready.body).first { $0.label == "Throw away" })
    #expect(ready.status == 200 && button.action == "\(place)/actions/4" && !ready.body.contains("decoy"))
    #expect(!ready.body.contains(Self.asks))
    #expect(try await rung.server.press(button, session).status == 403)
    #expect(try rung.item() == "Milk")
    let done = try await rung.server.press(button, session + Self.sameOrigin)
    #expect(try done.status == 200 && done.body.contains("Deleted &#39;Milk&#39;.") && rung.item() == nil)
    #expect(try await rung.server.press(button, session + Self.sameOrigin).body == done.body)
    #expect(try rung.answers() == ["away done"])

    // A link takes back no more than it can do.
    let looked = try await rung.page(rung.token())
    #expect(looked.body.contains("Answered: Throw away") && !looked.body.contains("Take it back"))
    let forced = try await rung.server.post("/a/\(rung.token())/take-back", body: "answer=1")
    #expect(try forced.status == 403 && rung.item() == nil)
    let back = try #require(PageForm.all(in: done.body).first { $0.label == "Take it back" })
    #expect(try await rung.server.press(back, session + Self.sameOrigin).status == 200)
    #expect(try rung.item() == "Milk")
    let spent = try await rung.server.press(button, session + Self.sameOrigin)
    #expect(try spent.status == 409 && rung.item() == "Milk")
    let anew = try #require(PageForm.all(in: spent.body).first { $0.label == "Throw away" })
    #expect(try await rung.server.press(anew, session + Self.sameOrigin).status == 200)
    #expect(try rung.item() == nil)
  }

  @Test("from a button that only opens, over the sign-in, to the item's page")
  func opening() async throws {
    let edit = CategoryAction(identifier: "edit", title: "Edit", operation: .edit)
    let rung = try RungReminder(actions: [edit])
    let pressed = try await rung.press(1)
    #expect(pressed.status == 303 && pressed["location"] == ["/items/1"])
    let next = "Cookie: \(try cookie(pressed))\r\n"
    let asked = try await rung.server.get("/items/1", next + RungReminder.browser)
    #expect(asked.status == 401 && asked.body.contains(#"<a href="/sign-in">Sign in</a>"#))
    let link = try rung.server.access.makeLink(for: Access.Grant(scope: .edit), at: rung.server.time.now)
    let signedIn = try await rung.server.post("/sign-in/\(link)", next + Self.sameOrigin)
    let place = try #require(signedIn["location"].first)
    #expect(place == "/reminders/\(rung.reminder.uuidString.lowercased())/actions/1")
    let session = "Cookie: \(try cookie(signedIn))\r\n"
    let back = try await rung.server.get(place, session + RungReminder.browser)
    #expect(back.status == 303 && back["location"] == ["/items/1"])
    let page = try await rung.server.get("/items/1", session + RungReminder.browser)
    #expect(try page.status == 200 && page.body.contains("Milk") && rung.answers() == [])
  }

  @Test("who has signed in as a person, and a program with a token of theirs, answers as that person")
  func person() async throws {
    let rung = try RungReminder()
    let grant = Access.Grant(person: "anna", scope: .answer)
    let path = "/reminders/\(rung.reminder.uuidString.lowercased())/actions/"
    #expect(try await rung.server.post(path + "3", rung.session(grant) + Self.sameOrigin).status == 200)
    let token = try rung.server.access.addToken("laptop", for: grant, at: rung.server.time.now)
    let program = "Authorization: Bearer \(token)\r\n"
    #expect(try await rung.server.post(path + "2", program).status == 200)
    #expect(try await rung.server.post(path + "1", rung.session() + Self.sameOrigin).status == 200)
    let (answers, people) = try rung.server.belfry.store.read { (try $0.answers(of: .item(1)), try $0.people()) }
    #expect(people.map(\.name) == ["anna"])
    #expect(answers.map(\.person) == [1, 1, 0])
  }

  @Test("a sign-in older than ten minutes, and a clock set back, ask for a new one", arguments: [601.0, -1])
  func stale(seconds: Double) async throws {
    let rung = try RungReminder()
    let session = try rung.session()
    let path = "/reminders/\(rung.reminder.uuidString.lowercased())/actions/"
    rung.server.time.advance(by: seconds)
    let page = try await rung.server.get(path + "4", session + RungReminder.browser)
    #expect(page.body.ranges(of: Self.asks).count == 1)
    let form = try #require(PageForm.all(in: page.body).first { $0.label == "Throw away" })
    let asked = try await rung.server.press(form, session + Self.sameOrigin)
    #expect(asked.status == 303 && asked["location"] == ["/sign-in"])
    #expect(try rung.answers() == [] && rung.item() == "Milk")
    #expect(try await rung.server.post(path + "2", session + Self.sameOrigin).status == 200)
    #expect(try rung.answers() == ["later done"])
    let words = try await rung.server.get("/sign-in", session + RungReminder.browser)
    #expect(words.status == 200 && words.body.contains("more than ten minutes ago"))
  }

  @Test("the last second of the ten minutes counts")
  func lastSecond() async throws {
    let rung = try RungReminder()
    let session = try rung.session()
    rung.server.time.advance(by: 600)
    let path = "/reminders/\(rung.reminder.uuidString.lowercased())/actions/4"
    #expect(try await rung.server.post(path, session + Self.sameOrigin).status == 200)
    #expect(try rung.item() == nil)
  }

  @Test("an action that asks for authentication is not carried out by a link, whatever it does")
  func authentication() async throws {
    let pay = CategoryAction(identifier: "pay", title: "Pay", operation: .check, requiresAuthentication: true)
    let rung = try RungReminder(actions: [pay])
    #expect(try await rung.press(1).status == 403)
    #expect(try rung.item() == "Milk")
    let form = try #require(PageForm.all(in: try await rung.page(rung.token()).body).first { $0.label == "Pay" })
    #expect(form.action.hasSuffix("/sign-in"))
  }

  @Test("nobody else gets in: no right, a narrower one, another list, a program's token for what destroys")
  func refused() async throws {
    let rung = try RungReminder()
    let (server, now) = (rung.server, rung.server.time.now)
    let path = "/reminders/\(rung.reminder.uuidString.lowercased())"
    let digest = try rung.digest()
    for place in [path, "\(path)/actions/2"] {
      #expect(try await server.get(place).status == 401)
      #expect(try await server.get(place, try rung.session(Access.Grant(scope: .read))).status == 403)
      let other = try rung.session(Access.Grant(scope: .admin, lists: [UUID()]))
      #expect(try await server.get(place, other).status == 404)
      #expect(try await server.get(place, try rung.session()).status == 200)
    }
    for place in ["\(path)/actions/2", "\(path)/take-back"] {
      #expect(try await server.post(place).status == 401)
      let reader = try rung.session(Access.Grant(scope: .read))
      #expect(try await server.post(place, reader + Self.sameOrigin).status == 403)
      let other = try rung.session(Access.Grant(scope: .admin, lists: [UUID()]))
      #expect(try await server.post(place, other + Self.sameOrigin, body: "answer=1").status == 404)
    }
    let token = try server.access.addToken("program", for: Access.Grant(scope: .admin), at: now)
    let program = try await server.post("\(path)/actions/4", "Authorization: Bearer \(token)\r\n")
    #expect(try program.status == 403 && rung.digest() == digest)
    for place in ["x/actions/1", "\(UUID())/actions/1", "\(rung.reminder)/actions/9", "\(rung.reminder)/actions/x"] {
      #expect(try await server.post("/reminders/\(place)", try rung.session() + Self.sameOrigin).status == 404)
    }
  }

  @Test("an expired link leads back to the reminder after the sign-in")
  func expired() async throws {
    let rung = try RungReminder()
    let token = rung.token(hours: 1)
    rung.server.time.advance(by: 7_200)
    let asked = try await rung.server.post("/a/\(token)/sign-in")
    let next = try cookie(asked)
    let link = try rung.server.access.makeLink(for: Access.Grant(scope: .answer), at: rung.server.time.now)
    let signedIn = try await rung.server.post("/sign-in/\(link)", "Cookie: \(next)\r\n" + Self.sameOrigin)
    #expect(signedIn["location"] == ["/reminders/\(rung.reminder.uuidString.lowercased())"])
    #expect(try await rung.server.post("/a/bad/sign-in").status == 404)
  }

  @Test("the way back knows whose link, or session, it came from")
  func owner() async throws {
    let rung = try RungReminder()
    let number = try rung.server.belfry.change { try $0.transaction.addPerson(named: "anna").number }
    let path = "/reminders/\(rung.reminder.uuidString.lowercased())/actions/4"
    let session = try rung.session(Access.Grant(person: "ben", scope: .answer))
    rung.server.time.advance(by: 601)
    let asked: [(String?, Reply)] = [
      ("anna", try await rung.server.post("/a/\(rung.token(4, person: number))/sign-in")),
      (nil, try await rung.server.post("/a/\(rung.token(4))/sign-in")),
      ("ben", try await rung.server.post(path, session + Self.sameOrigin)),
    ]
    for (person, reply) in asked {
      let secret = String(try cookie(reply).dropFirst("belfry-next=".count))
      let destination = try rung.server.access.destination(secret, at: rung.server.time.now)
      #expect(destination == Destination(reminder: rung.reminder, action: 4, person: person))
    }
  }

  @Test("the way back is forgotten after a quarter of an hour, and a made-up one leads home")
  func forgotten() async throws {
    let rung = try RungReminder()
    let next = try cookie(try await rung.server.post("/a/\(rung.token(4))/sign-in"))
    rung.server.time.advance(by: 900)
    for cookie in [next, "belfry-next=x", "\(next); \(next)"] {
      let link = try rung.server.access.makeLink(for: Access.Grant(scope: .answer), at: rung.server.time.now)
      let reply = try await rung.server.post("/sign-in/\(link)", "Cookie: \(cookie)\r\n" + Self.sameOrigin)
      #expect(reply["location"] == ["/"])
    }
  }
}
