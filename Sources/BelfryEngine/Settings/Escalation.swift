import BelfryModel
import CivilTime

/// The steps in which a reminder reaches more people until somebody answers, and what follows an answer.
public struct Escalation: Hashable, Sendable {
  /// A step: the people and sinks that a reminder reaches, the time since the first step, and the number of rings.
  public struct Step: Hashable, Sendable {
    /// The time from the first step to this one; zero for the first.
    public let after: CalendarDuration
    /// The names of the people and sinks that it goes to.
    public let to: [String]
    /// The time from one ring to the next; `nil` for a single ring.
    public let every: CalendarDuration?
    /// The number of rings, 1 to 100, unless the next step begins or somebody answers before.
    public let times: Int
    /// The urgency of its rings; `nil` for that of the reminder.
    public let urgency: Urgency?

    package init(
      after: CalendarDuration = .zero, to: [String], every: CalendarDuration? = nil, times: Int = 1,
      urgency: Urgency? = nil
    ) {
      self.after = after
      self.to = to
      self.every = every
      self.times = times
      self.urgency = urgency
    }
  }

  /// The number of times that a reminder rings again after it was acknowledged, while its item is open.
  public enum Again: String, CaseIterable, Hashable, Sendable {
    /// Only after the first acknowledgement.
    case once
    /// The reminder rings again after each acknowledgement.
    case always
  }

  /// The most steps of an escalation.
  static let maximumSteps = 20
  /// The most rings of a step.
  static let maximumTimes = 100
  /// The rings of a step that says `every` without `times`.
  static let usualTimes = 24

  /// The name by which categories and lists refer to it.
  public let name: String
  /// The steps, 1 to 20, each later than the one before it.
  public let steps: [Step]
  /// The time from an acknowledgement until the reminder rings again; `nil` if it does not.
  public let againAfter: CalendarDuration?
  /// The number of times that it rings again.
  public let again: Again
  /// True if everyone a step reached is notified of the answer when their copies cannot be withdrawn.
  public let tellsAnswer: Bool

  package init(
    name: String, steps: [Step], againAfter: CalendarDuration? = nil, again: Again = .always, tellsAnswer: Bool = true
  ) {
    (self.name, self.steps) = (name, steps)
    (self.againAfter, self.again, self.tellsAnswer) = (againAfter, again, tellsAnswer)
  }
}
