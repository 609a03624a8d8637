import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

@Suite("Who sees and does what on the pages")
struct PageRightTests {
  private static let looks = [
    "/", "/lists", "/settings", "/new?line=Milk+tomorrow", "/search?q=milk", "/lists/1", "/lists/1?show=checked",
    "/lists/1/new?line=Milk+tomorrow", "/lists/1/settings", "/items/1/list",
    "/lists/1/clear", "/lists/1/delete", "/items/1", "/items/1/delete", "/lists/1?done=checked&item=1",
    "/agenda", "/agenda?view=month", "/deliveries", "/answers", "/sinks", "/config", "/access",
    "/notifications",
  ]
  private static let edits = [
    "/lists", "/lists/1/items", "/lists/1/edit", "/lists/1/move", "/lists/1/reminder", "/lists/1/clear",
    "/lists/1/delete",
    "/items/1",
    "/items/1/delete", "/items/1/move", "/items/1/list", "/items/1/postpone", "/items",
    "/items/several", "/undo", "/redo",
  ]
  private static let answers = ["/items/1/check", "/items/1/uncheck", "/items/1/snooze"]

  private func fixture() throws -> PageFixture {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-22T09:00")
    try fixture.add(["Bread"])
    return fixture
  }

  @Test("looking changes nothing", arguments: ["GET", "HEAD"])
  func looking(method: String) async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor()
    let before = try fixture.digest()
    for path in Self.looks {
      let reply = try await fixture.server.reply(
        to: "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(visitor)Connection: close\r\n\r\n")
      #expect(reply.status == 200, "\(path)")
    }
    #expect(try fixture.digest() == before)
  }

  @Test("whoever may only read is shown no form but for a passkey, and changes nothing")
  func reader() async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor(.read)
    let before = try fixture.digest()
    for path in [
      "/", "/lists", "/lists/1", "/items/1", "/search?q=milk", "/agenda", "/deliveries", "/answers", "/sinks",
      "/access", "/settings", "/notifications",
    ] {
      let body = try await fixture.server.get(path, visitor).body
      let forms = body.matches(of: #/(?:form)?action="([^"]*)"/#).map { String($0.1) }
      let own: Set = ["/sign-out", "/search", "/deliveries", "/access/passkeys"]
      #expect(Set(forms).isSubset(of: own), "\(path): \(forms)")
      #expect(!body.contains(#/lists/\d+/settings/#) && !body.contains("/delete"), "\(path)")
    }
    for path in Self.edits + Self.answers {
      #expect(try await fixture.post(path, [:], visitor).status == 403, "\(path)")
    }
    for path in ["/lists/1/settings", "/lists/1/new", "/new", "/items/1/list", "/lists/1/delete", "/items/1/delete"] {
      #expect(try await fixture.server.get(path, visitor).status == 403, "\(path)")
    }
    #expect(try fixture.digest() == before)
  }

  @Test("whoever may answer checks and snoozes, and does nothing else")
  func answering() async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor(.answer)
    let body = try await fixture.server.get("/lists/1", visitor).body
    #expect(body.contains("formaction=\"/items/1/check\"") && !body.contains("/move") && !body.contains("f-line"))
    for path in Self.edits { #expect(try await fixture.post(path, [:], visitor).status == 403, "\(path)") }
    let checked = try await fixture.submit("/items/1/check", [:], visitor)
    #expect(try fixture.item(1)?.isChecked == true && !checked.body.contains("action=\"/undo\""))
  }

  @Test("what is on another list is not there, exactly like what does not exist")
  func otherLists() async throws {
    let fixture = try fixture()
    try fixture.add(["Secret"], to: "Diary", due: "2026-11-22T09:00")
    let visitor = try fixture.visitor(lists: ["Groceries"])
    let before = try fixture.digest()
    let home = try await fixture.server.get("/", visitor).body
    #expect(home.contains("Milk") && !home.contains("Diary") && !home.contains("Secret"))
    let lists = try await fixture.server.get("/lists", visitor).body
    #expect(lists.contains("Groceries") && !lists.contains("Diary") && !lists.contains("action=\"/lists\""))
    #expect(try await fixture.post("/lists", ["name": "Mine"], visitor).status == 403)
    let whole = ["/sinks", "/config", "/notifications"]
    let settings = try await fixture.server.get("/settings", visitor).body
    for path in whole {
      #expect(try await fixture.server.get(path, visitor).status == 403, "\(path)")
      #expect(!settings.contains("href=\"\(path)\""), "\(path)")
    }
    #expect(settings.contains("Your access covers some lists only.") && !settings.contains("make a token"))
    let access = try await fixture.server.get("/access", visitor).body
    #expect(access.contains("Your access covers some lists only.") && !access.contains("\"/notifications\""))
    for path in ["/notifications", "/notifications/key?sink=sink", "/notifications/end"] {
      #expect(try await fixture.post(path, [:], visitor).status == 403, "\(path)")
    }
    for path in Self.looks where path.contains("1") {
      let hidden = path.replacing("lists/1", with: "lists/2").replacing("items/1", with: "items/3")
      let missing = path.replacing("lists/1", with: "lists/7").replacing("items/1", with: "items/7")
      let (one, other) = (
        try await fixture.server.get(hidden, visitor), try await fixture.server.get(missing, visitor)
      )
      #expect(one.status == 404 && other.status == 404, "\(hidden)")
      let (hiddenWords, missingWords) = (
        one.body.replacing("list 2", with: "").replacing("item 3", with: ""),
        other.body.replacing("list 7", with: "").replacing("item 7", with: "")
      )
      #expect(hiddenWords == missingWords)
    }
    // A reply that a name is free would tell of other lists.
    for path in ["/lists/1/edit", "/lists/2/edit"] {
      #expect(try await fixture.post(path, ["name": "Diary"], visitor).status == 403, "\(path)")
    }
    #expect(!(try await fixture.server.get("/lists/1/settings", visitor).body.contains("/lists/1/edit")))
    for path in Self.edits + Self.answers
    where path.contains("1") && !["/lists/1/edit", "/lists/1/move"].contains(path) {
      let hidden = path.replacing("lists/1", with: "lists/2").replacing("items/1", with: "items/3")
      let fields: KeyValuePairs = [
        "name": "x", "line": "x", "due": "mon", "for": "1h", "end": "1", "to": "tomorrow", "list": "1",
      ]
      #expect(try await fixture.post(hidden, fields, visitor).status == 404, "\(hidden)")
    }
    // Neither does an item get there, nor does an error name it.
    let shown = try await fixture.fields(ofItem: 1, visitor)
    for name in ["Diary", "Diari"] {
      let moved = try await fixture.save(1, ["list": name], from: shown, visitor)
      #expect(moved.status == 422 && moved.body.contains("There is no such list."))
      #expect(!moved.body.contains("did you mean"))
    }
    #expect(!(try await fixture.server.get("/items/1", visitor).body.contains("Diary")))
    #expect(!(try await fixture.server.get("/lists/1?done=checked&item=3", visitor).body.contains("Secret")))
    #expect(try fixture.digest() == before)
  }

  @Test("a right to some lists undoes what was done by it, and nothing that its person did elsewhere")
  func undoOfLists() async throws {
    let fixture = try fixture()
    try fixture.add(["Secret"], to: "Diary")
    let (whole, some) = (
      try fixture.visitor(person: "anna"), try fixture.visitor(person: "anna", lists: ["Groceries"])
    )
    _ = try await fixture.submit("/items/3/check", [:], whole)
    // Nor does it reveal that there was something.
    #expect(try await fixture.post("/undo", [:], some).status == 404)
    _ = try await fixture.submit("/items/1/check", [:], some)
    _ = try await fixture.submit("/undo", [:], some)
    #expect(try fixture.item(1)?.isChecked == false && fixture.item(3)?.isChecked == true)
  }

  @Test(
    "a form leads back to pages of this server alone",
    arguments: [
      "https://evil.example/", "//evil.example", "/\\evil.example", "/lists/1\r\nSet-Cookie: a=b", "evil",
    ])
  func wayBack(path: String) async throws {
    let fixture = try fixture()
    let reply = try await fixture.post("/items/1/check", ["back": path], fixture.visitor())
    #expect(reply.status == 303 && reply.place == "/items/1?done=checked&item=1" && reply["set-cookie"] == [])
  }

  @Test("who is refused is named as they know themselves", arguments: ["/config", "/sinks"])
  func refusal(path: String) async throws {
    let fixture = try fixture()
    let reply = try await fixture.server.get(path, try fixture.visitor(.read, lists: ["Groceries"]))
    #expect(reply.status == 403 && reply.body.contains("&#39;Browser&#39; has ") && !reply.body.contains("session-"))
  }

  @Test("texts are shown as texts, wherever they stand")
  func hostile() async throws {
    let fixture = try PageFixture()
    let hostile = "<script>alert(\"1\")</script>' onload=x &amp; \u{202e}gnp"
    try fixture.add([hostile], to: hostile, due: "2026-11-20T09:00", notes: hostile + "\n</textarea><b>")
    let visitor = try fixture.visitor(person: "<i>anna</i>")
    for path in Self.looks {
      let body = try await fixture.server.get(path, visitor).body
      #expect(!body.contains("<script>") && !body.contains("<b>") && !body.contains("<i>"), "\(path)")
      #expect(!body.contains("\" onload") && !body.contains("' onload"), "\(path)")
    }
  }
}
