/// What a file from elsewhere says next.
public enum ImportEntry: Hashable, Sendable {
  /// A list, before its items; empty ones come as well. The same name again is the same list.
  case list(ImportedList)
  /// An item, with the name of the list that it stands on.
  case item(ImportedItem, list: String)
  /// One occurrence of a repeating item that came before, as it was changed, with the name of the list.
  case occurrence(ImportedOccurrence, list: String)
  /// An entry that cannot be taken, while the rest can.
  case refusal(ImportRefusal)
  /// An entry that is left out since nobody would want it, with the reason in a word or two: `deleted`.
  case leftOut(String)
}

/// A file from elsewhere, one entry at a time, so that a large one is never in memory as a whole.
public protocol ImportSource {
  /// The next entry, in the file's order; `nil` at its end.
  ///
  /// - Throws: an error about the file as a whole: it cannot be read any further, or is not what it was taken for. What
  ///   came before counts for nothing then.
  mutating func next() throws -> ImportEntry?
}

/// Entries that are in memory as a whole.
public struct ImportedEntries: ImportSource {
  private var entries: ArraySlice<ImportEntry>

  /// A source of these entries.
  public init(_ entries: [ImportEntry]) { self.entries = entries[...] }

  /// The next entry.
  public mutating func next() -> ImportEntry? { entries.popFirst() }
}
