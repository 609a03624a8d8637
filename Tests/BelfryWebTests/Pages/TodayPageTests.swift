import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

@Suite("The start page")
struct TodayPageTests {
  /// The texts of the rows under each heading.
  private func parts(_ body: String) -> [String: [String]] {
    var parts: [String: [String]] = [:]
    for section in body.matches(of: #/<section.*?<\/section>/#.dotMatchesNewlines()) {
      let heading = section.0.firstMatch(of: #/<h2>(\w+)/#).map { String($0.1) } ?? ""
      parts[heading] = section.0.matches(of: #/id="t\d+" href="[^"]*">([^<]*)</#).map { String($0.1) }
    }
    return parts
  }

  @Test("it shows what is overdue, due today and tomorrow, each with its list, and nothing else")
  func days() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Rent"], due: "2026-11-20T09:00")
    try fixture.add(["Oven"], to: "Home", due: "2026-11-21T08:30")
    try fixture.add(["Bread"], due: "2026-11-21T18:30")
    try fixture.add(["Late show"], due: "2026-11-21T23:59")
    try fixture.add(["Letter"], to: "Home", due: "2026-11-22T00:00")
    try fixture.add(["Later"], due: "2026-11-23T00:00")
    try fixture.add(["Undated"])
    let visitor = try fixture.visitor()
    let body = try await fixture.server.get("/", visitor).body
    #expect(
      parts(body) == ["Overdue": ["Rent", "Oven"], "Today": ["Bread", "Late show"], "Tomorrow": ["Letter"]])
    #expect(body.contains("<h2>Today <small>Sat 21 Nov</small>"))
    // One fact once: the heading names the day.
    #expect(body.contains("<span>18:30</span>") && body.contains("<strong>yesterday 09:00</strong>"))
    #expect(body.contains("href=\"/lists/2\"><bdi>Home</bdi></a>"))
    #expect(body.contains(">Bread</a>, today 18:30") && body.contains("Next: "))
  }

  @Test("more than five overdue items are folded, and counted where there are many")
  func folded() async throws {
    let fixture = try PageFixture()
    try fixture.add((1...130).map { "Item \($0)" }, due: "2026-11-20T09:00")
    let body = try await fixture.server.get("/", fixture.visitor()).body
    #expect(body.contains("<summary>125 more</summary>") && body.contains("and 30 more</a>"))
    #expect(body.matches(of: #/<li id="i/#).count == 100)
    #expect(body.contains("Nothing else is due today."))
  }

