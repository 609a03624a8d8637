import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The state of one of the config's sinks, and of the way back through it.
package struct SinkState: Sendable {
  /// The sink's section of the config.
  package let section: SinkSection
  /// The problem with what it sends; `nil` for none, and where it is switched off.
  package let problem: SinkProblem?
  /// The channel over which answers come back; `nil` for none, and where it is switched off.
  package let channel: Answer.Channel?
  private let inbox: SinkInbox?

  /// The states of all sinks, in the config's order, by what the store keeps of them.
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

  /// The reason why no answers come back, whether only the user can end that, and since when; `nil` for none.
  package var silence: (reason: String, needsAttention: Bool, since: Date)? {
    guard channel != nil, let inbox, let reason = inbox.problem else { return nil }
    return (reason, inbox.needsAttention, inbox.changedAt)
  }

  /// The state as `--json` shows it.
  package func json(_ zone: Zone) -> JSONValue {
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
  /// The problem as `--json` shows it.
  fileprivate func json(_ zone: Zone) -> JSONValue {
    ["kind": .string(kind.name), "since": .string(zone.rfc3339(since)), "reason": .string(reason)]
  }
}
