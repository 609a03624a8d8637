import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import MessageText
import OrderedJSON
import Transport

/// A sink that posts each reminder to a URL.
package struct WebhookSink: AnsweredSink {
  private let endpoint: WebhookEndpoint
  private let transports: Transports
  private let zones: ZoneDatabase
  private let fixedAccess: WebhookAccess?
  private let receipts: OpenReceipts?

  /// A sink for an endpoint.
  ///
  /// - Parameter zones: the zones in which times are shown.
  package init(_ endpoint: WebhookEndpoint, transports: Transports, zones: ZoneDatabase) {
    self.endpoint = endpoint
    self.transports = transports
    self.zones = zones
    receipts = endpoint.format.dialect is any AcknowledgedDialect ? OpenReceipts() : nil
    fixedAccess = endpoint.isFixed ? try? WebhookAccess(endpoint) : nil
  }

  /// A single recipient without a name: the URL.
  package var recipients: [String?] { [nil] }

  /// The configured limit of concurrent attempts.
  package var concurrency: Int { endpoint.concurrency }

  /// True if receivers of the format accept updates, as Belfry's own formats and services that replace messages do.
  package var canWithdraw: Bool { endpoint.format.takesUpdates }

  /// If the service repeats messages until they are acknowledged, true only for those messages.
  package func canWithdraw(_ urgency: Urgency) -> Bool {
    canWithdraw && (acknowledged == nil || urgency == .critical)
  }

  /// The topic over which answers come back, if the config names one, or the receipts of a service that has them.
  package var replies: (any ReplySource)? {
    if let acknowledged, let receipts {
      return ReceiptReplies(dialect: acknowledged, endpoint: endpoint, http: transports.http, receipts: receipts)
    }
    return endpoint.replyTopic == nil ? nil : NtfyReplies(endpoint: endpoint, http: transports.http)
  }

  /// Posts one message; see ``ReminderSink``.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    await withAccess { access, options throws(TransferFailure) in
      if let ended = try await end(attempt, access, options) { return ended }
      let request: HTTPRequest
      do throws(ConfigProblem) {
        request = try self.request(attempt, access, options)
      } catch {
        return .later(reason: error.message, needsAttention: true)
      }
      let response = try await transports.http.send(request)
      let isGood = endpoint.format.dialect?.goodAnswer.matches(response) ?? true
      let outcome = ResponseClassification.outcome(response, isGood: isGood, now: attempt.startedAt)
      if outcome.isDelivered, let receipt = acknowledged?.receipt(in: response) {
        receipts?.add(receipt, of: attempt.message)
        return .delivered(reply: receipt)
      }
      guard outcome.isDelivered, let identity = editing?.identity(in: response) else { return outcome }
      // An edit keeps the identity of the message that it edits.
      return .delivered(reply: attempt.receipt ?? identity)
    }
  }

  // Ends the repetition of a message that was answered. Returns nil if there is a message to post, which notifies
  // others of the answer.
  private func end(
    _ attempt: DeliveryAttempt, _ access: WebhookAccess, _ options: TransferOptions
  ) async throws(TransferFailure) -> DeliveryOutcome? {
    guard let acknowledged, let update = attempt.message.update, attempt.message.kind == .answered,
      attempt.message.contents.contains(where: { $0.alert.urgency == .critical })
    else { return nil }
    let receipt = attempt.receipt.flatMap { acknowledged.receipt(in: $0) }
    if let receipt { receipts?.remove(receipt) }
    let (url, json) = acknowledged.cancellation(of: update.messageID, for: access.url)
    var body: [UInt8] = []
    json.write(into: &body)
    let fields = fields(id: attempt.message.id.text, at: attempt.startedAt, body: body, access)
    let response = try await transports.http.send(HTTPRequest(url: url, fields: fields, body: body, options: options))
    // The repetition may already have ended.
    let isEnded = (200...299).contains(response.status) || [400, 404].contains(response.status)
    guard isEnded else { return ResponseClassification.outcome(response, isGood: true, now: attempt.startedAt) }
    return attempt.message.tellsAnswer ? nil : .delivered(reply: receipt)
  }

  /// Connects, and reads nothing from the topic of replies if there is one; see ``ReminderSink``.
  package func probe() async -> DeliveryOutcome {
    await withAccess { access, options throws(TransferFailure) in
      try await transports.http.probe(url: access.url.text, options: options)
      guard let topic = access.replyTopic else { return .delivered }
      let response = try await transports.http.send(
        access.request(for: topic, "poll=1&since=none", options: options))
      guard !response.isFromNtfy else { return .delivered }
      return .never(reason: ResponseClassification.reason(response, "the reply topic cannot be read"))
    }
  }

  /// Runs `work` with the current secrets, and masks them in its outcome.
  private func withAccess(
    _ work: (WebhookAccess, TransferOptions) async throws(TransferFailure) -> DeliveryOutcome
  ) async -> DeliveryOutcome {
    let access: WebhookAccess
    do throws(BelfryError) {
      access = if let fixedAccess { fixedAccess } else { try WebhookAccess(endpoint) }
    } catch {
      return DeliveryOutcome(unreadableSecret: error)
    }
    var options = endpoint.options
    if let trace = transports.trace { options.trace = redaction(access).masking(trace) }
    do throws(TransferFailure) {
      let outcome = try await work(access, options)
      return outcome.isDelivered ? outcome : redaction(access).outcome(outcome)
    } catch {
      return redaction(access).outcome(of: error)
    }
  }

  private func redaction(_ access: WebhookAccess) -> Redaction { access.redaction(and: transports.http.secrets) }

  private func request(
    _ attempt: DeliveryAttempt, _ access: WebhookAccess, _ options: TransferOptions
  ) throws(ConfigProblem) -> HTTPRequest {
    var url = access.url.text
    var body: [UInt8] = []
    if let editing {
      url = editing.url(for: access.url, of: attempt.message)
      editing.body(words(attempt), of: attempt.message, editing: attempt.receipt, to: access).write(into: &body)
    } else if let dialect = endpoint.format.dialect {
      let words = words(attempt)
      url = try dialect.url(for: access.url, words)
      try dialect.body(words, of: attempt.message, to: access).write(into: &body)
    } else if endpoint.format == .template {
      body = Array((endpoint.template?.render(TemplateValues(attempt, words: words(attempt))) ?? "").utf8)
    } else {
      attempt.writeBody(into: &body, withLinks: true)
    }
    let fields = fields(id: attempt.message.id.text, at: attempt.startedAt, body: body, access)
    let method = endpoint.format.dialect?.method ?? "POST"
    return HTTPRequest(method: method, url: url, fields: fields, body: body, options: options)
  }

  private func fields(id: String, at now: Date, body: [UInt8], _ access: WebhookAccess) -> [HTTPField] {
    let timestamp = Int(min(max(now.timeIntervalSince1970.rounded(.down), 0), 1e12))
    var fields = [
      HTTPField("Content-Type", endpoint.contentType),
      .userAgent,
      HTTPField("webhook-id", id),
      HTTPField("webhook-timestamp", "\(timestamp)"),
    ]
    if !access.keys.isEmpty {
      let signatures = access.keys.map { $0.signature(id: id, timestamp: timestamp, body: body) }
      fields.append(HTTPField("webhook-signature", signatures.joined(separator: " ")))
    }
    if let authorization = access.authorization { fields.append(HTTPField("Authorization", authorization)) }
    return fields + endpoint.fields
  }

  private var editing: (any EditingDialect)? { endpoint.format.dialect as? any EditingDialect }

  private var acknowledged: (any AcknowledgedDialect)? { endpoint.format.dialect as? any AcknowledgedDialect }

  private func words(_ attempt: DeliveryAttempt) -> [ReminderWords] { ReminderWords.all(attempt, zones: zones) }
}
