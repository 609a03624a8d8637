import BelfryEngine
import BelfryModel
import Foundation
import Testing

@testable import Interchange

@Suite("Exports read back equal")
struct RoundTripTests {
  /// The compared values: items without the fields that the format does not have.
  private func shown(_ belfry: Belfry, _ change: (inout Item) -> Void = { _ in }) throws -> [String: Item] {
    var items: [String: Item] = [:]
    for listing in try Contents.listings(belfry) {
      // Places are kept as an order, not as numbers.
      var item = listing.item
      item.position = 0
      item.listID = 0
      change(&item)
      items["\(listing.listName) \(item.uuid)"] = item
    }
    return items
  }

  @Test(
    "JSON and property lists keep everything of lists and items, numbers and order included",
    arguments: 1...8 as ClosedRange<UInt64>, [ExportFormat.belfry, .propertyList])
  func everything(seed: UInt64, format: ExportFormat) throws {
    var random = RandomItems(seed: seed)
    let belfry = try random.belfry(items: 120)
    let text = try Contents.exported(belfry, as: format)
    let (again, refused) = try Contents.imported(text, nil)
    #expect(refused == [])
    #expect(try shown(again) == shown(belfry))
    #expect(try Contents.listings(again).map(\.item.id) == Contents.listings(belfry).map(\.item.id))
    let lists = { (belfry: Belfry) in try belfry.read { try $0.view.lists() } }
    #expect(try lists(again) == lists(belfry))
    // A second export is the same, except for positions, which are renumbered.
    let named = try Contents.imported(text, ImportFormat(rawValue: format.rawValue)).belfry
    #expect(try Contents.exported(named, as: format).count > 0)
  }

  @Test(
    "todo.txt keeps all but times of record, numbers and the occurrence checked last",
    arguments: 1...12 as ClosedRange<UInt64>)
  func todoTxt(seed: UInt64) throws {
    var random = RandomItems(seed: seed)
    let belfry = try random.belfry(items: 120)
    let text = try Contents.exported(belfry, as: .todoTxt)
    #expect(text.split(separator: "\n").count == 120)
    let (again, refused) = try Contents.imported(text, .todoTxt)
    #expect(refused == [])
    let (old, new) = (try shown(belfry, asTodoTxt), try shown(again, asTodoTxt))
    #expect(old.count == 120 && Set(old.keys) == Set(new.keys))
    for (key, item) in old { #expect(new[key] == item, "\(key)") }
    #expect(try Contents.exported(again, as: .todoTxt).sorted() == text.sorted())
  }

  private func asTodoTxt(_ item: inout Item) {
    let zone = Contents.planner.floatingZone
    let day = { (date: Date) in zone.start(of: zone.wallTime(at: date).date) }
    item = Item(
      id: 0, uuid: item.uuid, listID: 0, position: 0, text: item.text, notes: item.notes, isChecked: item.isChecked,
      due: item.due, zone: item.zone, shouldRemind: item.shouldRemind, alerts: item.alerts, recurrence: item.recurrence,
      nag: item.nag, category: item.category, key: item.key, tags: item.tags,
      priority: item.priority,
      properties: item.properties.map { distance($0, item.due) }.sorted(),
      createdAt: day(item.createdAt), updatedAt: Date(timeIntervalSince1970: 0),
      checkedAt: item.isChecked ? item.checkedAt.map(day) : nil)
  }

  @Test(
    "CSV keeps all of items but snoozes, the occurrence checked last and the number of a priority",
    arguments: 1...8 as ClosedRange<UInt64>)
  func table(seed: UInt64) throws {
    var random = RandomItems(seed: seed)
    let belfry = try random.belfry(items: 120)
    let text = try Contents.exported(belfry, as: .table)
    let (again, refused) = try Contents.imported(text, nil)
    #expect(refused == [])
    let expected = try shown(belfry) { item in
      item.lastChecked = nil
      item.priority = item.priority.map { ItemPriority($0.level) }
    }
    #expect(expected.count == 120)
    #expect(try shown(again) == expected)
  }

  // A threshold beside a due date is kept as its distance.
  private func distance(_ line: String, _ due: DueDate?) -> String {
    guard case .day(let day)? = TodoTxtThreshold(line: line) else { return line }
    return TodoTxtThreshold(day, due: due?.local).line
  }

  @Test("a second import of an export adds nothing", arguments: [ExportFormat.belfry, .propertyList, .todoTxt, .table])
  func twice(format: ExportFormat) throws {
    var random = RandomItems(seed: 99)
    let belfry = try random.belfry(items: 60)
    let text = try Contents.exported(belfry, as: format)
    var source = try Importer.open(ByteSource(text.utf8), format: nil, context: Contents.context)
    let report = try belfry.take(&source)
    #expect(report.added == [] && report.knownCount == 60 && report.newLists == [])
  }

  @Test("items come out list by list in list order, wherever their numbers put them")
  func order() throws {
    let belfry = Contents.belfry()
    _ = try belfry.add([ItemDraft(text: "a"), ItemDraft(text: "b")], to: ListChoice("One", createsMissing: true))
    _ = try belfry.add([ItemDraft(text: "c")], to: ListChoice("Two", createsMissing: true))
    var edit = ItemEdit()
    edit.list = ListChoice("Two")
    _ = try belfry.edit(1, edit)
    #expect(try Contents.entries(Contents.exported(belfry, as: .belfry)).items.map(\.text) == ["b", "c", "a"])
  }
}
