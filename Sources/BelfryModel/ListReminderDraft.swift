import CivilTime
import RecurrenceRules

/// A list's own reminder before its zone is resolved.
public struct ListReminderDraft: Hashable, Sendable {
  /// The due date as wall-clock time in `zone`.
  public var at: WallTime
  /// The zone in which `at` is meant.
  public var zone: ItemZone
  /// The recurrence rule, from `at` on.
  public var rule: RecurrenceRule?
  /// The message; `nil` for the list's name.
  public var message: String?
  /// The category, which provides its actions.
  public var category: String?

  /// A draft with all its fields.
  package init(
    at: WallTime, zone: ItemZone = .floating, rule: RecurrenceRule? = nil, message: String? = nil,
    category: String? = nil
  ) {
    self.at = at
    self.zone = zone
    self.rule = rule
    self.message = message
    self.category = category
  }
}
