import BelfryEngine
import BelfryModel
import ConfigKeys
import FoundationEssentials
import Transport

/// The answers that come back over a topic of ntfy: each press of a button posts its token there
/// (https://docs.ntfy.sh/subscribe/api/).
///
/// A poll reads the messages that the server has kept; then a stream reads new ones. A stream alone may send a new
/// message before kept ones, and a position saved in between would lose those.
struct NtfyReplies: ReplySource {
  /// The longest silence of a stream, in seconds. A server sends a keepalive every 45 s, and never more rarely than every
  /// 77 s, after which its own app gives up.
  static let longestSilence = 90.0

  let endpoint: WebhookEndpoint
  let http: any HTTPTransport

  let channel = Answer.Channel("ntfy", words: "ntfy")

  func receive(_ inbox: Inbox, waits: Bool) async throws -> ReceiveOutcome {
    let access: WebhookAccess
    do throws(BelfryError) {
      access = try WebhookAccess(endpoint)
    } catch {
      return ReceiveOutcome(DeliveryOutcome(unreadableSecret: error))
    }
    guard let topic = access.replyTopic else { return .ended }
    // This is reported here for URLs in separate files, which the check of the config does not read.
    guard topic.url != (try? NtfyTopic(access.url))?.url else {
      return .never(reason: "the reply topic is the topic of the messages themselves: name another one")
    }
    let redaction = access.redaction(and: http.secrets)
    do {
      let connection = NtfyConnection(topic: topic, access: access, options: endpoint.options, http: http, inbox: inbox)
      try await connection.poll()
      if waits { try await connection.follow() } else { try inbox.connected() }
      return .ended
    } catch let failure as TransferFailure {
      return ReceiveOutcome(redaction.outcome(of: failure))
    } catch let refusal as NtfyConnection.Refusal {
      return ReceiveOutcome(redaction.outcome(refusal.outcome))
    }
  }
}
