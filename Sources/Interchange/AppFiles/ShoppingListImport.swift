import BelfryModel
import PropertyLists

/// The import of a shopping list: a property-list array of texts, each an item.
enum ShoppingListImport {
  static func isRecognised(_ content: PropertyList) -> Bool {
    content.arrayValue?.contains { $0.stringValue != nil } ?? false
  }

  static func read(_ content: PropertyList, listName: String) throws(ImportError) -> AppFileContent {
    guard let elements = content.arrayValue else {
      throw ImportError(
        message: "is not a shopping list: expected an array of texts, found \(AppFile.summary(of: content))")
    }
    var document = AppFileContent(format: .shoppingList)
    var list = AppFileContent.List(name: listName)
    for (position, element) in elements.enumerated() {
      let place = "item \(position + 1)"
      do {
        list.items.append(try item(element, place: place))
      } catch {
        document.refused.append(ImportRefusal(place: place, reason: error.reason))
      }
    }
    if !list.items.isEmpty { document.lists = [list] }
    return document
  }

  private static func item(_ element: PropertyList, place: String) throws(EntryFault) -> ImportedItem {
    guard let text = element.stringValue else { throw EntryFault(reason: "it is \(element.kind), not text") }
    let parts = try ItemText(text, field: "text")
    return ImportedItem(parts.content(reminds: false), place: place)
  }
}
