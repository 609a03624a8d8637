import BelfryModel
import CivilTime

extension SinkState {
  /// The problems on one line; `nil` for none.
  package func problems(_ zone: Zone) -> String? {
    let silence = silence.map { silence in
      let state = silence.needsAttention ? "needs your attention: no answers come in" : "receives no answers"
      return "\(state), since \(zone.readable(silence.since)): \(silence.reason)"
    }
    let words = [problem?.words(zone), silence].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// The advice about the problems.
  package var advice: String {
    if problem?.kind == .paused { return "see what the server wants, then restart belfryd" }
    let test = "'belfry sinks test \(section.name.shellQuoted)\(silence == nil ? "" : " --answer")'"
    let needsUser = problem != nil || silence?.needsAttention == true
    return needsUser ? "fix it; \(test) checks it" : "belfryd tries again by itself; \(test) tries now"
  }
}

extension SinkProblem {
  /// The problem on one line: its kind, since when, and why.
  fileprivate func words(_ zone: Zone) -> String {
    let state = kind == .paused ? "paused until belfryd restarts" : "needs your attention"
    return "\(state), since \(zone.readable(since)): \(reason)"
  }
}
