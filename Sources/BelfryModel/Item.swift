import CivilTime
import FoundationEssentials

/// A due date: the wall-clock time is authoritative, the instant follows from the zone.
public struct DueDate: Hashable, Sendable {
  /// The wall-clock time in the item's zone.
  public let local: WallTime
  /// The instant of `local`, in the zone for which the item was planned.
  public let instant: FireDate

  /// A due date with an instant that a ``Planner`` has resolved.
  public init(local: WallTime, instant: FireDate) {
    self.local = local
    self.instant = instant
  }
}

/// The occurrence that was checked last, so that unchecking can restore it, once.
public struct CheckedOccurrence: Hashable, Sendable {
  /// The due time before the check.
  public let due: WallTime
  /// The anchor of the recurrence.
  public let start: WallTime

  /// An occurrence with all its fields.
  public init(due: WallTime, start: WallTime) {
    self.due = due
    self.start = start
  }
}

/// An item of a checklist.
public struct Item: Hashable, Sendable {
  /// The item's id, unique in its store, never reused.
  public package(set) var id: Int64
  /// An id that stays the same in every store.
  public package(set) var uuid: UUID
  /// The id of its list.
  public var listID: Int64
  /// The position on the list, ascending.
  public var position: Int64
  /// Its content without its dates.
  public var content: ItemContent
  /// True if it is checked.
  public var isChecked: Bool
  /// When the item is due; `nil` for never.
  public var due: DueDate?
  /// The zone in which `due` is meant.
  public var zone: ItemZone
  /// The recurrence; `due` is then the current occurrence.
  public var recurrence: Recurrence?
  /// The occurrence of a repeating item that was checked last.
  public var lastChecked: CheckedOccurrence?
  /// The time of creation, in whole seconds.
  public package(set) var createdAt: Date
  /// The time of the last change, in whole seconds.
  public var updatedAt: Date
  /// The time of the last check, in whole seconds.
  public var checkedAt: Date?
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// An item with all its fields.
  public init(
    id: Int64, uuid: UUID, listID: Int64, position: Int64, content: ItemContent, isChecked: Bool, due: DueDate?,
    zone: ItemZone, recurrence: Recurrence?, lastChecked: CheckedOccurrence?, createdAt: Date, updatedAt: Date,
    checkedAt: Date?
  ) {
    self.id = id
    self.uuid = uuid
    self.listID = listID
    self.position = position
    self.content = content
    self.isChecked = isChecked
    self.due = due
    self.zone = zone
    self.recurrence = recurrence
    self.lastChecked = lastChecked
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.checkedAt = checkedAt
  }

  /// An unchecked item without dates.
  package init(id: Int64, uuid: UUID, listID: Int64, position: Int64, content: ItemContent, createdAt: Date) {
    self.init(
      id: id, uuid: uuid, listID: listID, position: position, content: content, isChecked: false, due: nil,
      zone: .floating, recurrence: nil, lastChecked: nil, createdAt: createdAt, updatedAt: createdAt, checkedAt: nil)
  }

  /// The text in quotes, by which messages name the item.
  package var quoted: String { text.quotedLine }

  /// True if it is unchecked and was due before `now`.
  public func isOverdue(at now: Date) -> Bool {
    guard !isChecked, let due else { return false }
    return due.instant.date < now
  }
}
