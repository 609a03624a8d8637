import FoundationEssentials

/// A named, ordered set of items.
///
/// Names are unique in a store, compared without regard to case.
public struct Checklist: Hashable, Sendable {
  /// The list's number in its store, 1 for the first, never used again.
  public let id: Int64
  /// An identity that stays the same in every store.
  public let uuid: UUID
  /// The name as the user wrote it: one line, not empty.
  public var name: String
  /// The list's own reminder, which names what is still unchecked.
  public var reminder: ListReminder?
  /// When the list was made, in whole seconds.
  public let createdAt: Date
  /// When the list itself last changed, in whole seconds.
  public var updatedAt: Date
  /// The fields of its file that Belfry does not know.
  package var unknown: UnknownFields?

  /// A list with all its fields.
  public init(
    id: Int64, uuid: UUID, name: String, reminder: ListReminder? = nil, createdAt: Date, updatedAt: Date
  ) {
    self.id = id
    self.uuid = uuid
    self.name = name
    self.reminder = reminder
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The form of a name under which it is unique: names that differ only in case, or look alike because one is spelt
  /// with combining marks, have the same.
  public static func nameKey(_ name: String) -> String {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
    // Upper case comes first since it makes one of `ς` and `σ`.
    return name.uppercased().lowercased().canonicallyComposed
  }
}

/// One reminder for a whole list.
public struct ListReminder: Hashable, Sendable {
  /// When it rings.
  public var due: DueDate
  /// Whose clock counts.
  public var zone: ItemZone
  /// How it repeats; `due` is then the occurrence that comes next.
  public var recurrence: Recurrence?
  /// What it says, or `nil` for the list's name.
  public var message: String?
  /// The category whose actions it offers.
  public var category: String?
  /// The fields of its file that Belfry does not know.
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
