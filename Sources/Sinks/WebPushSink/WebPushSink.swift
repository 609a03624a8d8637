import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import Digests
import FoundationEssentials
import Transport
import WebAccess
import WebPush

/// A sink that shows each reminder in the browsers that subscribed to it, by their push services (RFC 8030).
package struct WebPushSink: SubscribedSink {
  private let settings: WebPushSettings
  private let transports: Transports
  private let zones: ZoneDatabase
  private let file: SubscriptionFile

  /// The longest time for which a push service keeps a message, in seconds: four weeks, as the strictest has it.
  private static let longestLife = 2_419_200.0

  /// A sink with these settings.
  ///
  /// - Parameter zones: the zones in which times are shown.
  init(_ settings: WebPushSettings, transports: Transports, zones: ZoneDatabase) {
    (self.settings, self.transports, self.zones) = (settings, transports, zones)
    file = SubscriptionFile(path: settings.path, keepsOpen: true)
  }

  /// The browsers, by their names; where nobody has subscribed one without a name, whose deliveries say so.
  package var recipients: [String?] { recipients(of: nil) }

  /// The configured limit of concurrent attempts.
  package var concurrency: Int { settings.concurrency }

  /// Yes: a later message takes the place of what is on the screen.
  package var canWithdraw: Bool { true }

  /// The path of the file of subscriptions.
  package var subscriptionFile: String { settings.path }

  /// The browsers of a person; see ``SubscribedSink``.
  package func recipients(of person: String?) -> [String?] {
    let names = (try? file.names(for: person)) ?? []
    return names.isEmpty ? [nil] : names
  }

  /// The reason why nothing is sent to a URL; see ``SubscribedSink``.
  package func refusal(ofEndpoint url: String) -> String? {
    do throws(ConfigProblem) {
      _ = try PushEndpoint(url, permitting: settings.origins)
      return nil
    } catch {
      return error.message
    }
  }

  /// Posts one message to the push service of a browser; see ``ReminderSink``.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    let subscription: PushSubscription
    let key: PushKey
    do {
      guard let name = attempt.recipient else {
        // A file that cannot be read gives no names either, and its error is told.
        _ = try file.names(for: nil)
        return .never(reason: "no browser had subscribed when this rang: open /notifications of the web face in it")
      }
      guard let found = try file.subscription(name), let known = try file.key() else {
        return .never(reason: "the browser is no longer subscribed")
      }
      (subscription, key) = (found, known)
    } catch {
      return Self.unreadable(error)
    }
    let request: HTTPRequest
    let redaction: Redaction
    do throws(ConfigProblem) {
      (request, redaction) = try self.request(attempt, to: subscription, key)
    } catch {
      return .never(reason: error.message)
    }
    do throws(TransferFailure) {
      let response = try await transports.http.send(request)
      return redaction.outcome(outcome(response, attempt, subscription))
    } catch {
      return redaction.outcome(of: error)
    }
  }

  /// Connects to the push service of each browser, and posts nothing; see ``ReminderSink``.
  package func probe() async -> DeliveryOutcome {
    let endpoints: [ServerURL]
    do {
      endpoints = try file.subscriptions().compactMap {
        try? PushEndpoint($0.address.endpoint, permitting: settings.origins).url
      }
    } catch {
      return Self.unreadable(error)
    }
    let redaction = Redaction(transports.http.secrets)
    var options = settings.options
    options.trace = redaction.masking(transports.trace)
    for origin in Set(endpoints.map(\.origin)).sorted() {
      do throws(TransferFailure) {
        try await transports.http.probe(url: origin, options: options)
      } catch {
        return redaction.outcome(of: error)
      }
    }
    return .delivered
  }

  // RFC 8030, section 5, and RFC 8292, section 4.2.
  private func outcome(
    _ response: HTTPResponse, _ attempt: DeliveryAttempt, _ subscription: PushSubscription
  ) -> DeliveryOutcome {
    switch response.status {
    case 404, 410:
      // A subscription that cannot be removed now is removed by the next message.
      _ = try? file.end(subscription.name, at: subscription.address.endpoint)
      return .never(reason: ResponseClassification.reason(response, "the browser has ended its subscription"))
    case 200...299: try? file.note(reached: subscription, at: attempt.startedAt)
    default: break
    }
    return ResponseClassification.outcome(response, isGood: true, now: attempt.startedAt)
  }

  private func request(
    _ attempt: DeliveryAttempt, to subscription: PushSubscription, _ key: PushKey
  ) throws(ConfigProblem) -> (HTTPRequest, Redaction) {
    let endpoint = try PushEndpoint(subscription.address.endpoint, permitting: settings.origins).url
    let message = PushMessage(attempt, zones: zones)
    let now = attempt.startedAt
    guard let body = subscription.address.recipient.sealed(message.body),
      let token = PushToken(
        for: endpoint.origin, from: contact(attempt), at: Int64(now.timeIntervalSince1970), key: key)
    else { throw ConfigProblem("the browser's key is invalid: subscribe it again") }
    let secrets = [Base64URL.encode(subscription.address.recipient.secret), token.authorization, token.text]
    let redaction = Redaction(endpoint.secrets + secrets.map(Secret.init) + transports.http.secrets)
    var options = settings.options
    options.trace = redaction.masking(transports.trace)
    let life = min(max(attempt.endsAt?.timeIntervalSince(now) ?? 86_400, 0), Self.longestLife)
    let fields = [
      HTTPField("Content-Type", "application/octet-stream"), HTTPField("Content-Encoding", "aes128gcm"),
      .userAgent, HTTPField("Authorization", token.authorization), HTTPField("TTL", "\(Int(life))"),
      HTTPField("Urgency", message.urgency), HTTPField("Topic", message.topic),
    ]
    return (HTTPRequest(url: endpoint.text, fields: fields, body: body, options: options), redaction)
  }

  // A lock passes by itself; everything else is the user's to mend.
  private static func unreadable(_ error: any Error) -> DeliveryOutcome {
    .later(
      reason: Redaction([]).reason("\(error)"), needsAttention: (error as? BelfryError)?.kind != .tryAgain)
  }

  // Links begin with the URL of the web face.
  private func contact(_ attempt: DeliveryAttempt) -> String? {
    if let contact = settings.contact { return contact }
    return attempt.links.first.flatMap { try? ServerURL($0.answerURL, schemes: ["https"]).origin }
  }
}
