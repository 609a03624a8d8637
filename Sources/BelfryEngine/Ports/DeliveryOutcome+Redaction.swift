import BelfryModel
import Transport

extension Redaction {
  /// What becomes of a delivery whose transfer ended without an answer; the reason is masked.
  ///
  /// What TLS or the request itself is wrong about is ours to mend; all else may mend itself.
  public func outcome(of failure: TransferFailure) -> DeliveryOutcome {
    let needsAttention = failure.kind == .untrusted || failure.kind == .unsendable
    return .later(reason: reason(failure.reason), needsAttention: needsAttention)
  }

  /// The same outcome with its reason masked.
  public func outcome(_ outcome: DeliveryOutcome) -> DeliveryOutcome {
    switch outcome {
    case .delivered(let reply): .delivered(reply: reply.map(self.reason))
    case .later(let reason, let retryAfter, let needsAttention):
      .later(reason: self.reason(reason), retryAfter: retryAfter, needsAttention: needsAttention)
    case .never(let reason, let pausesSink): .never(reason: self.reason(reason), pausesSink: pausesSink)
    }
  }
}

extension DeliveryOutcome {
  /// What becomes of a delivery for which a secret could not be read: only the user can mend that.
  public init(unreadableSecret error: BelfryError) {
    self = .later(reason: error.message, needsAttention: true)
  }
}
