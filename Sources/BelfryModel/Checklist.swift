import FoundationEssentials

/// A named, ordered set of items.
///
/// Names are unique in a store, compared without regard to case.
public struct Checklist: Hashable, Sendable {
  /// The list's id, unique in its store, from 1, never reused.
  public let id: Int64
  /// An id that stays the same in every store.
  public let uuid: UUID
  /// The name as the user wrote it: one line, not empty.
  public var name: String
  /// The list's own reminder, which shows its unchecked items.
  public var reminder: ListReminder?
  /// The colour; `nil` for none.
  public var color: ListColor?
  /// The icon; `nil` for none.
  public var icon: ListIcon?
  /// The place among the lists, which are in the order of their positions, then their ids. A new list's position is its id.
  public var position: Int64
  /// The time of creation, in whole seconds.
  public let createdAt: Date
  /// The time of the last change of the list itself, in whole seconds.
  public var updatedAt: Date
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// A list with all its fields.
  public init(
    id: Int64, uuid: UUID, name: String, reminder: ListReminder? = nil, color: ListColor? = nil, icon: ListIcon? = nil,
    position: Int64? = nil, createdAt: Date, updatedAt: Date
  ) {
    self.id = id
    self.uuid = uuid
    self.name = name
    self.reminder = reminder
    self.color = color
    self.icon = icon
    self.position = position ?? id
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// True if a list is sorted before another.
  public static func isOrdered(_ one: Checklist, before other: Checklist) -> Bool {
    (one.position, one.id) < (other.position, other.id)
  }

  /// The normalised form of a name, by which it is unique: names that differ only in case, or in precomposed and
  /// combining characters, have the same.
  public static func nameKey(_ name: String) -> String {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
    // Upper case first, which unifies `ς` and `σ`.
    return name.uppercased().lowercased().canonicallyComposed
  }
}

/// A reminder of a whole list.
public struct ListReminder: Hashable, Sendable {
  /// The time at which it rings next.
  public var due: DueDate
  /// The zone in which `due` is meant.
  public var zone: ItemZone
  /// The recurrence; `due` is then the next occurrence.
  public var recurrence: Recurrence?
  /// The message; `nil` for the list's name.
  public var message: String?
  /// The category, which provides its actions.
  public var category: String?
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// A reminder with all its fields.
  public init(
    due: DueDate, zone: ItemZone, recurrence: Recurrence? = nil, message: String? = nil, category: String? = nil
  ) {
    self.due = due
    self.zone = zone
    self.recurrence = recurrence
    self.message = message
    self.category = category
  }
}
