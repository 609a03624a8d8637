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
  private var settings: WebPushSettings
  private let transports: Transports
  private let zones: ZoneDatabase
  private let file: SubscriptionFile
  private let burst = PushBurst()

  /// The longest time for which a push service keeps a message, in seconds: four weeks, the limit of the strictest.
  private static let longestLife = 2_419_200.0

  /// A sink with these settings.
  ///
  /// - Parameter zones: the zones in which times are shown.
  init(_ settings: WebPushSettings, transports: Transports, zones: ZoneDatabase) {
    (self.settings, self.transports, self.zones) = (settings, transports, zones)
    file = SubscriptionFile(path: settings.path, keepsOpen: true)
  }

  /// The names of the browsers. If none has subscribed, one recipient without a name, whose deliveries say so; if the
  /// file cannot be read, one that stands for all browsers.
  package var recipients: [String?] { recipients(of: nil) }

  /// The configured limit of concurrent attempts.
  package var concurrency: Int { settings.concurrency }

  /// True, since a later message replaces the notification on the screen.
  package var canWithdraw: Bool { true }

  package var subscriptionFile: String { settings.path }

  /// The browsers of a person; see ``SubscribedSink``.
  package func recipients(of person: String?) -> [String?] {
    do {
      let names = try file.names(for: person)
      return names.isEmpty ? [nil] : names
    } catch {
      return [BrowserGroup(person: person).name]
    }
  }

  /// The reason why no browser gets anything; see ``SubscribedSink``.
  package var silence: String? {
    do {
      if try file.names(for: nil).isEmpty { return "no browser has subscribed: messages reach nobody" }
      return try file.key() == nil ? "the key that its browsers know is lost: each has to subscribe again" : nil
    } catch {
      return Redaction([]).reason("\(error)")
    }
  }

  /// This sink, with an origin as its contact if it has none; see ``SubscribedSink``.
  package func naming(webFace origin: String) -> any SubscribedSink {
    var sink = self
    sink.settings.contact = settings.contact ?? origin
    return sink
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
    let subscriptions: [PushSubscription]
    let key: PushKey
    do {
      subscriptions = try found(attempt.recipient)
      guard !subscriptions.isEmpty else {
        return .never(
          reason: attempt.recipient == nil
            ? "no browser had subscribed when this rang: open /settings of the web face in a browser"
            : "the browser is no longer subscribed")
      }
      guard let known = try file.key() else {
        return .never(reason: "the key of \(file.path) is lost: subscribe again on /settings of the web face")
      }
      key = known
    } catch {
      return Self.unreadable(error)
    }
    burst.begin()
    var outcomes: [DeliveryOutcome] = []
    for subscription in subscriptions { outcomes.append(await post(attempt, to: subscription, key)) }
    let reached = burst.end(zip(subscriptions, outcomes).filter { $1.isDelivered }.map(\.0))
    // An error is ignored, since the hour is only shown to people, and no delivery depends on it.
    try? file.note(reached: reached, at: attempt.startedAt)
    // If one of them must be retried, all are, since a browser shows the repeat in place of the first message.
    return outcomes.first(where: \.isOpen) ?? outcomes.first(where: \.isDelivered) ?? outcomes[0]
  }

  private func found(_ recipient: String?) throws -> [PushSubscription] {
    guard let recipient else {
      // Throws if the file cannot be read.
      _ = try file.names(for: nil)
      return []
    }
    if let subscription = try file.subscription(recipient) { return [subscription] }
    guard let group = BrowserGroup(named: recipient) else { return [] }
    return try file.names(for: group.person).compactMap { try file.subscription($0) }
  }

  private func post(
    _ attempt: DeliveryAttempt, to subscription: PushSubscription, _ key: PushKey
  ) async -> DeliveryOutcome {
    let request: HTTPRequest
    let secrets: [Secret]
    do throws(ConfigProblem) {
      (request, secrets) = try self.request(attempt, to: subscription, key)
    } catch {
      return .never(reason: error.message)
    }
    do throws(TransferFailure) {
      let outcome = outcome(try await transports.http.send(request), attempt, subscription)
      return outcome.isDelivered ? outcome : Redaction(secrets).outcome(outcome)
    } catch {
      return Redaction(secrets).outcome(of: error)
    }
  }

  /// Connects to the push service of each browser without posting anything; see ``ReminderSink``.
  package func probe() async -> DeliveryOutcome {
    let endpoints: [ServerURL]
    do {
      endpoints = try file.subscriptions().compactMap {
        try? PushEndpoint($0.address.endpoint, permitting: settings.origins).url
      }
    } catch {
      return Self.unreadable(error)
    }
    guard !endpoints.isEmpty else {
      return .never(reason: "no browser has subscribed: open /settings of the web face in each")
    }
    let redaction = Redaction(transports.http.secrets)
    var options = settings.options
    options.trace = redaction.masking(transports.trace)
    for origin in Set(endpoints.map(\.origin)).sorted() {
      options.isForPublicHosts = !settings.origins.contains(origin)
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
    guard [404, 410].contains(response.status) else {
      return ResponseClassification.outcome(response, isGood: true, now: attempt.startedAt)
    }
    // A subscription that cannot be removed now is removed by the next message.
    _ = try? file.end(subscription.name, at: subscription.address.endpoint)
    return .never(reason: ResponseClassification.reason(response, "the browser has ended its subscription"))
  }

  private func request(
    _ attempt: DeliveryAttempt, to subscription: PushSubscription, _ key: PushKey
  ) throws(ConfigProblem) -> (HTTPRequest, [Secret]) {
    let endpoint = try PushEndpoint(subscription.address.endpoint, permitting: settings.origins).url
    let message = PushMessage(attempt, zones: zones)
    let now = attempt.startedAt
    guard let body = subscription.address.recipient.sealed(message.body),
      let token = burst.token(for: endpoint.origin, from: settings.contact, at: now, key: key)
    else { throw ConfigProblem("the browser's key is invalid: subscribe it again") }
    let own = [Base64URL.encode(subscription.address.recipient.secret), token.authorization, token.text]
    let secrets = endpoint.secrets + own.map(Secret.init) + transports.http.secrets
    var options = settings.options
    if let trace = transports.trace { options.trace = Redaction(secrets).masking(trace) }
    options.isForPublicHosts = !settings.origins.contains(endpoint.origin)
    let life = min(max(attempt.endsAt?.timeIntervalSince(now) ?? 86_400, 0), Self.longestLife)
    let fields = [
      HTTPField("Content-Type", "application/octet-stream"), HTTPField("Content-Encoding", "aes128gcm"),
      .userAgent, HTTPField("Authorization", token.authorization), HTTPField("TTL", "\(Int(life))"),
      HTTPField("Urgency", message.urgency), HTTPField("Topic", message.topic),
    ]
    return (HTTPRequest(url: endpoint.text, fields: fields, body: body, options: options), secrets)
  }

  // A lock is temporary; everything else needs the user.
  private static func unreadable(_ error: any Error) -> DeliveryOutcome {
    .later(
      reason: Redaction([]).reason("\(error)"), needsAttention: (error as? BelfryError)?.kind != .tryAgain)
  }
}

/// The name for all browsers of a person, for a message that is claimed while the browsers are unknown.
struct BrowserGroup: Hashable {
  /// The person's name in the config; `nil` for no one in particular.
  let person: String?

  private static let everyone = "all browsers"

  /// The browsers of a person.
  init(person: String?) { self.person = person }

  /// The browsers that a recipient of a delivery stands for; `nil` for a single one.
  init?(named recipient: String) {
    guard recipient.hasPrefix(Self.everyone) else { return nil }
    let rest = recipient.dropFirst(Self.everyone.count)
    guard rest.isEmpty || rest.hasPrefix(" of ") else { return nil }
    person = rest.isEmpty ? nil : String(rest.dropFirst(4))
  }

  /// The name in deliveries: `all browsers of anna`.
  var name: String { person.map { "\(Self.everyone) of \($0)" } ?? Self.everyone }
}

extension DeliveryOutcome {
  /// True if the delivery will be retried.
  fileprivate var isOpen: Bool {
    switch self {
    case .later, .unknown: true
    case .delivered, .never: false
    }
  }
}
