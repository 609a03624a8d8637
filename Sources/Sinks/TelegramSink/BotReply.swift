import BelfryEngine
import FoundationEssentials
import OrderedJSON
import Transport

/// A reply of the Bot API: a result, or a refusal with a description.
struct BotReply: Sendable {
  /// The result; `nil` for a refusal.
  let result: JSONValue?
  private let description: String?
  // The response of the server, with the description as its body and the seconds to wait as a field.
  private let response: HTTPResponse

  init(_ response: HTTPResponse) {
    let body = try? JSONValue(parsing: response.body, duplicateKeys: .lastWins)
    result = response.status == 200 && body?["ok"] == true ? body?["result"] : nil
    let parameters = body?["parameters"]
    let moved = parameters?["migrate_to_chat_id"]?.integerValue.map { "; the group's chat_id is now \($0)" } ?? ""
    description = body?["description"]?.stringValue.map { $0 + moved }
    let wait = parameters?["retry_after"]?.integerValue.map { [HTTPField("Retry-After", "\($0)")] }
    self.response = HTTPResponse(
      status: response.status, fields: wait ?? response.fields,
      body: description.map { Array($0.utf8) } ?? response.body)
  }

  /// True if the description of a refusal contains some words.
  func says(_ words: String) -> Bool { description?.contains(words) ?? false }

  /// The outcome of a delivery that was refused.
  ///
  /// - Parameter now: the instant from which the seconds to wait count.
  func refusal(now: Date) -> DeliveryOutcome {
    switch response.status {
    // 404 is the reply to a text that does not look like a token.
    case 401, 404:
      .later(
        reason: "HTTP \(response.status), the token is no longer valid: put the one from @BotFather into the config",
        needsAttention: true)
    default: ResponseClassification.outcome(response, isGood: false, now: now)
    }
  }
}

extension BotReply {
  /// The outcome of a poll without updates. It quotes no update, since their data are tokens.
  ///
  /// - Parameter now: the instant from which the seconds to wait count.
  func pollRefusal(now: Date) -> DeliveryOutcome {
    switch response.status {
    case 200: .later(reason: "HTTP 200, but not an answer of the Bot API", needsAttention: true)
    case 409:
      .later(
        reason:
          "HTTP 409, another program or sink takes this bot's updates: stop it, end a webhook with deleteWebhook, "
          + "or give this sink a bot of its own: \(description ?? "no description")", needsAttention: true)
    default: refusal(now: now)
    }
  }
}
