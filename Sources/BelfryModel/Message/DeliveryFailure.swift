/// A delivery that failed, as another sink is told of it.
public struct DeliveryFailure: Hashable, Sendable, Record {
  package static let form = RecordForm<DeliveryFailure>(10, "message's failure") { fields in
    fields.add("sink", \.sink, .text)
    fields.add("recipient", \.recipient, .text, isNullable: true)
    fields.add("reason", \.reason, .text)
    fields.add("is_final", \.isFinal, .flag)
  }

  /// The sink that it failed at.
  public internal(set) var sink = ""
  /// The recipient, where the sink has recipients of its own.
  public internal(set) var recipient: String?
  /// Why.
  public internal(set) var reason = ""
  /// Whether it was given up; otherwise it is tried again, and waits for somebody to mend what is wrong.
  public internal(set) var isFinal = false
  package var unknown: UnknownFields?

  package init() {}

  /// A failure with all its fields.
  public init(sink: String, recipient: String?, reason: String, isFinal: Bool) {
    (self.sink, self.recipient, self.reason, self.isFinal) = (sink, recipient, reason, isFinal)
  }

  /// The failure in words: `not delivered to mail (me@example.org): 550 no such user`.
  public var words: String { "\(heading): \(reason)" }

  /// The same without the reason.
  public var heading: String { isFinal ? "not delivered to \(place)" : "\(place) needs you" }

  /// The heading as a line of its own begins.
  public var headline: String { isFinal ? "Not delivered to \(place)" : heading }

  private var place: String { recipient.map { "\(sink) (\($0))" } ?? sink }
}
