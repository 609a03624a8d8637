import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("The page of a list")
struct ListPageTests {
  @Test("it shows what is open, overdue in red and in words, and behind it what is checked")
  func shows() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk", "Bread"])
    try fixture.add(["Rent", "Stamps"], due: "2026-11-19T09:00")
    let visitor = try fixture.visitor()
    for id in [2, 4] { _ = try await fixture.submit("/items/\(id)/check", [:], visitor) }
    let open = try await fixture.server.get("/lists/1", visitor).body
    #expect(open.contains(">Milk</a>") && !open.contains(">Bread</a>"))
    #expect(open.contains("href=\"/lists/1?show=checked\">Done</a>"))
    #expect(open.contains("<strong>overdue since Thu 19 Nov 09:00</strong>"))
    let checked = try await fixture.server.get("/lists/1?show=checked", visitor).body
    #expect(checked.contains(">Bread</a>") && !checked.contains(">Milk</a>"))
    #expect(checked.contains("<span>due Thu 19 Nov 09:00</span>"))
    let dates = try await fixture.server.get("/lists/1?order=due", visitor).body
    let (rent, milk) = (dates.firstRange(of: ">Rent</a>"), dates.firstRange(of: ">Milk</a>"))
    #expect(try #require(rent).lowerBound < #require(milk).lowerBound)
  }

  @Test("what belongs to another item stands below it, farther in, and moves among its like")
  func outline() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Trip", "Bread", "Tickets", "Hotel"])
    try fixture.server.belfry.store.write { transaction in
      let trip = try #require(try transaction.item(id: 1)?.item)
      for id in [3, 4] as [Int64] {
        var item = try #require(try transaction.item(id: id)?.item)
        item.properties = ["RELATED-TO:\(trip.uuid.uuidString.lowercased())"]
        try transaction.update(item)
      }
    }
    let page = try await fixture.server.get("/lists/1", try fixture.visitor()).body
    let rows = page.matches(of: #/<li id="i(\d)"(?: data-depth="(\d)")?>/#).map {
      "\($0.1)\($0.2.map { "." + $0 } ?? "")"
    }
    #expect(rows == ["1", "3.1", "4.1", "2"])
    let last = try #require(page.firstMatch(of: #/<div id="m4"(.*?)<\/div>/#.dotMatchesNewlines()))
    #expect(last.1.contains("value=\"3\">Up</button>") && !last.1.contains(">Down</button>"), "\(last.1)")
  }

  @Test("a check is told of and undone, and made again")
  func undo() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    let checked = try await fixture.submit("/items/1/check", ["back": "/lists/1?order=due"], visitor)
    #expect(checked.body.contains("<strong>Checked</strong>: <bdi class=\"brief\">Milk</bdi>."))
    #expect(try fixture.item(1)?.isChecked == true)
    let form = try #require(checked.body.firstMatch(of: #/action="\/undo">(.*?)<\/form>/#.dotMatchesNewlines()))
    let fields = PageFixture.fields(in: String(form.1))
    let (change, back) = (try #require(fields["change"]), try #require(fields["back"]))
    let undone = try await fixture.submit("/undo", ["change": change, "back": back], visitor)
    #expect(try fixture.item(1)?.isChecked == false)
    #expect(undone.body.contains("<strong>Undone</strong>") && undone.body.contains(">Redo</button>"))
    // The same form once more would undo the change before.
    #expect(try await fixture.post("/undo", ["change": change], visitor).status == 409)
    #expect(try fixture.item(1)?.isChecked == false)
    let again = try #require(undone.body.firstMatch(of: #/action="\/redo">(.*?)<\/form>/#.dotMatchesNewlines()))
    let redo = try #require(PageFixture.fields(in: String(again.1))["change"])
    let redone = try await fixture.submit("/redo", ["change": redo, "back": back], visitor)
    #expect(try fixture.item(1)?.isChecked == true && redone.body.contains("<strong>Redone</strong>"))
    #expect(try await fixture.post("/redo", ["change": redo], visitor).status == 409)
  }

  @Test("undo takes back a visitor's changes one by one")
  func steps() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk", "Bread"])
    let visitor = try fixture.visitor()
    for id in 1...2 { _ = try await fixture.submit("/items/\(id)/check", [:], visitor) }
    for open in 1...2 {
      _ = try await fixture.submit("/undo", [:], visitor)
      #expect(try (1...2).count { try fixture.item($0)?.isChecked == false } == open)
    }
  }

  @Test("undo takes back one's own last change, whatever others changed since")
  func others() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk", "Bread"])
    let (anna, ben) = (try fixture.visitor(person: "anna"), try fixture.visitor(person: "ben"))
    #expect(try await fixture.post("/undo", [:], anna).status == 404)
    let checked = try await fixture.post("/items/1/check", ["back": "/lists/1"], anna)
    let place = try #require(checked["location"].first)
    _ = try await fixture.submit("/items/2/check", [:], ben)
    let page = try await fixture.server.get(place, anna).body
    #expect(page.contains("action=\"/undo\""))
    // A person is the same in another session.
    _ = try await fixture.submit("/undo", [:], try fixture.visitor(person: "anna"))
    #expect(try fixture.item(1)?.isChecked == false && fixture.item(2)?.isChecked == true)
    let refused = try await fixture.post("/undo", [:], anna)
    #expect(refused.status == 404 && refused.body.contains("There is no change of yours to undo"))
    let late = try await fixture.server.get(place, anna).body
    #expect(late.contains("can no longer be undone here") && !late.contains("action=\"/undo\""))
  }

  @Test("a line without a time is kept at once, one with a time once it was shown")
  func line() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Bread"])
    let visitor = try fixture.visitor()
    let plain = try await fixture.submit("/lists/1/items", ["line": "Milk & <honey>"], visitor)
    #expect(plain.body.contains(">Milk &amp; &lt;honey&gt;</a>"))
    #expect(try fixture.item(2)?.text == "Milk & <honey>")

    let shown = try await fixture.submit("/lists/1/items", ["line": "Buy milk tomorrow 9am"], visitor)
    #expect(try fixture.item(3) == nil)
    #expect(shown.body.contains("<strong>Sun 22 Nov 2026 09:00 CET, in 1 day</strong>"), "\(shown.body)")
    let form = try #require(shown.body.firstMatch(of: #/<form class="item".*?<\/form>/#.dotMatchesNewlines()))
    var fields = PageFixture.fields(in: String(form.0))
    #expect(fields["text"] == "Buy milk" && fields["date"] == "2026-11-22" && fields["time"] == "09:00")
    fields["line"] = nil
    let body = fields.map { "\($0)=\(FormFields.encoded($1))" }.joined(separator: "&")
    let kept = try await fixture.server.post("/lists/1/items", visitor, body: body)
    #expect(kept.status == 303 && kept.place == "/lists/1?done=added&item=3")
    let item = try #require(try fixture.item(3))
    #expect(item.text == "Buy milk" && item.due?.local.description == "2026-11-22T09:00" && item.shouldRemind)

    _ = try await fixture.submit("/lists/1/items", ["line": "Bread today 18:00", "seen": "yes"], visitor)
    #expect(try fixture.item(4)?.text == "Bread")
    let unclear = try await fixture.submit("/lists/1/items", ["line": "Party 5/12"], visitor)
    #expect(try fixture.item(5) == nil)
    #expect(unclear.body.contains("could mean 5 December or 12 May"), "\(unclear.body)")
    let refused = try await fixture.post("/lists/1/items", ["line": "a\nb"], visitor)
    #expect(refused.status == 422 && refused.body.contains("id=\"e-line\""))
  }

  @Test("a line can name a list that its writer sees, and a repeat")
  func marks() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Bread"])
    try fixture.add(["Paint"], to: "Home")
    let visitor = try fixture.visitor()
    let shown = try await fixture.submit("/lists/1/items", ["line": "Bins every tuesday 7am #home"], visitor)
    let form = try #require(shown.body.firstMatch(of: #/<form class="item".*?<\/form>/#.dotMatchesNewlines()))
    let fields = PageFixture.fields(in: String(form.0))
    #expect(fields["text"] == "Bins" && fields["repeat"] == "every week on tuesday" && fields["time"] == "07:00")
    let kept = try await fixture.submit(
      "/lists/1/items", ["line": "Bins every tuesday 7am #home", "seen": "yes"], visitor)
    let notice = "It rings Tue 24 Nov 2026 07:00 CET, in 2 days, then every week on tuesday."
    #expect(kept.body.contains(notice), "\(kept.body)")
    let item = try #require(try fixture.item(3))
    #expect(item.listID == 2 && item.text == "Bins" && item.due?.local.description == "2026-11-24T07:00")
    #expect(item.recurrence.map { "\($0.rule)" } == "FREQ=WEEKLY;BYDAY=TU")
  }

  @Test("a form with errors keeps what was typed, with each error beside its field")
  func errors() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Bread"])
    let visitor = try fixture.visitor()
    let reply = try await fixture.post(
      "/lists/1/items",
      ["text": "A <b>", "list": "Groceries", "due": "someday", "time_zone": "Europe/Zurick", "nag": "x"], visitor)
    #expect(reply.status == 422)
    #expect(try fixture.item(2) == nil)
    for field in ["due", "time_zone", "nag"] { #expect(reply.body.contains("id=\"e-\(field)\""), "\(field)") }
    for value in ["A &lt;b&gt;", "someday", "Europe/Zurick"] { #expect(reply.body.contains("value=\"\(value)\"")) }
    #expect(reply.body.contains("Europe/Zurich"))
  }

  @Test("items move up and down, to the top and to the end, on the visitor's lists alone")
  func moves() async throws {
    let fixture = try PageFixture()
    try fixture.add(["A", "B", "C"])
    try fixture.add(["Secret"], to: "Diary")
    let visitor = try fixture.visitor(lists: ["Groceries"])
    let body = try await fixture.server.get("/lists/1", visitor).body
    #expect(body.contains("formaction=\"/items/2/move\" name=\"before\" value=\"1\">Up</button>"))
    #expect(body.contains("formaction=\"/items/2/move\" name=\"after\" value=\"3\">Down</button>"))
    let moved = try await fixture.post("/items/3/move", ["before": "1", "back": "/lists/1"], visitor)
    #expect(moved.place == "/lists/1?done=moved&item=3#i3")
    _ = try await fixture.post("/items/1/move", ["end": "1"], visitor)
    let after = try await fixture.server.get("/lists/1", visitor).body
    #expect(after.matches(of: #/class="brief" id="t\d+" href="[^"]*">(\w)</#).map { String($0.1) } == ["C", "B", "A"])
    for place in ["before", "after"] {
      #expect(try await fixture.post("/items/1/move", [place: "4"], visitor).status == 404)
    }
    #expect(try await fixture.post("/items/4/move", ["end": "1"], visitor).status == 404)
    #expect(try await fixture.post("/items/1/move", [:], visitor).status == 400)
  }

  @Test("several items are checked, snoozed, postponed, moved or deleted at once, which one undo takes back")
  func several() async throws {
    let fixture = try PageFixture()
    try fixture.add(["A", "B", "C"], due: "2026-11-21T09:30")
    try fixture.add(["Letter"], to: "Home")
    fixture.server.time.advance(by: 1_800)
    try fixture.server.belfry.ring()
    let visitor = try fixture.visitor()
    let page = try await fixture.server.get("/lists/1?choose=several", visitor).body
    #expect(page.matches(of: /name="row" id="c\d" value="\d"/).count == 3 && !page.contains("class=\"more\""))
    #expect(page.contains("<option value=\"2\" dir=\"auto\">Home</option>"))
    let several = "/items/several"
    let both: (String) -> String = { "row=1&row=2&\($0)&back=/lists/1" }
    func post(_ step: String) async throws -> String? {
      try await fixture.server.post(several, visitor, body: both(step)).place
    }
    #expect(try await post("do=tomorrow") == "/lists/1?done=postponed&item=1&many=2")
    #expect(try fixture.item(2)?.due?.local.description == "2026-11-22T09:30")
    let told = try await fixture.server.get("/lists/1?done=postponed&item=1&many=2", visitor).body
    #expect(told.contains("<strong>Postponed</strong>: <bdi class=\"brief\">2 items</bdi>."), "\(told)")
    _ = try await fixture.submit("/undo", [:], visitor)
    #expect(try fixture.item(1)?.due?.local.description == "2026-11-21T09:30")
    #expect(try await post("do=snooze") == "/lists/1?done=snoozed&item=1&many=2")
    _ = try await fixture.submit("/undo", [:], visitor)
    #expect(try await post("do=move&list=2") == "/lists/1?done=moved&item=1&many=2")
    #expect(try fixture.item(1)?.listID == 2 && fixture.item(2)?.listID == 2 && fixture.item(3)?.listID == 1)
    let moved = try await fixture.server.get("/lists/1?done=moved&item=1&many=2", visitor).body
    #expect(moved.contains(">Home</a></strong>: <bdi class=\"brief\">2 items</bdi>."), "\(moved)")
    #expect(try await post("do=check") == "/lists/1?done=checked&item=1&many=2")
    #expect(try fixture.item(1)?.isChecked == true && fixture.item(2)?.isChecked == true)
    #expect(try await post("do=delete") == "/lists/1?done=deleted&item=1&many=2")
    #expect(try fixture.item(1) == nil && fixture.item(3) != nil)
    #expect(try await fixture.post(several, ["row": "3", "do": "jump"], visitor).status == 400)
    // What has not rung is left as it is where the others are snoozed.
    let snoozed = try await fixture.server.post(several, visitor, body: "row=3&row=4&do=snooze&back=/lists/1")
    #expect(snoozed.place == "/lists/1?done=snoozed&item=3&skipped=4")
    let silent = try await fixture.post(several, ["row": "4", "do": "snooze"], visitor)
    #expect(silent.status == 409 && silent.body.contains("None of these items has rung yet."))
    // One that was deleted elsewhere is left out.
    let left = try await fixture.server.post(several, visitor, body: "row=1&row=4&do=check&back=/lists/1")
    #expect(try left.place == "/lists/1?done=checked&item=4" && fixture.item(4)?.isChecked == true)
    #expect(try await fixture.post(several, ["row": "1", "do": "check"], visitor).status == 404)
    let some = try fixture.visitor(lists: ["Groceries"])
    let foreign: [KeyValuePairs<String, String>] = [
      ["row": "4", "do": "check"], ["row": "3", "do": "move", "list": "2"],
    ]
    for fields in foreign {
      #expect(try await fixture.post(several, fields, some).status == 404)
    }
  }

  @Test("a long list comes in pages")
  func pages() async throws {
    let fixture = try PageFixture()
    try fixture.add((1...450).map { "Item \($0)" })
    let visitor = try fixture.visitor()
    let counts = try await [1, 2, 3, 4].asyncMap { page in
      try await fixture.server.get("/lists/1?page=\(page)", visitor).body.matches(of: /<li id="i/).count
    }
    #expect(counts == [200, 200, 50, 0])
    let second = try await fixture.server.get("/lists/1?page=2", visitor).body
    #expect(second.contains("href=\"/lists/1\" rel=\"prev\""))
    #expect(second.contains("href=\"/lists/1?page=3\" rel=\"next\""))
  }

  @Test("its own reminder: when it rings, once it rang, and where nothing is open", arguments: ["", "every day"])
  func bell(rule: String) async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    _ = try await fixture.submit("/lists/1/reminder", ["due": "9:11", "repeat": rule], visitor)
    let (page, settings) = ("/lists/1", "/lists/1/settings")
    #expect(try await fixture.server.get(page, visitor).body.contains("the list rings today 09:11"))
    fixture.server.time.advance(by: 660)
    #expect(
      try await fixture.server.get(page, visitor).body
        .contains("the list was due to ring today 09:11, and will as soon as belfryd runs"))
    try fixture.server.belfry.ring()
    let (after, itself) =
      rule.isEmpty
      ? ("rang today 09:11", "It rang Sat 21 Nov 2026 09:11 CET")
      : ("rings tomorrow 09:11", "It rings Sun 22 Nov 2026 09:11 CET")
    #expect(try await fixture.server.get(page, visitor).body.contains("the list \(after)"))
    #expect(try await fixture.server.get(settings, visitor).body.contains(itself))
    _ = try await fixture.submit("/items/1/check", [:], visitor)
    let nothing = rule.isEmpty ? "the list rang today 09:11" : "the list rings tomorrow 09:11 if anything is open then"
    #expect(try await fixture.server.get(page, visitor).body.contains(nothing))
  }

  @Test("a reminder of its own whose time passed unheard is not said to have rung")
  func passed() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    _ = try await fixture.submit("/items/1/check", [:], visitor)
    _ = try await fixture.submit("/lists/1/reminder", ["due": "9:11"], visitor)
    fixture.server.time.advance(by: 660)
    #expect(try await fixture.server.get("/lists/1", visitor).body.contains("the list did not ring today 09:11"))
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
