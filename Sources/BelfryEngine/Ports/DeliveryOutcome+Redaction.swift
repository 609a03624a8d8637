import BelfryModel
import Transport

extension Redaction {
  /// The outcome of a transfer that failed without a response, with its reason masked.
  ///
  /// A TLS or request error needs the user; other failures may pass without help. If the transfer of the message had
  /// begun, the receiver may have accepted it.
  public func outcome(of failure: TransferFailure) -> DeliveryOutcome {
    let reason = reason(failure.reason)
    return switch failure.kind {
    case .unreachable: .later(reason: reason)
    case .untrusted, .unsendable: .later(reason: reason, needsAttention: true)
    case .timedOut, .interrupted, .protocolViolation, .cancelled: .unknown(reason: reason)
    }
  }

  /// The outcome with its reason masked.
  public func outcome(_ outcome: DeliveryOutcome) -> DeliveryOutcome {
    switch outcome {
    case .delivered(let reply): .delivered(reply: reply.map(self.reason))
    case .later(let reason, let retryAfter, let needsAttention):
      .later(reason: self.reason(reason), retryAfter: retryAfter, needsAttention: needsAttention)
    case .unknown(let reason, let retryAfter): .unknown(reason: self.reason(reason), retryAfter: retryAfter)
    case .never(let reason, let pausesSink): .never(reason: self.reason(reason), pausesSink: pausesSink)
    }
  }
}

extension DeliveryOutcome {
  /// The outcome of a delivery for which a secret could not be read, which only the user can repair.
  public init(unreadableSecret error: BelfryError) {
    self = .later(reason: error.message, needsAttention: true)
  }
}
