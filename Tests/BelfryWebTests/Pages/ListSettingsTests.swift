import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("The settings of a list, as a page")
struct ListSettingsTests {
  @Test("it is renamed, rings, is cleared and deleted, each after a page that asks where that destroys something")
  func settings() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    try fixture.add(["Letter"], to: "Home")
    let visitor = try fixture.visitor()
    let taken = try await fixture.post("/lists/1/edit", ["name": "home"], visitor)
    #expect(taken.status == 422 && taken.body.contains("value=\"home\"") && taken.body.contains("id=\"e-name\""))
    _ = try await fixture.submit("/lists/1/edit", ["name": "Food"], visitor)
    #expect(try fixture.list(1)?.name == "Food")

    let wrong = try await fixture.post("/lists/1/reminder", ["due": "nevermore", "message": "Go <now>"], visitor)
    #expect(wrong.status == 422 && wrong.body.contains("id=\"e-due\"") && wrong.body.contains("Go &lt;now&gt;"))
    let past = try await fixture.submit("/lists/1/reminder", ["due": "yesterday 10:00"], visitor).body
    #expect(past.contains("It does not ring: Fri 20 Nov 2026 10:00 CET is already past."))
    let set = try await fixture.submit("/lists/1/reminder", ["due": "sun 10:00", "repeat": "every week"], visitor).body
    #expect(set.contains("The list&#39;s reminder was set</strong>. It rings Sun 22 Nov 2026 10:00 CET, in 1 day 1 h."))
    #expect(try fixture.list(1)?.reminder?.due.local.description == "2026-11-22T10:00")
    let shown = try await fixture.server.get("/lists/1", visitor).body
    #expect(shown.contains("the list rings tomorrow 10:00, weekly"))
    let settings = try await fixture.server.get("/lists/1/settings", visitor).body
    #expect(settings.contains("It rings Sun 22 Nov 2026 10:00 CET"))
    _ = try await fixture.submit("/lists/1/reminder", ["remove": "yes"], visitor)
    #expect(try fixture.list(1)?.reminder == nil)

    let asked = try await fixture.server.get("/lists/1/clear", visitor)
    #expect(try asked.body.contains("Delete all items of Food?") && fixture.item(1) != nil)
    _ = try await fixture.submit("/lists/1/clear", [:], visitor)
    #expect(try fixture.item(1) == nil && fixture.list(1) != nil)
    _ = try await fixture.submit("/lists/1/delete", [:], visitor)
    #expect(try fixture.list(1) == nil && fixture.list(2) != nil)
  }

  /// The fields of one of the page's forms, as a browser would send them.
  private func fields(_ action: String, in page: String) throws -> [String: String] {
    let form = try #require(
      page.firstMatch(of: try Regex("(?s)<form[^>]*action=\"/lists/1/\(action)\".*?</form>")))
    return PageFixture.fields(in: String(form.0))
  }

  @Test("two people who change it at once undo nothing of each other, and are told of what both changed")
  func together() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    func save(_ action: String, _ changes: [String: String], from shown: [String: String]) async throws -> Reply {
      let all = shown.merging(changes) { $1 }
      let body = all.map { "\($0)=\(FormFields.encoded($1))" }.joined(separator: "&")
      return try await fixture.server.post("/lists/1/\(action)", visitor, body: body)
    }
    let page = try await fixture.server.get("/lists/1/settings", visitor).body
    let shown = try fields("edit", in: page)
    #expect(try await save("edit", ["color": "#30a46c"], from: shown).status == 303)
    #expect(try await save("edit", ["icon": "\u{1F3E0}"], from: shown).status == 303)
    #expect(try fixture.list(1)?.color?.hex == "#30a46c" && fixture.list(1)?.icon?.text == "\u{1F3E0}")
    #expect(try await save("edit", ["name": "Food"], from: shown).status == 303)
    let both = try await save("edit", ["name": "Shop"], from: shown)
    #expect(try both.status == 409 && fixture.list(1)?.name == "Food", "\(both)")
    let again = try fields("edit", in: both.body)
    #expect(both.body.contains("changed meanwhile") && again["name"] == "Shop" && again["color"] == "#30a46c")
    #expect(try await save("edit", [:], from: again).status == 303)
    #expect(try fixture.list(1)?.name == "Shop" && fixture.list(1)?.color?.hex == "#30a46c")

    let bell = try fields("reminder", in: page)
    #expect(try await save("reminder", ["due": "sun 10:00", "message": "Buy"], from: bell).status == 303)
    let rung = try fields("reminder", in: try await fixture.server.get("/lists/1/settings", visitor).body)
    #expect(try await save("reminder", ["message": "Eat"], from: rung).status == 303)
    #expect(try await save("reminder", ["time": "11:00"], from: rung).status == 303)
    #expect(try fixture.list(1)?.reminder?.message == "Eat")
    #expect(try fixture.list(1)?.reminder?.due.local.description == "2026-11-22T11:00")
    let taken = try await save("reminder", ["message": "Drink"], from: rung)
    #expect(try taken.status == 409 && fixture.list(1)?.reminder?.message == "Eat", "\(taken)")
  }

  @Test("it has a colour and an icon, and a place among the lists")
  func look() async throws {
    let fixture = try PageFixture()
    for name in ["Groceries", "Home", "Work"] { try fixture.add(["One"], to: name) }
    let visitor = try fixture.visitor()
    let look: KeyValuePairs = ["name": "Home", "color": "#30a46c", "icon": "\u{1F3E0}"]
    let page = try await fixture.submit("/lists/2/edit", look, visitor).body
    #expect(page.contains(">\u{1F3E0}</text>") && page.contains("fill=\"#30a46c\""))
    let settings = try await fixture.server.get("/lists/2/settings", visitor).body
    #expect(settings.contains("value=\"#30a46c\" checked") && settings.contains("value=\"\u{1F3E0}\""))
    for (field, value) in [("color", "mud"), ("icon", "ab")] {
      let refused = try await fixture.post("/lists/2/edit", ["name": "Home", "\(field)": value], visitor)
      #expect(refused.status == 422 && refused.body.contains("class=\"error\""), "\(field)")
    }
    _ = try await fixture.submit("/lists/2/edit", ["name": "Home", "color": "", "icon": ""], visitor)
    #expect(try fixture.list(2)?.color == nil && fixture.list(2)?.icon == nil)

    let moved = try await fixture.submit("/lists/3/move", ["before": "1"], visitor).body
    let names = moved.matches(of: #/class="brief" id="t(\d)"/#).map { String($0.1) }
    #expect(names == ["3", "1", "2"] && moved.contains("Moved"))
    #expect(try await fixture.post("/lists/3/move", ["after": "9"], visitor).status == 404)
    #expect(try await fixture.post("/lists/3/move", [:], visitor).status == 400)
  }
}
