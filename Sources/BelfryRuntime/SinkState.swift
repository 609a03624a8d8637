import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The state of one of the config's sinks, and of the answers that come back through it.
package struct SinkState: Sendable {
  /// The sink's section of the config.
  package let section: SinkSection
  /// The problem with deliveries; `nil` for none, and for a disabled sink.
  package let problem: SinkProblem?
  /// The channel over which answers come back; `nil` for none, and for a disabled sink.
  package let channel: Answer.Channel?
  private let inbox: SinkInbox?

  /// The states of all sinks, in the config's order, according to the store.
  ///
  /// - Parameter active: the enabled sinks.
  package static func all(
    _ sections: [SinkSection], _ active: [ActiveSink], _ problems: [SinkProblem], _ inboxes: [SinkInbox]
  ) -> [SinkState] {
    sections.map { section in
      let active = active.first { $0.name == section.name }
      return SinkState(
        section: section, problem: active == nil ? nil : problems.first { $0.sink == section.name },
        channel: active?.sink.replySource?.channel, inbox: inboxes.first { $0.sink == section.name })
    }
  }

  /// The reason why no answers arrive, whether only the user can resolve it, and since when; `nil` for none.
  package var silence: (reason: String, needsAttention: Bool, since: Date)? {
    guard channel != nil, let inbox, let reason = inbox.problem else { return nil }
    return (reason, inbox.needsAttention, inbox.changedAt)
  }

  /// The state as `--json` shows it.
  package func json(_ zone: Zone) -> JSONValue { Self.form.json(Zoned(self, in: zone)) }

  /// The members of a sink in `--json`.
  package static let form = ShownForm<Zoned<SinkState>>("Sink") { members in
    members.add("name", .text) { $0.value.section.name }
    members.add("type", .text) { $0.value.section.type }
    members.add("enabled", .flag) { $0.value.section.isEnabled }
    members.addNullable("problem", .form(problem)) { state in state.value.problem.map { state.part($0) } }
    members.addNullable("answers", .form(answers), "the channel by which answers come back") {
      $0.value.channel == nil ? nil : $0
    }
  }

  private static let problem = ShownForm<Zoned<SinkProblem>> { members in
    members.add("kind", .text) { $0.value.kind.name }
    members.add("since", .instant) { $0.instant($0.value.since) }
    members.add("reason", .text) { $0.value.reason }
  }

  private static let answers = ShownForm<Zoned<SinkState>> { members in
    members.add("channel", .text) { $0.value.channel?.name ?? "" }
    members.addNullable("problem", .text) { $0.value.silence?.reason }
    members.add("needs_attention", .flag) { $0.value.silence?.needsAttention ?? false }
    members.addNullable("since", .instant) { state in state.value.silence.map { state.instant($0.since) } }
  }

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
