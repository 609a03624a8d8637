import FoundationEssentials
import Transport

/// Maps HTTP responses to delivery outcomes. Pure: the outcome depends on nothing but the arguments.
package enum ResponseClassification {
  /// The outcome of a delivery with this response.
  ///
  /// - Parameters:
  ///   - isGood: whether a 2xx response is the receiver's response to an accepted message.
  ///   - now: the instant from which a `Retry-After` in seconds counts.
  package static func outcome(_ response: HTTPResponse, isGood: Bool, now: Date) -> DeliveryOutcome {
    let retryAfter = response.field("Retry-After").flatMap { RetryAfter.instant($0, now: now) }
    switch response.status {
    case 200...299 where isGood: return .delivered(reply: "HTTP \(response.status)")
    case 200...299:
      return .later(
        reason: reason(response, "not the response that this receiver gives to an accepted message"),
        retryAfter: retryAfter, needsAttention: true)
    case 301...303, 307, 308:
      return .never(reason: reason(response, "redirects are not followed: put the new address into the config"))
    case 401, 403, 407:
      return .later(reason: reason(response, "access denied"), retryAfter: retryAfter, needsAttention: true)
    case 408, 425, 429, 503: return .later(reason: reason(response), retryAfter: retryAfter)
    // A server that failed, or that waited for another server which failed, may have accepted the message.
    case 424, 500...599: return .unknown(reason: reason(response), retryAfter: retryAfter)
    case 410: return .never(reason: reason(response, "the receiver is gone"), pausesSink: true)
    case 300...399, 400...499: return .never(reason: reason(response))
    default: return .unknown(reason: reason(response, "unknown status"), retryAfter: retryAfter)
    }
  }

  /// The status, its meaning, and the start of the body.
  package static func reason(_ response: HTTPResponse, _ meaning: String? = nil) -> String {
    var reason = "HTTP \(response.status)"
    if let meaning { reason += ", \(meaning)" }
    let words = String(decoding: response.body.prefix(1_024), as: UTF8.self)
    // An HTML page has no reason on its first lines.
    let start = words.first { !$0.isWhitespace }
    return start == nil || start == "<" ? reason : "\(reason): \(words)"
  }
}
