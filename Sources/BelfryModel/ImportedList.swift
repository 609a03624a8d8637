import CivilTime
import FoundationEssentials

/// A list in a file from elsewhere: what stands above its items.
public struct ImportedList: Hashable, Sendable {
  /// The name, one line, not blank.
  public var name: String
  /// The identity that the file gives it, if any.
  public var uuid: UUID?
  /// Its own reminder, which a list gets that is new here.
  public var reminder: ImportedListReminder?
  /// When it was made elsewhere; `nil` for the moment of the import.
  public var createdAt: Date?
  /// When it last changed elsewhere.
  public var updatedAt: Date?

  /// A list.
  public init(
    name: String, uuid: UUID? = nil, reminder: ImportedListReminder? = nil, createdAt: Date? = nil,
    updatedAt: Date? = nil
  ) {
    self.name = name
    self.uuid = uuid
    self.reminder = reminder
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// A list's own reminder in a file from elsewhere.
public struct ImportedListReminder: Hashable, Sendable {
  /// When it rings, with the zone whose clock counts.
  public var draft: ListReminderDraft
  /// The wall-clock anchor that the rule counts from; `nil` for when it rings.
  public var repeatStart: WallTime?
  /// When it was put off to, if it was.
  public var snoozedUntil: Date?

  /// A reminder.
  public init(_ draft: ListReminderDraft, repeatStart: WallTime? = nil, snoozedUntil: Date? = nil) {
    self.draft = draft
    self.repeatStart = repeatStart
    self.snoozedUntil = snoozedUntil
  }
}
