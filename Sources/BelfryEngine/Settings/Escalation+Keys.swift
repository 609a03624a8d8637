import BelfryModel
import CivilTime
import ConfigKeys

/// A list of steps under a name, with the positions of names that are checked once all sinks and people are known.
struct EscalationDraft: NamedDraft {
  var name = ""
  fileprivate(set) var steps: [StepDraft]

  /// The people and sinks of all steps.
  var names: [Located<String>] { steps.flatMap(\.to) }

  static let configType = ConfigType<EscalationDraft>(shape: .list(StepDraft.configType.shape)) { node, report in
    guard case .sequence(let nodes) = node.content else {
      report.mismatch(node, .list(StepDraft.configType.shape))
      return nil
    }
    if nodes.isEmpty { report.error("an escalation needs at least one step", at: node.position) }
    if nodes.count > Escalation.maximumSteps {
      report.error(
        "an escalation has at most \(Escalation.maximumSteps) steps, not \(nodes.count)",
        at: nodes[Escalation.maximumSteps].position)
    }
    let steps = nodes.map { StepDraft.configType.decode($0, &report) }
    report.checkOrder(zip(steps, nodes.map(\.position)))
    return EscalationDraft(steps: steps.compactMap(\.self))
  }

  var escalation: Escalation { Escalation(name: name, steps: steps.map(\.step)) }
}

/// An element of an escalation.
struct StepDraft: Sendable {
  fileprivate let afterKey: KeyPlace
  fileprivate private(set) var after: CalendarDuration?
  fileprivate private(set) var to: [Located<String>] = []
  private var every: CalendarDuration?
  private var times: Int?
  private var urgency: Urgency?

  static let configType = ConfigType<StepDraft>.section { section in
    var after: CalendarDuration?
    let afterKey = section.read(
      "after", &after, .calendarDuration, "The time from the first step to this one; none for the first.")
    var step = StepDraft(afterKey: afterKey, after: after)
    let to = section.require("to", .located(.list(of: .located(.line))), "The names of the people and sinks.")
    section.read(
      "every", &step.every, .calendarDuration, "The time from one ring to the next; a step without it rings once.")
    let times = section.read(
      "times", &step.times, .integer(1...Escalation.maximumTimes),
      "The number of rings, with `every`; \(Escalation.usualTimes) by default.")
    if let count = step.times, count > 1, !section.place("every").isGiven {
      section.error("'times: \(count)' needs an 'every'", at: times.key)
    }
    section.read("urgency", &step.urgency, .choice, "The urgency of its rings; by default that of the reminder.")
    guard let to else { return nil }
    // Invalid elements are left out of the list, so it may only seem empty.
    if section.elements(under: "to").isEmpty {
      section.error("a step without recipients: name at least one person or sink", at: to.position)
    }
    section.reportRepeated(to.value)
    step.to = to.value
    return step
  }

  var step: Escalation.Step {
    Escalation.Step(
      after: after ?? .zero, to: to.map(\.value), every: every,
      times: every == nil ? 1 : times ?? Escalation.usualTimes, urgency: urgency)
  }
}

extension ConfigReport {
  /// Reports steps that do not follow the steps before them; `nil` stands for an invalid step.
  fileprivate mutating func checkOrder(_ steps: some Sequence<(StepDraft?, SourcePosition)>) {
    var latest: CalendarDuration?
    for (index, (step, position)) in steps.enumerated() {
      guard let step else { continue }
      if index > 0, !step.afterKey.isGiven {
        error("missing key 'after': every step after the first needs it", at: position)
      }
      guard let after = step.after else { continue }
      if index == 0 {
        error("the first step comes with the reminder: leave out 'after'", at: step.afterKey.key)
      } else if let latest, after.usualMinutes <= latest.usualMinutes {
        error(
          "the steps are out of order: 'after' must be more than the \(latest) of an earlier step",
          at: step.afterKey.value)
      } else {
        latest = after
      }
    }
  }
}

extension CalendarDuration {
  /// The minutes if the clocks do not change.
  fileprivate var usualMinutes: Int { days * 1_440 + minutes }
}