  @Test("several rows can be chosen, by those who may change them")
  func choosing() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Rent"], due: "2026-11-20T09:00")
    try fixture.add(["Oven"], to: "Home", due: "2026-11-21T18:30")
    let visitor = try fixture.visitor()
    #expect(try await fixture.server.get("/", visitor).body.contains("href=\"/?choose=several\">Choose</a>"))
    let page = try await fixture.server.get("/?choose=several", visitor).body
    #expect(page.matches(of: /name="row" id="c\d" value="\d"/).count == 2 && !page.contains("class=\"more\""))
    #expect(page.contains("<label dir=\"auto\" class=\"brief\" id=\"t1\" for=\"c1\">Rent</label>"))
    #expect(page.contains("<option value=\"2\" dir=\"auto\">Home</option>"))
    let reader = try await fixture.server.get("/?choose=several", fixture.visitor(.answer)).body
    #expect(!reader.contains("name=\"row\"") && !reader.contains("choose=several"))
  }

  @Test("a new store says what Belfry is, has an example to add, and leads to a test")
  func empty() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor()
    let body = try await fixture.server.get("/", visitor).body
    #expect(body.contains("rings when something is due") && body.contains("Where shall it ring?"))
    let example = #/<form method="post" action="\/items">(.*?)<\/form>/#.dotMatchesNewlines()
    let form = try #require(body.firstMatch(of: example))
    let fields = PageFixture.fields(in: String(form.1))
    let line = try #require(fields["line"])
    let added = try await fixture.submit("/items", ["line": line, "seen": "yes", "back": "/"], visitor)
    #expect(try fixture.item(1)?.text == "Water the plants" && fixture.list(1)?.name == "Inbox")
    #expect(
      parts(added.body)["Today"] == ["Water the plants"]
        && added.body.contains("<strong>Added to <a href=\"/lists/1\" dir=\"auto\">Inbox</a></strong>: "))
    #expect(!added.body.contains("Where shall it ring?"))
  }

  @Test("a line is added to the default list, or to a list of the visitor's")
  func adding() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    try fixture.add(["Secret"], to: "Inbox")
    _ = try await fixture.submit("/items", ["line": "Bread"], try fixture.visitor())
    #expect(try fixture.item(3)?.listID == 2)
    let some = try fixture.visitor(lists: ["Groceries"])
    _ = try await fixture.submit("/items", ["line": "Eggs", "back": "/"], some)
    #expect(try fixture.item(4)?.listID == 1)
    let shown = try await fixture.submit("/items", ["line": "Party 5/12", "back": "/lists/1?order=due"], some)
    #expect(try fixture.item(5) == nil && shown.body.contains("could mean 5 December or 12 May"))
    #expect(shown.body.contains("name=\"back\" value=\"/lists/1?order=due\""))
    let kept = try await fixture.submit("/items", ["line": "Party 5/12", "seen": "yes"], some)
    #expect(kept.body.contains("with what looks like a time or a list left in the text</strong>"))
    #expect(try fixture.item(5)?.text == "Party 5/12")
    let refused = try await fixture.post("/items", ["line": "a\nb"], some)
    #expect(refused.status == 422 && refused.body.contains("id=\"e-line\""))
  }

  @Test("the echo of a line names the list, the tags and the priority, and the notice a list that is not shown")
  func marks() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    let line = "Buy%20milk%20tomorrow%209am%20%23Groceries%20%40shop%20%21high"
    let echo = try await fixture.server.get("/new?line=\(line)", visitor + "Fragment: echo\r\n").body
    #expect(echo.contains("</strong>, to Groceries \u{b7} @shop \u{b7} high priority</p>"), "\(echo)")
    let undated = try await fixture.server.get("/new?line=Milk%20%23Groceries", visitor + "Fragment: echo\r\n").body
    #expect(undated.contains("it does not ring.</p>") && undated.contains(">To Groceries</p>"), "\(undated)")
    let fields: KeyValuePairs = ["line": "Eggs #Groceries", "seen": "yes", "back": "/"]
    let added = try await fixture.submit("/items", fields, visitor).body
    #expect(added.contains(">Groceries</a></strong>: <bdi class=\"brief\">Eggs</bdi>."))
    let shown = try await fixture.submit("/lists/1/items", ["line": "Bread"], visitor).body
    #expect(shown.contains("<strong>Added</strong>: <bdi class=\"brief\">Bread</bdi>."))
  }

  @Test("what did not arrive is told until its item is checked, and what waits for a daemon")
  func troubles() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T10:00")
    try fixture.add(["Bread"], due: "2026-11-21T11:00")
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    _ = try fixture.server.belfry.closeDeliveries(exceptOf: [])
    fixture.server.time.advance(by: 7_200)
    let visitor = try fixture.visitor()
    let body = try await fixture.server.get("/", visitor).body
    #expect(body.contains("1 delivery did not arrive") && body.contains("href=\"/deliveries?state=dead\""))
    #expect(body.contains("1 reminder should have rung: is belfryd running?"), "\(body)")
    _ = try await fixture.server.post("/items/1/check", visitor, body: "back=/")
    #expect(try await !fixture.server.get("/", visitor).body.contains("did not arrive"))
  }

  @Test("a script gets the notice alone, with the number of its change")
  func quick() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-20T09:00")
    let visitor = try fixture.visitor()
    let reply = try await fixture.server.post("/items/1/check", visitor + "Fragment: status\r\n", body: "back=/")
    #expect(reply.status == 200 && reply.body.hasPrefix("<div class=\"notice\">") && reply.body.contains("/undo"))
    #expect(try fixture.item(1)?.isChecked == true)
    let number = try fixture.server.belfry.store.read { try $0.changeNumber() }
    #expect(reply["change"] == number.map { ["\($0)"] } ?? [])
  }

  @Test("an item is postponed to another day at its time, and moved to another list")
  func postponed() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-20T18:30")
    try fixture.add(["Bread"])
    try fixture.add(["Letter"], to: "Home")
    let visitor = try fixture.visitor()
    for (word, due, deed) in [
      ("tomorrow", "2026-11-22T18:30", "Postponed"), ("next-week", "2026-11-23T18:30", "Postponed"),
      ("tonight", "2026-11-21T20:00", "Moved earlier"), ("weekend", "2026-11-28T20:00", "Postponed"),
    ] {
      let reply = try await fixture.submit("/items/1/postpone", ["to": word, "back": "/"], visitor)
      #expect(try fixture.item(1)?.due?.local.description == due && reply.body.contains("<strong>\(deed)</strong>"))
    }
    let dated = try await fixture.submit("/items/2/postpone", ["to": "tomorrow"], visitor).body
    #expect(dated.contains("<strong>Due</strong>: <bdi class=\"brief\">Bread</bdi>. It rings Sun 22 Nov 2026 09:00"))
    #expect(try fixture.item(2)?.due?.local.description == "2026-11-22T09:00" && fixture.item(2)?.shouldRemind == true)
    #expect(try await fixture.post("/items/2/postpone", ["to": "never"], visitor).status == 400)
    let lists = try await fixture.server.get("/items/1/list", visitor).body
    #expect(lists.contains("name=\"list\" value=\"2\"") && !lists.contains("name=\"list\" value=\"1\""))
    let moved = try await fixture.submit("/items/1/list", ["list": "2"], visitor).body
    #expect(try fixture.item(1)?.listID == 2 && moved.contains(">Home</a></strong>: "))
  }
}
