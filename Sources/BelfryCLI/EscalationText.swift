import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The course of the escalations without an answer, as lines of text.
struct EscalationText {
  private let explanation: Explanation
  private let zone: Zone
  private let moment: Moment

  init(_ explanation: Explanation, _ reading: Reading) {
    self.explanation = explanation
    zone = reading.displayZone(explanation.subject.zone)
    moment = Moment(zone: zone, now: reading.now)
  }

  var lines: [String] {
    guard let explained = explanation.escalation else {
      return ["It has no escalation: neither its category nor its list names one."]
    }
    guard !explanation.unanswered.isEmpty else { return [explanation.verdict] }
    return explanation.unanswered.flatMap { lines($0, explained) } + [explained.escalation.answerWords]
  }

  private func lines(_ unanswered: UnansweredEscalation, _ explained: ExplainedEscalation) -> [String] {
    let escalation = explained.escalation
    let heading = "If nobody answers, escalation '\(escalation.name)' of \(explained.origin) rings:"
    let end = unanswered.end.map { "It ends at the next ringing, \(zone.readable($0.date))." }
    return [heading] + unanswered.runs.flatMap { lines($0, of: escalation.steps.count) }
      + ["  \(end ?? "Nothing rings after that.")"]
  }

  // The first ring with its recipients, and the times of the rings with the same recipients.
  private func lines(_ run: ArraySlice<UnansweredRing>, of steps: Int) -> [String] {
    guard let first = run.first else { return [] }
    let place = first.place
    let ring = place.ring > 1 ? ", ring \(place.ring)" : ""
    let date = zone.readable(first.fireDate.date)
    var lines = ["  step \(place.step) of \(steps)\(ring), \(date)\(first.isMade ? ", already made" : ""):"]
    lines += first.receivers.map { "    \(words($0))" }
    if let words = first.step?.obstacleWords { lines.append("    \(words)") }
    if first.receivers.isEmpty, !first.isMade {
      lines.append("    nobody is reached\(place.step == steps ? "" : ": the next step follows at once")")
    }
    lines += first.absentees.map { "    \($0.person) is away until \(zone.readable($0.until))" }
    let times = zip(run, run.dropFirst()).map { moment.time($1.fireDate.date, after: $0.fireDate.date) }
    return lines + (times.isEmpty ? [] : ["    again \(times.joined(separator: ", "))"])
  }

  private func words(_ receiver: UnansweredRing.Receiver) -> String {
    var words = receiver.sink
    if let person = receiver.person { words += " for \(person)" }
    if let address = receiver.address { words += " (\(address))" }
    if let state = receiver.state { words += ": \(state.name)" }
    guard let end = receiver.heldUntil else { return words }
    let verb = receiver.isOmitted ? "left out: quiet hours hold an earlier message" : "held by quiet hours"
    return "\(words), \(verb) until \(zone.readable(end))"
  }
}

extension UnansweredEscalation {
  /// The rings, grouped into runs of one step with the same recipients.
  fileprivate var runs: [ArraySlice<UnansweredRing>] {
    var runs: [ArraySlice<UnansweredRing>] = []
    var start = rings.startIndex
    for next in rings.indices.dropFirst() where !rings[next].reachesTheSame(as: rings[start]) {
      runs.append(rings[start..<next])
      start = next
    }
    return rings.isEmpty ? [] : runs + [rings[start...]]
  }
}

extension UnansweredRing {
  fileprivate func reachesTheSame(as other: UnansweredRing) -> Bool {
    place.step == other.place.step && isMade == other.isMade && receivers == other.receivers
      && absentees == other.absentees
  }
}

extension Escalation {
  /// The effect of an answer, a sentence.
  fileprivate var answerWords: String {
    guard let againAfter else { return "An answer ends it." }
    let count = again == .once ? "once" : "each time"
    return
      "An answer ends it; \(againAfter) after an acknowledgement it starts again, \(count), unless the item is done."
  }
}
