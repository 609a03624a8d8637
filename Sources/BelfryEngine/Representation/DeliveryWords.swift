import BelfryModel
import CivilTime

extension Delivery {
  /// The sink, with the recipient if there are several.
  package var place: String { recipient.map { "\(sink) (\($0))" } ?? sink }

  /// The reason for its state in short, such as `late by 2 h`; empty for none.
  package func note(_ moment: Moment) -> String {
    switch state {
    case .delivered:
      let late = lateSeconds ?? 0
      return late < 60 ? "" : "late by \(RelativeTime.span(Double(late)))"
    case .pending:
      let next = nextAttemptAt.map { "next attempt \(moment.short($0))" }
      return [lastError, next].compactMap(\.self).joined(separator: "; ")
    case .dead, .discarded:
      return lastError ?? ""
    }
  }
}

extension ExplainedDelivery {
  /// The state as commands show it, with its ``addition``.
  package var stateWords: String { delivery.state.name + addition }

  /// Words that follow the state of a delivery that was discarded during an attempt and still arrived; else empty.
  package var addition: String {
    let hasArrived = delivery.state == .discarded && attempts.contains { $0.outcome == .delivered }
    return hasArrived ? ", but it arrived all the same" : ""
  }
}

extension AttemptRecord.Outcome {
  /// The outcome as a person reads it.
  package var words: String {
    switch self {
    case .delivered: "delivered"
    case .later: "put off"
    case .refused: "refused"
    case .unknown: "outcome unknown"
    }
  }
}
