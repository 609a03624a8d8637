import BelfryModel

/// An item as a program requests it, under its own key.
public struct KeyedItem: Hashable, Sendable {
  /// The key that the program chose.
  public var key: String
  /// The text of the item.
  public var text: String
  /// The other fields that the program names.
  public var fields: ItemEdit
  /// The due date among them in the program's own words, such as `in 1 minute`.
  public var dueWords: String?
  /// The list of a new item if the fields name none.
  public var defaultList: ListChoice

  /// An item with these fields.
  package init(key: String, text: String, fields: ItemEdit, dueWords: String?, defaultList: ListChoice) {
    (self.key, self.text, self.fields) = (key, text, fields)
    (self.dueWords, self.defaultList) = (dueWords, defaultList)
  }
}

/// The result of asking for an item under a key.
public struct KeyedChange: Hashable, Sendable {
  /// The effect on the item.
  public enum Effect: String, Hashable, Sendable {
    /// There was no item with this key.
    case added
    /// It was open, and has other fields now.
    case changed
    /// It was checked, and is open again.
    case opened
    /// It was open, and already as requested.
    case unchanged
  }

  /// The effect that this had on the item.
  public let effect: Effect
  /// The item as it is now, and what changed.
  public let change: ItemChange
}

extension Belfry {
  /// Adds an item with a key, or changes the item that has it; a checked item is opened again, as a new event.
  ///
  /// The same words again leave an open item as it is, even words that count from now: it neither rings again nor
  /// starts its escalation again. A date in other words re-dates it, as an edit does.
  ///
  /// - Throws: as ``edit(_:_:)``; ``BelfryError`` `.badInput` for a key that is not one line of 1 to 200 bytes.
  public func add(_ keyed: KeyedItem) throws -> KeyedChange {
    try change(as: "add") { try $0.add(keyed) }
  }

  /// Checks the item of a key.
  ///
  /// - Throws: as ``setChecked(_:_:)``; ``BelfryError`` `.badInput` for an invalid key.
  package func check(key: String) throws -> [ItemChange] {
    try change(as: "check") { change in
      guard let id = try change.transaction.item(keyed: key)?.item.id else { throw BelfryError.noItem(key: key) }
      return try change.setChecked(true, [id])
    }
  }
}

extension StoreView {
  /// The item with a key that a person or program wrote; `nil` for none.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an invalid key.
  package func item(keyed text: String) throws -> ItemListing? { try item(key: TextRules.key(text)) }
}

extension Change {
  fileprivate func add(_ keyed: KeyedItem) throws -> KeyedChange {
    guard let old = try transaction.item(keyed: keyed.key)?.item else {
      return KeyedChange(effect: .added, change: try addNew(keyed))
    }
    let new = try updated(old, as: keyed)
    guard !new.isSame(as: old) else { return KeyedChange(effect: .unchanged, change: try unchanged(old.id)) }
    if old.isChecked { outdated.add(.item(old.id)) }
    return KeyedChange(effect: old.isChecked ? .opened : .changed, change: try replace(old, with: new))
  }

  private func addNew(_ keyed: KeyedItem) throws -> ItemChange {
    let list = try findOrAdd(keyed.fields.list ?? keyed.defaultList)
    var draft = ItemDraft(text: keyed.text, keyed.fields)
    draft.key = keyed.key
    draft.properties = [keyed.dueProperty].compactMap(\.self)
    let added = try add(draft, to: list)
    try itemsChanged(on: list)
    return added
  }

  private func updated(_ old: Item, as keyed: KeyedItem) throws -> Item {
    var edit = keyed.fields
    edit.text = keyed.text
    if !old.isChecked {
      if let words = keyed.dueProperty, old.properties.contains(words) { edit.due = nil }
      // Setting the same repeat again would restart it at the present due date.
      if edit.due == nil, edit.rule?.value == old.recurrence?.rule { edit.rule = nil }
    }
    var new = try applying(edit, to: old.isChecked ? unchecked(old) : old)
    if edit.due != nil {
      new.properties.removeAll { $0.hasPrefix(KeyedItem.dueName) }
      if let words = keyed.dueProperty { new.properties.append(words) }
    }
    return new
  }
}

extension KeyedItem {
  /// The prefix of the property of an item that keeps the words of its due date.
  fileprivate static let dueName = "X-BELFRY-DUE-WORDS:"

  /// The property with the words of the due date, which the item keeps until other words re-date it.
  fileprivate var dueProperty: String? {
    dueWords.map { Self.dueName + $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }
}

extension BelfryError {
  /// The error for a key that no item has.
  fileprivate static func noItem(key: String) -> BelfryError {
    BelfryError(.notFound, "there is no item with the key '\(key)'", hint: "'belfry add --key NAME TEXT' adds one")
  }
}
