import Foundation
@testable import BelfryEngine
@testable import BelfryModel

/// Fixtures for tests of imports.
extension EngineFixture {
  func imported(
    _ text: String, id: Int64? = nil, uuid: UUID? = nil, notes: String = "", isChecked: Bool = false,
    due: String? = nil, shouldRemind: Bool = false
  ) throws -> ImportedItem {
    ImportedItem(
      itemID: id, uuid: uuid, text: text, notes: notes, isChecked: isChecked,
      due: try due.map { .instant(try instant($0)) },
      shouldRemind: shouldRemind, place: "item '\(text)'")
  }

  /// The entries of an imported list.
  func importedList(_ name: String, _ items: [ImportedItem]) -> [ImportEntry] {
    [.list(ImportedList(name: name))] + items.map { .item($0, list: name) }
  }

  @discardableResult
  func take(
    _ lists: [[ImportEntry]], onto target: ListChoice? = nil, isDryRun: Bool = false, isStrict: Bool = false,
    refused: ([ImportRefusal]) -> Void = { _ in }
  ) throws -> ImportReport {
    var source = ImportedEntries(lists.flatMap { $0 })
    var refusals: [ImportRefusal] = []
    let report = try belfry.take(&source, onto: target, isDryRun: isDryRun, isStrict: isStrict) { event in
      if case .refused(let refusal) = event { refusals.append(refusal) }
    }
    refused(refusals)
    return report
  }

  /// Every item as `1 Milk (Groceries)`, by number.
  var kept: [String] {
    get throws {
      let listings = try store.read { view in
        var listings: [ItemListing] = []
        try view.forEachItem(ItemQuery(checked: .any)) { listings.append($0) }
        return listings
      }
      return listings.sorted { $0.item.id < $1.item.id }.map { "\($0.item.id) \($0.item.text) (\($0.listName))" }
    }
  }
}
