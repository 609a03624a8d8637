import CivilTime

/// The escalation of a reminder, and what follows an answer.
public struct Ladder: Hashable, Sendable {
  /// How often a reminder that was acknowledged rings again, while its item is open.
  public enum Again: String, CaseIterable, Hashable, Sendable {
    /// After the first acknowledgement alone.
    case once
    /// After each.
    case always
  }

  /// The steps.
  public let escalation: Escalation
  /// The time from an acknowledgement to the ring that begins anew; `nil` for none.
  public let againAfter: CalendarDuration?
  /// How often it begins anew.
  public let again: Again
  /// True if those whom a step reached are told of the answer where their copies cannot be withdrawn.
  public let tellsAnswer: Bool

  /// A ladder.
  package init(
    escalation: Escalation, againAfter: CalendarDuration? = nil, again: Again = .always, tellsAnswer: Bool = true
  ) {
    self.escalation = escalation
    self.againAfter = againAfter
    self.again = again
    self.tellsAnswer = tellsAnswer
  }
}

/// The ladder of a category or of some lists as the config has it: an escalation by its name.
public struct LadderRule: Hashable, Sendable {
  /// The name of the escalation.
  public let escalation: String
  /// The time from an acknowledgement to the ring that begins anew; `nil` for none.
  public let againAfter: CalendarDuration?
  /// How often it begins anew.
  public let again: Ladder.Again
  /// True if those whom a step reached are told of the answer where their copies cannot be withdrawn.
  public let tellsAnswer: Bool

  /// A rule.
  package init(
    escalation: String, againAfter: CalendarDuration? = nil, again: Ladder.Again = .always, tellsAnswer: Bool = true
  ) {
    self.escalation = escalation
    self.againAfter = againAfter
    self.again = again
    self.tellsAnswer = tellsAnswer
  }
}

/// The config's settings for lists whose names match a pattern.
public struct ListRule: Hashable, Sendable {
  /// The lists.
  public let pattern: ListPattern
  /// The ladder of their reminders; `nil` for none.
  public let ladder: LadderRule?

  /// A rule.
  package init(pattern: ListPattern, ladder: LadderRule? = nil) {
    self.pattern = pattern
    self.ladder = ladder
  }
}
