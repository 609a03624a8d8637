import BelfryCore
import FoundationEssentials

/// The content of an app's file, from which the core makes lists and items.
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

  /// The format of the file.
  public var format: AppFileFormat
  /// The lists in the file's order, also empty ones. Names may repeat, as in the apps.
  public var lists: [List]
  /// The entries that cannot be imported; all others are in `lists`.
  public var refused: [ImportRefusal]

  /// A content.
  public init(format: AppFileFormat, lists: [List] = [], refused: [ImportRefusal] = []) {
    self.format = format
    self.lists = lists
    self.refused = refused
  }
}

/// The content of an app's file as entries: the refusals, then each list with its items.
struct AppFileSource: ImportSource {
  private let content: AppFileContent
  private var nextRefusal = 0
  private var nextList = 0
  /// The next item of the list before; `nil` before its name.
  private var nextItem: Int?

  init(_ content: AppFileContent) { self.content = content }

  mutating func next() -> ImportEntry? {
    if nextRefusal < content.refused.count {
      nextRefusal += 1
      return .refusal(content.refused[nextRefusal - 1])
    }
    while nextList < content.lists.count {
      guard let place = nextItem else {
        nextItem = 0
        return .list(ImportedList(name: content.lists[nextList].name))
      }
      if place < content.lists[nextList].items.count {
        nextItem = place + 1
        return .item(content.lists[nextList].items[place], list: content.lists[nextList].name)
      }
      (nextList, nextItem) = (nextList + 1, nil)
    }
    return nil
  }
}

/// The file formats of checklist apps.
public enum AppFileFormat: String, CaseIterable, Hashable, Sendable {
  /// `Checklists.plist` of a Checklists app: a keyed archive, or the property list of its Codable editions.
  case checklists
  /// A property list with an array of texts.
  case shoppingList = "shopping-list"
  /// The dictionary `todoItems` of an app's defaults, by itself or inside the defaults' file.
  case todoItems = "todo-items"
}
