import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

@Suite("The notices of changes")
struct NoticeTests {
  private let fixture: PageFixture
  private let visitor: String

  init() throws {
    fixture = try PageFixture()
    try fixture.add(["Milk", "Bread"])
    visitor = try fixture.visitor()
  }

  @Test("its undo is of the change that the address names, and of no other")
  func named() async throws {
    let first = try await fixture.post("/items/1/check", ["back": "/lists/1"], visitor)
    let place = try #require(first["location"].first)
    #expect(try await fixture.server.get(place, visitor).body.contains("action=\"/undo\""))
    // An address without a name offers nothing.
    let bare = try await fixture.server.get(try #require(first.place), visitor).body
    #expect(bare.contains("<strong>Checked</strong>") && !bare.contains("/undo") && !bare.contains("no longer"))
    _ = try await fixture.submit("/items/2/check", [:], visitor)
    let late = try await fixture.server.get(place, visitor).body
    #expect(late.contains("This can no longer be undone here.") && !late.contains("action=\"/undo\""))
    let mark = try #require(place.firstMatch(of: #/change=([\w-]+)/#)).1
    #expect(try await fixture.post("/undo", ["change": String(mark)], visitor).status == 409)
    #expect(try (1...2).allSatisfy { try fixture.item($0)?.isChecked == true })
  }

  @Test("what changed nothing offers no undo of the change before")
  func nothing() async throws {
    _ = try await fixture.submit("/items/2/check", [:], visitor)
    _ = try fixture.server.belfry.setChecked(true, [1])
    let again = try await fixture.submit("/items/1/check", ["back": "/lists/1"], visitor)
    #expect(again.body.contains("<strong>Checked</strong>") && !again.body.contains("action=\"/undo\""))
    let fields = visitor + "Fragment: status\r\n"
    let part = try await fixture.server.post("/items/1/check", fields, body: "back=/")
    #expect(part.status == 200 && !part.body.contains("/undo"))
  }

  @Test("an undo and a redo name what they changed")
  func steps() async throws {
    let milk = "<bdi class=\"brief\">Milk</bdi>"
    let changes: [(path: String, fields: KeyValuePairs<String, String>, words: String)] = [
      ("/items", ["line": "Rice", "back": "/"], "<bdi class=\"brief\">Rice</bdi> added"),
      ("/items/1/check", [:], "\(milk) checked"),
      ("/items/1/postpone", ["to": "tomorrow"], "\(milk) edited"),
      ("/items/1/move", ["end": "1"], "\(milk) moved"),
      ("/items/1/delete", [:], "\(milk) deleted"),
      ("/items/several", ["row": "1", "row": "2", "do": "check"], "2 items checked"),
      ("/lists", ["name": "Home"], "the list <bdi class=\"brief\">Home</bdi> created"),
      ("/lists/1/clear", [:], "2 items deleted"),
      ("/lists/1/delete", [:], "the list <bdi class=\"brief\">Groceries</bdi> deleted"),
    ]
    for (path, fields, words) in changes {
      #expect(try await fixture.post(path, fields, visitor).status == 303, "\(path)")
      for (step, deed) in [("/undo", "Undone"), ("/redo", "Redone"), ("/undo", "Undone")] {
        let body = try await fixture.submit(step, [:], visitor).body
        let told = body.firstMatch(of: #/<div class="notice"><p>(.*?)</p>/#.dotMatchesNewlines()).map { String($0.1) }
        #expect(told == "<strong>\(deed)</strong>: \(words).", "\(path)")
      }
    }
  }

  @Test("the notice of an undo that can no longer be redone names nothing, so nothing that its visitor may not see")
  func unseen() async throws {
    let some = try fixture.visitor(lists: ["Groceries"])
    try fixture.add(["Letter"], to: "Home")
    _ = try await fixture.submit("/items/1/check", [:], some)
    var edit = ItemEdit()
    (edit.list, edit.text) = (ListChoice("Home"), "Secret")
    let undone = try await fixture.post("/undo", ["back": "/"], some)
    _ = try fixture.server.belfry.edit(1, edit)
    let body = try await fixture.server.get(try #require(undone["location"].first), some).body
    #expect(body.contains("<strong>Undone</strong>.</p>") && !body.contains("Secret"))
  }

  @Test("where some chosen items have not rung, it names those that stay")
  func skipped() async throws {
    try fixture.add(["Bins"], due: "2026-11-21T09:30")
    try fixture.add(["Letter", "Rent", "Rice"])
    fixture.server.time.advance(by: 1_800)
    try fixture.server.belfry.ring()
    let one = try await fixture.submit("/items/several", ["row": "3", "row": "1", "do": "snooze"], visitor).body
    #expect(one.contains("Not snoozed, since it has not rung yet: <bdi class=\"brief\">Milk</bdi>."), "\(one)")
    let rows: KeyValuePairs = [
      "row": "1", "row": "2", "row": "3", "row": "4", "row": "5", "row": "6", "do": "snooze",
    ]
    let all = try await fixture.submit("/items/several", rows, visitor).body
    #expect(
      all.contains("<strong>Snoozed</strong>: <bdi class=\"brief\">Bins</bdi>. It rings Sat 21 Nov 2026 10:30 CET"))
    #expect(all.contains("since they have not rung yet: ") && all.contains("Letter</bdi> and 2 more."), "\(all)")
  }

  @Test("whether items are moved to a later day, to an earlier one, or both")
  func redated() async throws {
    try fixture.add(["Late"], due: "2026-11-20T09:30")
    try fixture.add(["Far"], due: "2027-01-01T09:30")
    let chosen: [(KeyValuePairs<String, String>, String)] = [
      (["row": "3", "do": "tomorrow"], "Postponed"), (["row": "4", "do": "tomorrow"], "Moved earlier"),
      (["row": "3", "row": "4", "do": "tomorrow"], "The due dates were changed"),
      (["row": "1", "row": "3", "do": "tomorrow"], "Postponed"),
    ]
    for (fields, words) in chosen {
      let body = try await fixture.submit("/items/several", fields, visitor).body
      #expect(body.contains("<strong>\(words)</strong>: "), "\(words)")
      _ = try await fixture.submit("/undo", [:], visitor)
    }
  }
}
