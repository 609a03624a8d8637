import CivilTime
import RecurrenceRules

/// The recurrence of an item or a list's own reminder.
public struct Recurrence: Hashable, Sendable {
  /// The date from which the next occurrence counts.
  public enum Origin: String, CaseIterable, Hashable, Sendable {
    /// The due date, whenever the item was checked.
    case due
    /// The time of the check.
    case done
  }

  /// The rule (RFC 5545 section 3.3.10).
  public var rule: RecurrenceRule { shared.rule }
  /// The wall-clock anchor from which occurrences are counted, including COUNT.
  public let start: WallTime
  /// The date from which the next occurrence counts.
  public let origin: Origin

  /// A recurrence with all its fields.
  public init(rule: RecurrenceRule, start: WallTime, origin: Origin = .due) {
    shared = SharedRule(rule)
    self.start = start
    self.origin = origin
  }

  // Shared by reference: most items do not repeat, and a rule stored inline would make every item a third larger.
  private let shared: SharedRule
}

/// A rule shared by all copies of a recurrence.
final class SharedRule: Hashable, Sendable {
  let rule: RecurrenceRule

  init(_ rule: RecurrenceRule) { self.rule = rule }

  static func == (one: SharedRule, other: SharedRule) -> Bool { one === other || one.rule == other.rule }

  func hash(into hasher: inout Hasher) { hasher.combine(rule) }
}
