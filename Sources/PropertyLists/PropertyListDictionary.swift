/// The entries of a dictionary in a property list, in order.
public struct PropertyListDictionary: Hashable, Sendable {
  /// One key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key as the file writes it.
    public let key: String
    /// The value under the key.
    public let value: PropertyList

    /// A key with its value.
    public init(key: String, value: PropertyList) {
      self.key = key
      self.value = value
    }
  }

  /// The entries, in order; those from a file have different keys.
  public let entries: [Entry]

  /// A dictionary of entries with different keys, which is not checked.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The keys in the order of the file.
  public var keys: [String] { entries.map(\.key) }

  /// The value under a key, found by linear search.
  public subscript(key: String) -> PropertyList? {
    entries.first { $0.key == key }?.value
  }

  /// A duplicate key, if any.
  var duplicateKey: String? {
    if entries.count <= 16 {
      for (position, entry) in entries.enumerated()
      where entries[..<position].contains(where: { $0.key == entry.key }) {
        return entry.key
      }
      return nil
    }
    var known: Set<String> = []
    return entries.first { !known.insert($0.key).inserted }?.key
  }
}
