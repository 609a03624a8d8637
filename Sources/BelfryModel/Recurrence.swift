import CivilTime
import RecurrenceRules

/// How an item or a list's own reminder repeats.
public struct Recurrence: Hashable, Sendable {
  /// What the next occurrence counts from.
  public enum Origin: String, CaseIterable, Hashable, Sendable {
    /// The due date, whenever it was done.
    case due
    /// The moment at which it was done.
    case done
  }

  /// The rule (RFC 5545, section 3.3.10).
  public var rule: RecurrenceRule { shared.rule }
  /// The wall-clock anchor that occurrences are counted from, COUNT and all.
  public let start: WallTime
  /// What the next occurrence counts from.
  public let origin: Origin

  /// A recurrence with all its fields.
  public init(rule: RecurrenceRule, start: WallTime, origin: Origin = .due) {
    shared = SharedRule(rule)
    self.start = start
    self.origin = origin
  }

  // Most items do not repeat: a rule of its own inside each would make all of them a third larger.
  private let shared: SharedRule
}

/// A rule that copies of what holds it have in common.
final class SharedRule: Hashable, Sendable {
  let rule: RecurrenceRule

  init(_ rule: RecurrenceRule) { self.rule = rule }

  static func == (one: SharedRule, other: SharedRule) -> Bool { one === other || one.rule == other.rule }

  func hash(into hasher: inout Hasher) { hasher.combine(rule) }
}
