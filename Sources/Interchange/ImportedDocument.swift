import BelfryCore
import Foundation

/// What a file from elsewhere holds, as neutral values that the core turns into lists and items.
public struct ImportedDocument: Hashable, Sendable {
  /// The format that the file turned out to have.
  public var format: ImportFormat
  /// The lists in the file's order, empty ones included. Two may have the same name, as in the apps.
  public var lists: [ImportedList]
  /// The entries that cannot be taken; everything else is in `lists`.
  public var refused: [ImportRefusal]

  /// A document.
  public init(format: ImportFormat, lists: [ImportedList] = [], refused: [ImportRefusal] = []) {
    self.format = format
    self.lists = lists
    self.refused = refused
  }
}

/// A file that cannot be read as a whole.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the file, what is wrong, and what to do; the caller names the file.
  public var message: String

  /// The message.
  public var description: String { message }

  /// An error.
  public init(message: String) { self.message = message }
}

/// The formats of files that other apps wrote, by the names that people give to `--format`.
public enum ImportFormat: String, CaseIterable, Hashable, Sendable {
  /// `Checklists.plist` of a Checklists app: a keyed archive, or the property list of its Codable editions.
  case checklists
  /// A property list with an array of texts.
  case shoppingList = "shopping-list"
  /// The dictionary `todoItems` of an app's defaults, by itself or inside the defaults' file.
  case todoItems = "todo-items"
}
