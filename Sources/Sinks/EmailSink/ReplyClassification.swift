import BelfryEngine
import Transport

/// Maps SMTP replies to delivery outcomes. Pure: the outcome depends on nothing but the arguments.
enum ReplyClassification {
  static func outcome(_ reply: SMTPReply) -> DeliveryOutcome {
    let reason = "SMTP \(reply.code) to \(reply.stage.words): \(reply.text)"
    switch (reply.code, reply.stage) {
    case (200...299, .data): return .delivered(reply: "SMTP \(reply.code): \(reply.text)")
    // Authentication is required, too weak or failed, or needs encryption (RFC 4954, section 6), at whatever stage.
    case (530, _), (534, _), (535, _), (538, _), (500...599, .authentication):
      return .later(reason: reason, needsAttention: true)
    case (500...599, .sender), (500...599, .recipient), (500...599, .data): return .never(reason: reason)
    default: return .later(reason: reason)
    }
  }

  /// The outcome of a probe with this reply: any positive reply will do.
  static func probeOutcome(_ reply: SMTPReply) -> DeliveryOutcome {
    if (200...299).contains(reply.code) { return .delivered }
    let outcome = outcome(reply)
    return outcome.isDelivered ? .later(reason: "SMTP \(reply.code): \(reply.text)") : outcome
  }
}
