import BelfryCore
import Foundation

/// What an app's file holds, as neutral values that the core turns into lists and items.
public struct AppFileContent: Hashable, Sendable {
  /// A list with its items.
  public struct List: Hashable, Sendable {
    /// The name, one line, not blank.
    public var name: String
    /// The items, in order.
    public var items: [ImportedItem]

    /// A list.
    public init(name: String, items: [ImportedItem] = []) {
      self.name = name
      self.items = items
    }
  }

  /// The format that the file turned out to have.
  public var format: AppFileFormat
  /// The lists in the file's order, empty ones included. Two may have the same name, as in the apps.
  public var lists: [List]
  /// The entries that cannot be taken; everything else is in `lists`.
  public var refused: [ImportRefusal]

  /// A content.
  public init(format: AppFileFormat, lists: [List] = [], refused: [ImportRefusal] = []) {
    self.format = format
    self.lists = lists
    self.refused = refused
  }

  /// The same, one thing after the other: what was refused, then each list with its items.
  public var entries: [ImportEntry] {
    refused.map(ImportEntry.refusal)
      + lists.flatMap { list in
        [.list(ImportedList(name: list.name))] + list.items.map { .item($0, list: list.name) }
      }
  }
}

/// The formats of files that checklist apps wrote.
public enum AppFileFormat: String, CaseIterable, Hashable, Sendable {
  /// `Checklists.plist` of a Checklists app: a keyed archive, or the property list of its Codable editions.
  case checklists
  /// A property list with an array of texts.
  case shoppingList = "shopping-list"
  /// The dictionary `todoItems` of an app's defaults, by itself or inside the defaults' file.
  case todoItems = "todo-items"
}
