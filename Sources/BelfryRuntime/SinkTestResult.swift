import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The result of testing a sink with one recipient.
package struct SinkTestResult: Sendable {
  /// The sink's name in the config.
  package let sink: String
  package let recipient: String?
  package let outcome: DeliveryOutcome

  /// A result with all its fields.
  package init(sink: String, recipient: String?, outcome: DeliveryOutcome) {
    (self.sink, self.recipient, self.outcome) = (sink, recipient, outcome)
  }

  /// True if the server accepted it.
  package var isAccepted: Bool { outcome.isDelivered }

  /// The sink and the recipient.
  package var place: String { recipient.map { "\(sink) (\($0))" } ?? sink }

  /// The reason of a failure; `nil` if it was accepted.
  package var reason: String? { outcome.reason }

  private var word: Outcome {
    switch outcome {
    case .delivered: .delivered
    case .later: .later
    case .unknown: .unknown
    case .never: .never
    }
  }

  private enum Outcome: String, CaseIterable {
    case delivered, later, unknown, never
  }

  /// A result with the answer that came back to the test, in a zone.
  package struct Shown {
    fileprivate let result: SinkTestResult
    fileprivate let answer: Zoned<Answer>?

    package init(_ result: SinkTestResult, _ answer: Zoned<Answer>?) { (self.result, self.answer) = (result, answer) }
  }

  /// The members of a test in `--json`.
  package static let form = ShownForm<Shown>("SinkTest") { members in
    members.add("sink", .text) { $0.result.sink }
    members.addNullable("recipient", .text) { $0.result.recipient }
    members.add("outcome", .word(Outcome.self) { $0.rawValue }) { $0.result.word }
    members.addNullable("reason", .text) { $0.result.reason }
    members.addNullable("answer", .form(answer), "the button that was pressed, with --answer") { $0.answer }
  }

  private static let answer = ShownForm<Zoned<Answer>> { members in
    members.add("action", .text) { $0.value.action }
    members.add("channel", .text) { $0.value.channel.name }
    members.add("at", .instant) { $0.instant($0.value.date) }
  }
}

extension DeliveryOutcome {
  /// The reason of a failure; `nil` for a success.
  package var reason: String? {
    switch self {
    case .delivered: nil
    case .later(let reason, _, _), .unknown(let reason, _), .never(let reason, _): reason
    }
  }
}
