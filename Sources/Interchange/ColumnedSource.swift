import BelfryModel

/// The use that an import makes of a column.
package struct ColumnMeaning: Hashable, Sendable {
  /// The name in the header.
  package let name: String
  /// The field of an item, or the property that keeps the value.
  package let meaning: String
}

/// A reader of a table that says how it uses each column.
package protocol ColumnedSource: ImportSource {
  /// The columns in the order of the header, once that was read.
  var columns: [ColumnMeaning] { get }
}
