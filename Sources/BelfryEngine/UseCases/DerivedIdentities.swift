import BelfryModel
import FoundationEssentials

/// Identities for the items of a file that has none: importing the same file again adds nothing.
///
/// A list is identified by its name in the file, or by itself if the import names it: then a list that has another
/// name by now is the same one, and two files imported into two lists have nothing in common.
struct DerivedIdentities {
  private var duplicateCounts: [UInt64: Int32] = [:]
  /// The normalised name of the last list.
  private var keyedList = (name: "", key: [] as [UInt8])

  /// A version 5 UUID (RFC 9562 section 5.5) of the kind, list and id, or of the list, text and number of equal items
  /// before it.
  mutating func uuid(of imported: ImportedItem, onListNamed listName: String) -> UUID {
    if keyedList.name != listName { keyedList = (listName, Array(Checklist.nameKey(listName).utf8)) }
    return uuid(of: imported, onListWithKey: keyedList.key)
  }

  /// The identity of an item imported into this list. Its key begins with a control character, which no list name
  /// contains.
  mutating func uuid(of imported: ImportedItem, on list: Checklist) -> UUID {
    uuid(of: imported, onListWithKey: [1] + list.uuid.text.utf8)
  }

  private mutating func uuid(of imported: ImportedItem, onListWithKey key: [UInt8]) -> UUID {
    var name: [UInt8] = []
    name.reserveCapacity(64 + imported.text.utf8.count)
    name.append(contentsOf: (imported.itemID == nil ? "import text " : "import item ").utf8)
    name.append(contentsOf: key)
    name.append(0)
    name.append(contentsOf: (imported.itemID.map { String($0) } ?? imported.text).utf8)
    name.append(0)
    let first = UUID(namespace: .belfry, utf8: name + "0".utf8)
    // Texts may be long: half of the digest serves as the key.
    let digest = withUnsafeBytes(of: first.uuid) { $0.loadUnaligned(as: UInt64.self) }
    let earlier = duplicateCounts[digest, default: 0]
    duplicateCounts[digest] = earlier + 1
    return earlier == 0 ? first : UUID(namespace: .belfry, utf8: name + String(earlier).utf8)
  }
}

/// The last item at each depth of a file that shows parents by indentation, down to the current item.
struct ImportedBranch {
  // `nil` for an item that was refused.
  private var items: [UUID?] = []

  /// Ends the branch in an item at a depth, and returns the identity of its parent.
  mutating func parent(at depth: Int?) -> UUID? {
    guard let depth else { return nil }
    items.removeLast(max(0, items.count - depth))
    defer { items.append(nil) }
    return items.last ?? nil
  }

  /// Notes the identity of the item in which the branch ends.
  mutating func end(in uuid: UUID) {
    if let last = items.indices.last { items[last] = uuid }
  }
}
