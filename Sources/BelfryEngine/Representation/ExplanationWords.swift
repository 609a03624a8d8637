import BelfryModel

extension ExplainedStep {
  /// The place in words: `step 3 of 3, ring 2, to anna and ben`.
  public var words: String {
    let count = of.map { " of \($0)" } ?? ""
    let target = names.isEmpty ? "" : (ring > 1 ? ", to " : " to ") + names.inSentence
    return "step \(step)\(count)\(ring > 1 ? ", ring \(ring)" : "")\(target)"
  }

  /// The reason why it sent nothing or reached nobody, with what followed: `nobody was reached, anna was away: the next
  /// step came at once`; `nil` for neither.
  public var obstacleWords: String? {
    if isOmitted { return "no message of its own: quiet hours held an earlier one" }
    let reason =
      switch obstacle {
      case .away(let people): "\(people.inSentence) \(people.count == 1 ? "was" : "were") away"
      case .noSink: "no sink was enabled"
      case .failed: "every delivery failed"
      case nil: String?.none
      }
    return reason.map { "nobody was reached, \($0)\(of == step ? "" : ": the next step came at once")" }
  }
}

extension ExplainedEscalation {
  /// The escalation in words, a clause each.
  var words: [String] {
    let steps = escalation.steps.count
    let name = "escalation '\(escalation.name)' of \(origin)"
    return ["\(name): \(counted(steps, "step")) until somebody answers, in place of the routes"]
      + (nag.map { ["its nag every \($0) is ignored: the escalation replaces it"] } ?? [])
  }
}
