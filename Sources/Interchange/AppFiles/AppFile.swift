import CivilTime
import FoundationEssentials
import PropertyLists

/// The reader of the property lists of checklist apps.
package enum AppFile {
  /// The format of a file by its content; nil when it is unknown or the file damaged, which `read` reports.
  package static func detect(_ data: Data) -> ImportFormat? {
    (try? PropertyList(parsing: data, allowsControlCharacters: true)).flatMap(format(of:))
  }

  /// The content of a file, in time and memory proportional to its size.
  ///
  /// - Parameters:
  ///   - format: the format that the file must have; nil to detect it from the content.
  ///   - defaultListName: the list for items without a list.
  /// - Throws: `ImportError` when the file as a whole cannot be read.
  package static func read(
    _ data: Data, format: ImportFormat?, defaultListName: String
  ) throws(ImportError) -> AppFileContent {
    let content = try propertyList(in: data)
    guard let format = format ?? Self.format(of: content) else {
      throw ImportError(
        message: """
          holds \(summary(of: content)), which is neither a Checklists file nor a shopping list nor a todoItems dictionary; \
          add --format to see what is missing
          """)
    }
    switch format {
    case .checklists: return try ChecklistsImport.read(content, defaultListName: defaultListName)
    case .shoppingList: return try ShoppingListImport.read(content, listName: defaultListName)
    default: return try TodoItemsImport.read(content, listName: defaultListName)
    }
  }

  private static func format(of content: PropertyList) -> ImportFormat? {
    if ChecklistsImport.isRecognised(content) { return .checklists }
    if TodoItemsImport.isRecognised(content) { return .todoItems }
    return ShoppingListImport.isRecognised(content) ? .shoppingList : nil
  }

  private static func propertyList(in data: Data) throws(ImportError) -> PropertyList {
    do {
      return try PropertyList(parsing: data, allowsControlCharacters: true)
    } catch {
      let place = error.position.map { "line \($0.line), column \($0.column)" } ?? "byte \(error.offset)"
      throw ImportError(message: "\(place): \(error.message). Copy the file from the app or a backup again")
    }
  }

  /// A short description of a property list, for messages.
  static func summary(of content: PropertyList) -> String {
    switch content {
    case .dictionary(let dictionary):
      dictionary.entries.isEmpty
        ? "an empty dictionary"
        : "a dictionary with \(list(of: dictionary.keys))"
    case .array(let elements): elements.first.map { "an array that starts with \($0.kind)" } ?? "an empty array"
    default: content.kind
    }
  }

  /// A few names, quoted, for messages.
  static func list(of names: [String]) -> String {
    let shown = names.prefix(5).map { inQuotes($0) }.joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }
}
