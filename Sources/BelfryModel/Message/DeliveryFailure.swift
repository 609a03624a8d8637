/// A failed delivery, as reported to another sink.
public struct DeliveryFailure: Hashable, Sendable, Record {
  package static let form = RecordForm<DeliveryFailure>(13, "message's failure") { fields in
    fields.add("sink", \.sink, .text)
    fields.add("recipient", \.recipient, .text, isNullable: true)
    fields.add("reason", \.reason, .text)
    fields.add("is_final", \.isFinal, .flag)
  }

  /// The name of the sink that failed.
  public internal(set) var sink = ""
  /// The recipient; `nil` for a sink without recipients.
  public internal(set) var recipient: String?
  /// The reason that the sink gave last.
  public internal(set) var reason = ""
  /// True if the delivery was given up. If not, it is retried and waits for the user to repair the sink.
  public internal(set) var isFinal = false
  package var unknown: UnknownFields?

  package init() {}

  /// A failure with all its fields.
  package init(sink: String, recipient: String?, reason: String, isFinal: Bool) {
    (self.sink, self.recipient, self.reason, self.isFinal) = (sink, recipient, reason, isFinal)
  }

  /// The failure in words: `not delivered to mail (me@example.org): 550 no such user`.
  public var words: String { "\(heading): \(reason)" }

  /// The words without the reason.
  public var heading: String { isFinal ? "not delivered to \(place)" : "\(place) needs your attention" }

  /// The heading with a capital letter, for a line of its own.
  public var headline: String { isFinal ? "Not delivered to \(place)" : heading }

  private var place: String { recipient.map { "\(sink) (\($0))" } ?? sink }
}
