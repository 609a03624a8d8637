import CivilTime

/// The keys of a category or of some lists that give their reminders an escalation of the config.
public struct EscalationRule: Hashable, Sendable {
  /// The name of the escalation.
  public let name: String
  /// The time from an acknowledgement until the reminder rings again; `nil` if it does not.
  public let againAfter: CalendarDuration?
  /// The number of times that it rings again.
  public let again: Escalation.Again
  /// True if everyone a step reached is notified of the answer when their copies cannot be withdrawn.
  public let tellsAnswer: Bool

  package init(
    name: String, againAfter: CalendarDuration? = nil, again: Escalation.Again = .always, tellsAnswer: Bool = true
  ) {
    self.name = name
    self.againAfter = againAfter
    self.again = again
    self.tellsAnswer = tellsAnswer
  }

  /// The escalation with this name and the rule's settings; `nil` if there is none.
  func escalation(among escalations: [Escalation]) -> Escalation? {
    escalations.first { $0.name == name }.map {
      Escalation(name: name, steps: $0.steps, againAfter: againAfter, again: again, tellsAnswer: tellsAnswer)
    }
  }
}

/// The config's settings for lists whose names match a pattern.
public struct ListRule: Hashable, Sendable {
  /// The pattern that the names of the lists match.
  public let pattern: ListPattern
  /// The escalation of their reminders; `nil` for none.
  public let escalation: EscalationRule?
  /// The parts of the alerts that differ from the general style.
  public let alert: AlertOverride

  package init(
    pattern: ListPattern, escalation: EscalationRule? = nil, alert: AlertOverride = AlertOverride()
  ) {
    (self.pattern, self.escalation, self.alert) = (pattern, escalation, alert)
  }
}
