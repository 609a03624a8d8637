import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Testing
import TestSupport
import VdirStore

/// todoman (`todo`) over the same folder.
@Suite("A folder of calendars shared with todoman")
struct TodomanTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry()
    let config = """
      path = "\(place.root)/*"
      cache_path = "\(place.folder.path)/cache.sqlite3"
      date_format = "%Y-%m-%d"
      time_format = "%H:%M"
      default_list = "home"
      """
    try config.write(toFile: place.folder.file("config.py"), atomically: false, encoding: .utf8)
  }

  @discardableResult
  private func todo(_ arguments: String...) throws -> Data {
    try Program.output(["todo", "--config", place.folder.file("config.py")] + arguments, environment: ["TZ": "UTC"])
  }

  private func shown() throws -> [[String: Any]] {
    try JSONSerialization.jsonObject(with: todo("--porcelain", "list", "--status", "ANY")) as? [[String: Any]] ?? []
  }

  @Test("both add, change and check the same to-dos, and agree")
  func bothChange() throws {
    try todo("new", "--due", "2026-11-21 09:00", "--priority", "high", "Milk")
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().map(\.fireDate) } == [Sample.fireDate(60)])
    _ = try belfry.add([ItemDraft(text: "Bread, \u{1F35E}", notes: "two\nlines")], to: ListChoice("home"))
    #expect(try Set(shown().compactMap { $0["summary"] as? String }) == ["Milk", "Bread, \u{1F35E}"])
    let number = try #require(shown().first { $0["summary"] as? String == "Bread, \u{1F35E}" }?["id"] as? Int)
    try todo("done", "\(number)")
    #expect(try belfry.store.items().first { $0.text.hasPrefix("Bread") }?.isChecked == true)
    let milk = try #require(belfry.store.items().first { $0.text == "Milk" })
    _ = try belfry.setChecked(true, [milk.id])
    #expect(try shown().allSatisfy { $0["completed"] as? Bool == true })
    let priority = try shown().first { $0["summary"] as? String == "Milk" }?["priority"] as? Int
    // The word 'high' as todoman writes it.
    #expect(priority == 4)
    #expect(try belfry.store.read { try $0.pending().isEmpty })
    #expect(try belfry.store.damage().isEmpty)
  }
}
