import BelfryEngine
import Transport

/// What a mail server's last reply means for a delivery. Pure: the same reply always means the same.
public enum ReplyClassification {
  /// How a delivery ended that got this reply.
  public static func outcome(_ reply: SMTPReply) -> DeliveryOutcome {
    let reason = "SMTP \(reply.code) to \(reply.stage.words): \(reply.text)"
    switch (reply.code, reply.stage) {
    case (200...299, .data): return .delivered(reply: "SMTP \(reply.code): \(reply.text)")
    // Authentication is wanted, too weak, wrong, or wants encryption (RFC 4954, section 6), wherever that is said.
    case (530, _), (534, _), (535, _), (538, _), (500...599, .authentication):
      return .later(reason: reason, needsAttention: true)
    case (500...599, .sender), (500...599, .recipient), (500...599, .data): return .never(reason: reason)
    default: return .later(reason: reason)
    }
  }

  /// How a probe ended that got this reply: any yes will do.
  static func probeOutcome(_ reply: SMTPReply) -> DeliveryOutcome {
    if (200...299).contains(reply.code) { return .delivered }
    let outcome = outcome(reply)
    return outcome.isDelivered ? .later(reason: "SMTP \(reply.code): \(reply.text)") : outcome
  }
}
