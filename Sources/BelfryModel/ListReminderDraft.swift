import CivilTime
import RecurrenceRules

/// A list's own reminder before it is resolved.
public struct ListReminderDraft: Hashable, Sendable {
  /// The wall-clock time at which it rings, in `zone`.
  public var at: WallTime
  /// Whose clock counts.
  public var zone: ItemZone
  /// How it repeats, from `at` on.
  public var rule: RecurrenceRule?
  /// What it says, or `nil` for the list's name.
  public var message: String?
  /// The category whose actions it offers.
  public var category: String?

  /// A draft with all its fields.
  public init(
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
