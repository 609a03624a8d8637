/// An entry of an imported file.
package enum ImportEntry: Hashable, Sendable {
  /// A list, before its items; may stay empty. The same name again is the same list.
  case list(ImportedList)
  /// An item and the name of its list.
  case item(ImportedItem, list: String)
  /// A changed occurrence of an earlier repeating item, and the name of its list.
  case occurrence(ImportedOccurrence, list: String)
  /// An entry that cannot be imported, while the others can.
  case refusal(ImportRefusal)
  /// An entry that is not worth importing, with the reason in a word or two: `deleted`.
  case leftOut(String)
}

/// A reader of an imported file, entry by entry, so that a large file is never in memory as a whole.
package protocol ImportSource {
  /// The next entry, in the file's order; `nil` at its end.
  ///
  /// - Throws: an error about the whole file, such as damage or another format. Entries before it must then be
  ///   discarded.
  mutating func next() throws -> ImportEntry?
}

/// Entries in memory as a source.
package struct ImportedEntries: ImportSource {
  private var entries: ArraySlice<ImportEntry>

  /// A source of these entries.
  package init(_ entries: [ImportEntry]) { self.entries = entries[...] }

  package mutating func next() -> ImportEntry? { entries.popFirst() }
}
