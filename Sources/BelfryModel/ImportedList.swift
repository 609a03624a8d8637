import CivilTime
import FoundationEssentials

/// An imported list, without its items.
public struct ImportedList: Hashable, Sendable {
  /// The name: one line, not blank.
  public var name: String
  /// The UUID in the file, if any.
  public var uuid: UUID?
  /// The list's own reminder; used only if the list is new here.
  public var reminder: ImportedListReminder?
  /// The colour; used only if the list is new here.
  public var color: ListColor?
  /// The icon; used only if the list is new here.
  public var icon: ListIcon?
  /// The time of creation; `nil` for the time of the import.
  public var createdAt: Date?
  /// The time of the last change; `nil` for the time of the import.
  public var updatedAt: Date?

  package init(
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

/// The own reminder of an imported list.
public struct ImportedListReminder: Hashable, Sendable {
  /// The reminder's time, zone and content.
  public var draft: ListReminderDraft
  /// The wall-clock anchor of the rule; `nil` for the reminder's own time.
  public var repeatStart: WallTime?
  /// The end of its snooze, if it is snoozed.
  public var snoozedUntil: Date?

  package init(_ draft: ListReminderDraft, repeatStart: WallTime? = nil, snoozedUntil: Date? = nil) {
    self.draft = draft
    self.repeatStart = repeatStart
    self.snoozedUntil = snoozedUntil
  }
}
