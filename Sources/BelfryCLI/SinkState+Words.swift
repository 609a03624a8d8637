import BelfryEngine
import BelfryModel
import BelfryPlugins
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The state of one of the config's sinks, and of the way back through it.
struct SinkState {
  let section: SinkSection
  /// The problem with what it sends; `nil` for none, and where it is switched off.
  let problem: SinkProblem?
  /// The channel over which answers come back; `nil` for none, and where it is switched off.
  let channel: Answer.Channel?
  private let inbox: SinkInbox?

  /// The states of all sinks, in the config's order, by what the store keeps of them.
  static func all(_ assembly: Assembly, _ problems: [SinkProblem], _ inboxes: [SinkInbox]) -> [SinkState] {
    assembly.configuration.sinks.map { section in
      let active = assembly.sinks.first { $0.name == section.name }
      return SinkState(
        section: section, problem: active == nil ? nil : problems.first { $0.sink == section.name },
        channel: active?.sink.replies?.channel, inbox: inboxes.first { $0.sink == section.name })
    }
  }

  /// The reason why no answers come back, whether only the user can end that, and since when; `nil` for none.
  var silence: (reason: String, needsAttention: Bool, since: Date)? {
    guard channel != nil, let inbox, let reason = inbox.problem else { return nil }
    return (reason, inbox.needsAttention, inbox.changedAt)
  }

  /// The problems on one line; `nil` for none.
  func problems(_ zone: Zone) -> String? {
    let silence = silence.map { silence in
      let state = silence.needsAttention ? "needs you to receive answers" : "receives no answers"
      return "\(state), since \(zone.readable(silence.since)): \(silence.reason)"
    }
    let words = [problem?.words(zone), silence].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// The advice about the problems.
  var advice: String {
    if problem?.kind == .paused { return "see what the server wants, then restart belfryd" }
    let test = "'belfry sinks test \(section.name.shellQuoted)\(silence == nil ? "" : " --answer")'"
    let needsUser = problem != nil || silence?.needsAttention == true
    return needsUser ? "fix it; \(test) tries" : "belfryd tries again by itself; \(test) tries now"
  }

  /// The state as `--json` shows it.
  func json(_ zone: Zone) -> JSONValue {
    [
      "name": .string(section.name), "type": .string(section.type), "enabled": .bool(section.isEnabled),
      "problem": problem?.json(zone) ?? .null, "answers": answers(zone),
    ]
  }

  private func answers(_ zone: Zone) -> JSONValue {
    guard let channel else { return .null }
    return [
      "channel": .string(channel.rawValue), "problem": silence.map { .string($0.reason) } ?? .null,
      "needs_attention": .bool(silence?.needsAttention ?? false),
      "since": silence.map { .string(zone.rfc3339($0.since)) } ?? .null,
    ]
  }
}

extension SinkProblem {
  /// The problem on one line: its kind, since when, and why.
  fileprivate func words(_ zone: Zone) -> String {
    let state = kind == .paused ? "paused until belfryd restarts" : "needs you"
    return "\(state), since \(zone.readable(since)): \(reason)"
  }

  /// The problem as `--json` shows it.
  fileprivate func json(_ zone: Zone) -> JSONValue {
    ["kind": .string(kind.name), "since": .string(zone.rfc3339(since)), "reason": .string(reason)]
  }
}
