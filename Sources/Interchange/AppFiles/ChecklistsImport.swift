import BelfryModel
import CivilTime
import FoundationEssentials
import PropertyLists

/// The import of `Checklists.plist`: lists of items, or, in the apps' first versions, items without lists.
struct ChecklistsImport {
  /// The names of the fields in one form of the file.
  private struct Names {
    let name: String
    let items: String
    let text: String
    let checked: String
    let dueDate: String
    let shouldRemind: String
    let itemID: String

    /// The names in keyed archives.
    static let archive = Names(
      name: "Name", items: "Items", text: "Text", checked: "Checked", dueDate: "DueDate", shouldRemind: "ShouldRemind",
      itemID: "ItemID")
    /// The names in property lists of the Codable editions.
    static let codable = Names(
      name: "name", items: "items", text: "text", checked: "checked", dueDate: "dueDate", shouldRemind: "shouldRemind",
      itemID: "itemID")
  }

  private let graph: any ObjectGraph
  private let names: Names
  private var document = AppFileContent(format: .checklists)
  /// The objects of an archive that were read. Each is imported once, which also bounds the time.
  private var read: Set<UInt64> = []

  /// True if a property list may be in one of the two forms. Any archive counts, so that the error is about the
  /// archive.
  static func isRecognised(_ content: PropertyList) -> Bool {
    if KeyedArchive.isRecognised(content) { return true }
    guard let elements = content.arrayValue else { return false }
    return elements.isEmpty || elements.contains { isCodableList($0) || $0.dictionaryValue?[Names.codable.text] != nil }
  }

  /// The lists in either form of the file.
  static func read(_ content: PropertyList, defaultListName: String) throws(ImportError) -> AppFileContent {
    if KeyedArchive.isRecognised(content) { return try read(KeyedArchive(content), defaultListName: defaultListName) }
    guard let elements = content.arrayValue else {
      throw ImportError(
        message: "is not a Checklists file: expected an archive or an array, found \(AppFile.summary(of: content))")
    }
    var reading = ChecklistsImport(graph: PlainGraph(), names: .codable)
    if elements.isEmpty || elements.contains(where: isCodableList) {
      reading.addLists(elements)
    } else {
      reading.addLooseItems(elements, onto: defaultListName)
    }
    return reading.document
  }

  private static func read(_ archive: KeyedArchive, defaultListName: String) throws(ImportError) -> AppFileContent {
    let lists = archive.roots["Checklists"]
    guard let root = lists ?? archive.roots["ChecklistItems"] else {
      let found = archive.roots.entries.isEmpty ? "nothing" : AppFile.list(of: archive.roots.keys)
      throw ImportError(
        message:
          "is an archive, but not of a Checklists app: expected Checklists or ChecklistItems in $top, found \(found)")
    }
    let elements: [PropertyList]
    do {
      elements = try archive.elements(of: root)
    } catch {
      throw ImportError(message: "is a damaged Checklists archive, its root cannot be read: \(error.reason)")
    }
    var reading = ChecklistsImport(graph: archive, names: .archive)
    if lists != nil {
      reading.addLists(elements)
    } else {
      reading.addLooseItems(elements, onto: defaultListName)
    }
    return reading.document
  }

  private static func isCodableList(_ element: PropertyList) -> Bool {
    let fields = element.dictionaryValue
    return fields?[Names.codable.items] != nil || fields?[Names.codable.name] != nil
  }

  private init(graph: any ObjectGraph, names: Names) {
    self.graph = graph
    self.names = names
  }

  private mutating func addLists(_ elements: [PropertyList]) {
    for (position, element) in elements.enumerated() {
      do {
        try addList(element)
      } catch {
        document.refused.append(ImportRefusal(place: "list \(position + 1)", reason: error.reason))
      }
    }
  }

  private mutating func addList(_ raw: PropertyList) throws(EntryFault) {
    try markRead(raw)
    let fields = Fields(raw: try graph.fields(of: raw, ofClass: "Checklist"), graph: graph)
    let name = try ItemText.singleLine(try fields.text(names.name), field: names.name)
    guard let rawItems = fields.raw[names.items] else {
      throw EntryFault(reason: "\(inQuotes(name)) has no \(names.items)")
    }
    let elements: [PropertyList]
    do {
      elements = try graph.elements(of: rawItems)
      // In Cocoa all empty arrays are the same object.
      if !elements.isEmpty { try markRead(rawItems) }
    } catch {
      throw EntryFault(reason: "the \(names.items) of \(inQuotes(name)): \(error.reason)")
    }
    document.lists.append(AppFileContent.List(name: name, items: items(elements, onListNamed: name)))
  }

  private mutating func addLooseItems(_ elements: [PropertyList], onto listName: String) {
    let items = items(elements, onListNamed: listName)
    if !items.isEmpty { document.lists.append(AppFileContent.List(name: listName, items: items)) }
  }

  private mutating func items(_ elements: [PropertyList], onListNamed listName: String) -> [ImportedItem] {
    let list = "list \(inQuotes(listName)), item "
    var items: [ImportedItem] = []
    items.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      let place = list + String(position + 1)
      do {
        items.append(try item(element, place: place))
      } catch {
        document.refused.append(ImportRefusal(place: place, reason: error.reason))
      }
    }
    return items
  }

  private mutating func item(_ raw: PropertyList, place: String) throws(EntryFault) -> ImportedItem {
    try markRead(raw)
    let fields = Fields(raw: try graph.fields(of: raw, ofClass: "ChecklistItem"), graph: graph)
    let parts = try ItemText(try fields.text(names.text), field: names.text)
    guard let isChecked = try fields.flag(names.checked) else { throw EntryFault(reason: "it has no \(names.checked)") }
    let (itemID, due) = (try fields.number(names.itemID), try fields.date(names.dueDate).map(ImportedDue.instant))
    return ImportedItem(
      parts.content(reminds: try fields.flag(names.shouldRemind) ?? false), itemID: itemID, isChecked: isChecked,
      due: due, place: place)
  }

  private mutating func markRead(_ raw: PropertyList) throws(EntryFault) {
    guard case .uid(let number) = raw, number != 0 else { return }
    guard read.insert(number).inserted else {
      throw EntryFault(reason: "it is a duplicate reference to one object")
    }
  }
}
