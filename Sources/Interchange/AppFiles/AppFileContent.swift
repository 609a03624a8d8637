import BelfryModel

/// The content of an app's file, from which the core makes lists and items.
package struct AppFileContent: Hashable {
  /// A list with its items.
  package struct List: Hashable {
    /// The name, one line, not blank.
    package let name: String
    package var items: [ImportedItem]

    package init(name: String, items: [ImportedItem] = []) {
      self.name = name
      self.items = items
    }
  }

  package let format: ImportFormat
  /// The lists in the file's order, also empty ones. Names may repeat, as in the apps.
  package var lists: [List] = []
  /// The entries that cannot be imported; all others are in `lists`.
  package var refused: [ImportRefusal] = []

  package init(format: ImportFormat) { self.format = format }

  /// The refusals, then each list with its items.
  var entries: [ImportEntry] {
    refused.map(ImportEntry.refusal)
      + lists.flatMap { list in
        [.list(ImportedList(name: list.name))] + list.items.map { .item($0, list: list.name) }
      }
  }
}
