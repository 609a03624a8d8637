import BelfryModel
import CivilTime
import FoundationEssentials
import PropertyLists

/// The import of a `todoItems` dictionary: UUID to title, deadline and the same UUID again.
enum TodoItemsImport {
  private static let defaultsKey = "todoItems"

  /// True if a property list is an app's defaults with such a dictionary, or looks like the dictionary itself.
  static func isRecognised(_ content: PropertyList) -> Bool {
    guard let dictionary = content.dictionaryValue else { return false }
    return dictionary[defaultsKey] != nil
      || dictionary.entries.contains { UUID(uuidString: $0.key) != nil && $0.value.dictionaryValue?["title"] != nil }
  }

  /// The items, by deadline as the app showed them; items without one are last.
  static func read(_ content: PropertyList, listName: String) throws(ImportError) -> AppFileContent {
    guard let dictionary = content.dictionaryValue else {
      throw ImportError(
        message: "is not a todoItems dictionary: expected a dictionary, found \(AppFile.summary(of: content))")
    }
    let entries: PropertyListDictionary
    switch dictionary[defaultsKey] {
    case nil: entries = dictionary
    case .dictionary(let inner): entries = inner
    case let other?: throw ImportError(message: "has todoItems, but as \(other.kind), not a dictionary")
    }
    var document = AppFileContent(format: .todoItems)
    var items: [(deadline: Double, item: ImportedItem)] = []
    for entry in entries.entries {
      let place = "item \(inQuotes(entry.key))"
      do {
        items.append(try item(entry, place: place))
      } catch {
        document.refused.append(ImportRefusal(place: place, reason: error.reason))
      }
    }
    items.sort { $0.deadline < $1.deadline }
    if !items.isEmpty { document.lists = [AppFileContent.List(name: listName, items: items.map(\.item))] }
    return document
  }

  private static func item(
    _ entry: PropertyListDictionary.Entry, place: String
  ) throws(EntryFault) -> (deadline: Double, item: ImportedItem) {
    guard let uuid = UUID(uuidString: entry.key) else { throw EntryFault(reason: "its key is not a UUID") }
    let graph = PlainGraph()
    let fields = Fields(raw: try graph.fields(of: entry.value, ofClass: "TodoItem"), graph: graph)
    if fields.raw["UUID"] != nil, UUID(uuidString: try fields.text("UUID")) != uuid {
      throw EntryFault(reason: "its UUID differs from its key")
    }
    let parts = try ItemText(try fields.text("title"), field: "title")
    let due = try fields.date("deadline")
    let item = ImportedItem(
      parts.content(reminds: due != nil), uuid: uuid, due: due.map(ImportedDue.instant), place: place)
    return (due?.timeIntervalSince1970 ?? .infinity, item)
  }
}
