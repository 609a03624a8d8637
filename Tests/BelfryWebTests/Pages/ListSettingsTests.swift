import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("The settings of a list, as a page")
struct ListSettingsTests {
  @Test("it is renamed, rings, is cleared and deleted, each after a page that asks where that destroys something")
  func settings() async throws {
    let bench = try PageBench()
    try bench.add(["Milk"])
    try bench.add(["Letter"], to: "Home")
    let visitor = try bench.visitor()
    let taken = try await bench.post("/lists/1/edit", ["name": "home"], visitor)
    #expect(taken.status == 422 && taken.body.contains("value=\"home\"") && taken.body.contains("id=\"e-name\""))
    _ = try await bench.submit("/lists/1/edit", ["name": "Food"], visitor)
    #expect(try bench.list(1)?.name == "Food")

    let wrong = try await bench.post("/lists/1/reminder", ["due": "nevermore", "message": "Go <now>"], visitor)
    #expect(wrong.status == 422 && wrong.body.contains("id=\"e-due\"") && wrong.body.contains("Go &lt;now&gt;"))
    _ = try await bench.submit("/lists/1/reminder", ["due": "sun 10:00", "repeat": "every week"], visitor)
    #expect(try bench.list(1)?.reminder?.due.local.description == "2026-11-22T10:00")
    let shown = try await bench.server.get("/lists/1", visitor).body
    #expect(shown.contains("the list rings tomorrow 10:00, weekly"))
    let settings = try await bench.server.get("/lists/1/settings", visitor).body
    #expect(settings.contains("It rings Sun 22 Nov 2026 10:00 CET"))
    _ = try await bench.submit("/lists/1/reminder", ["remove": "yes"], visitor)
    #expect(try bench.list(1)?.reminder == nil)

    let asked = try await bench.server.get("/lists/1/clear", visitor)
    #expect(try asked.body.contains("Delete all items of Food?") && bench.item(1) != nil)
    _ = try await bench.submit("/lists/1/clear", [:], visitor)
    #expect(try bench.item(1) == nil && bench.list(1) != nil)
    _ = try await bench.submit("/lists/1/delete", [:], visitor)
    #expect(try bench.list(1) == nil && bench.list(2) != nil)
  }

  @Test("it has a colour and an icon, and a place among the lists")
  func look() async throws {
    let bench = try PageBench()
    for name in ["Groceries", "Home", "Work"] { try bench.add(["One"], to: name) }
    let visitor = try bench.visitor()
    let look: KeyValuePairs = ["name": "Home", "color": "#30a46c", "icon": "\u{1F3E0}"]
    let page = try await bench.submit("/lists/2/edit", look, visitor).body
    #expect(page.contains(">\u{1F3E0}</text>") && page.contains("fill=\"#30a46c\""))
    let settings = try await bench.server.get("/lists/2/settings", visitor).body
    #expect(settings.contains("value=\"#30a46c\" checked") && settings.contains("value=\"\u{1F3E0}\""))
    for (field, value) in [("color", "mud"), ("icon", "ab")] {
      let refused = try await bench.post("/lists/2/edit", ["name": "Home", "\(field)": value], visitor)
      #expect(refused.status == 422 && refused.body.contains("class=\"error\""), "\(field)")
    }
    _ = try await bench.submit("/lists/2/edit", ["name": "Home", "color": "", "icon": ""], visitor)
    #expect(try bench.list(2)?.color == nil && bench.list(2)?.icon == nil)

    let moved = try await bench.submit("/lists/3/move", ["before": "1"], visitor).body
    let names = moved.matches(of: #/class="brief" id="t(\d)"/#).map { String($0.1) }
    #expect(names == ["3", "1", "2"] && moved.contains("Moved"))
    #expect(try await bench.post("/lists/3/move", ["after": "9"], visitor).status == 404)
    #expect(try await bench.post("/lists/3/move", [:], visitor).status == 400)
  }
}
