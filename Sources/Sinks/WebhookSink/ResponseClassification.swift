import BelfryEngine
import FoundationEssentials
import Transport

/// What an answer over HTTP means for a delivery. Pure: the same answer always means the same.
public enum ResponseClassification {
  /// How a delivery ended that got this answer.
  ///
  /// - Parameters:
  ///   - isGood: whether a 2xx is what the receiver says when it took the message.
  ///   - now: what a `Retry-After` in seconds counts from.
  public static func outcome(_ response: HTTPResponse, isGood: Bool, now: Date) -> DeliveryOutcome {
    let retryAfter = response.field("Retry-After").flatMap { RetryAfter.instant($0, now: now) }
    switch response.status {
    case 200...299 where isGood: return .delivered(reply: "HTTP \(response.status)")
    case 200...299:
      return .later(
        reason: reason(response, "this is not what the receiver says when it takes a message"),
        retryAfter: retryAfter, needsAttention: true)
    case 301...303, 307, 308:
      return .never(reason: reason(response, "redirects are not followed: put the new address into the config"))
    case 401, 403, 407:
      return .later(reason: reason(response, "not let in"), retryAfter: retryAfter, needsAttention: true)
    case 408, 425, 429, 500...599: return .later(reason: reason(response), retryAfter: retryAfter)
    case 410: return .never(reason: reason(response, "nothing more is wanted there"), pausesSink: true)
    case 300...399, 400...499: return .never(reason: reason(response))
    default: return .later(reason: reason(response, "no such status is known"), retryAfter: retryAfter)
    }
  }

  /// The status, what it means, and the receiver's own words.
  private static func reason(_ response: HTTPResponse, _ meaning: String? = nil) -> String {
    var reason = "HTTP \(response.status)"
    if let meaning { reason += ", \(meaning)" }
    let words = String(decoding: response.body.prefix(1_024), as: UTF8.self)
    // A page says nothing on its first lines.
    let start = words.first { !$0.isWhitespace }
    return start == nil || start == "<" ? reason : "\(reason): \(words)"
  }
}
