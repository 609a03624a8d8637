import FoundationEssentials

/// A row by the names of its columns, whose case does not matter.
struct NamedRow<Column: RawRepresentable<String>> {
  let place: String
  /// The values that are not blank, by the names of their columns.
  let values: [(name: String, value: String)]

  init(_ row: TableRow, names: [String]) {
    place = row.place
    values = zip(names, row.fields).compactMap { name, field in
      let value = field.trimmingWhitespace()
      return value.isEmpty ? nil : (name, value)
    }
  }

  /// The value in a column.
  subscript(column: Column) -> String? { values.first { $0.name.lowercased() == column.rawValue }?.value }
}
