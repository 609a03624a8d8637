import Foundation

/// A list in a file from elsewhere.
public struct ImportedList: Hashable, Sendable {
  /// The name, one line, not blank.
  public var name: String
  /// The identity that the file gives it, if any.
  public var uuid: UUID?
  /// The items, in order.
  public var items: [ImportedItem]

  /// A list.
  public init(name: String, uuid: UUID? = nil, items: [ImportedItem] = []) {
    self.name = name
    self.uuid = uuid
    self.items = items
  }
}

/// An item in a file from elsewhere.
public struct ImportedItem: Hashable, Sendable {
  /// The number that the app gave it, from 0, if any; the same number may come twice in a damaged file.
  public var itemID: Int64?
  /// The identity that the file gives it, if any.
  public var uuid: UUID?
  /// The first line of the text that is not blank, not trimmed, without NUL.
  public var text: String
  /// The lines of the text behind that, joined by LF; empty when there are none.
  public var notes: String
  /// Whether it is done.
  public var isChecked: Bool
  /// The due date as the file has it, fractions of seconds included: 1970 to 9999.
  public var due: Date?
  /// Whether the app was to remind of it.
  public var shouldRemind: Bool
  /// Where it stands, for people: `list 'Groceries', item 3`.
  public var place: String

  /// An item.
  public init(
    itemID: Int64? = nil, uuid: UUID? = nil, text: String, notes: String = "", isChecked: Bool = false,
    due: Date? = nil, shouldRemind: Bool = false, place: String
  ) {
    self.itemID = itemID
    self.uuid = uuid
    self.text = text
    self.notes = notes
    self.isChecked = isChecked
    self.due = due
    self.shouldRemind = shouldRemind
    self.place = place
  }
}

/// An entry that cannot be taken, while the rest of its file can.
public struct ImportRefusal: Hashable, Sendable {
  /// Where it stands, for people: `list 'Groceries', item 3`.
  public var place: String
  /// Why, as a sentence about it: `its due date is before 1970`.
  public var reason: String

  /// A refusal.
  public init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }
}
