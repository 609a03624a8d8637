import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

@Suite("The page of lists, and the search")
struct ListsPageTests {
  @Test("it makes the first list")
  func empty() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor()
    let page = try await fixture.server.get("/lists", visitor)
    #expect(page.status == 200 && page.body.contains("There is no list yet."))
    let made = try await fixture.submit("/lists", ["name": "Groceries"], visitor)
    #expect(made.status == 200 && made.body.contains("<h1 dir=\"auto\">Groceries</h1>"))
    #expect(made.body.contains("The list was made"))
    #expect(try fixture.list(1)?.name == "Groceries")
  }

  @Test("each list tells what is open, what is overdue, and what rings next")
  func lists() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk", "Bread"])
    try fixture.add(["Rent"], due: "2026-11-20T09:00")
    try fixture.add(["Letter"], to: "Home", due: "2026-11-22T18:30")
    let body = try await fixture.server.get("/lists", fixture.visitor()).body
    #expect(body.contains("<a class=\"brief\" id=\"t1\" dir=\"auto\" href=\"/lists/1\">Groceries</a>"))
    #expect(body.contains("<span>3 open</span> <strong>1 overdue</strong>"))
    #expect(body.contains("rings tomorrow 18:30"))
  }

  @Test(
    "a name that is taken or empty stays in its field, with the error beside it", arguments: ["groceries", "", " "])
  func refused(name: String) async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    let reply = try await fixture.post("/lists", ["name": name], visitor)
    #expect(reply.status == 422)
    let field = try #require(reply.body.firstMatch(of: #/<input[^>]* id="f-name"[^>]*>/#))
    #expect(field.0.contains("value=\"\(name)\"") && field.0.contains("aria-invalid=\"true\""))
    #expect(field.0.contains("aria-describedby=\"e-name\"") && reply.body.contains("id=\"e-name\""))
  }

  @Test("the search finds words in texts and notes of the visitor's lists, without regard to case")
  func search() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Buy MILK", "Bread", "Ärger & Mühe"])
    try fixture.add(["Letter"], to: "Home", notes: "milk is out")
    try fixture.add(["Milk shake"], to: "Secret")
    let visitor = try fixture.visitor(lists: ["Groceries", "Home"])
    let found = try await fixture.server.get("/search?q=mILk", visitor).body
    #expect(found.contains("<p class=\"facts\">2 items:</p>"))
    #expect(found.contains("Buy MILK") && found.contains("Letter") && !found.contains("shake"))
    #expect(try await fixture.server.get("/search?q=%C3%84RGER+m%C3%BChe", visitor).body.contains("1 item:"))
    #expect(try await fixture.server.get("/search?q=nothing", visitor).body.contains("No item holds these words."))
    var edit = ItemEdit()
    edit.tags = try ItemTags(["Phone"])
    _ = try fixture.server.belfry.edit(2, edit)
    let tagged = try await fixture.server.get("/search?q=%23groceries+%40phone", visitor).body
    #expect(tagged.contains("1 item:") && tagged.contains("Bread") && tagged.contains("><bdi>@Phone</bdi></a>"))
    #expect(try await fixture.server.get("/search?q=%23home+%40phone", visitor).body.contains("No item holds"))
    let hostile = try await fixture.server.get("/search?q=%3Cscript%3E%22", visitor).body
    #expect(hostile.contains("value=\"&lt;script&gt;&quot;\"") && !hostile.contains("<script>"))
  }

  @Test("the search shows what is overdue, has no date or repeats, also among the items with some words")
  func filters() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Old milk"], due: "2026-11-20T09:00")
    try fixture.add(["New milk", "Salt"])
    try fixture.add(["Rent"], due: "2026-12-01T09:00")
    let visitor = try fixture.visitor()
    let shown = try await fixture.fields(ofItem: 4, visitor)
    #expect(try await fixture.save(4, ["repeat": "every month"], from: shown, visitor).status == 303)
    for (query, texts) in [
      ("only=overdue", ["Old milk"]), ("only=undated", ["New milk", "Salt"]), ("only=repeating", ["Rent"]),
      ("q=milk&only=undated", ["New milk"]),
    ] {
      let body = try await fixture.server.get("/search?\(query)", visitor).body
      #expect(body.matches(of: #/<a dir="auto" class="brief"[^>]*>([^<]*)</#).map { String($0.1) } == texts, "\(query)")
    }
    let found = try await fixture.server.get("/search?q=milk", visitor).body
    #expect(found.contains("<a href=\"/search?q=milk&amp;only=overdue\">Overdue</a>"))
    #expect(!(try await fixture.server.get("/search", visitor).body.contains(">All</a>")))
    #expect(found.contains("<a href=\"/search?q=milk\" aria-current=\"true\">All</a>"))
  }

  @Test("it says who is signed in; a token has nothing to sign out of")
  func who() async throws {
    let fixture = try PageFixture()
    let body = try await fixture.server.get("/", fixture.visitor(person: "anna")).body
    #expect(body.contains("<span dir=\"auto\">anna</span>") && body.contains("Sign out"))
    let token = try fixture.server.access.addToken(
      "program", for: Access.Grant(scope: .read), at: fixture.server.time.now)
    let shown = try await fixture.server.get("/", "Authorization: Bearer \(token)\r\n").body
    #expect(shown.contains("<span dir=\"auto\">program</span>") && !shown.contains("Sign out"))
  }
}
