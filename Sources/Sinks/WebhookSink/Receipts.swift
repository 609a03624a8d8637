import BelfryEngine
import BelfryModel
import CLinuxEvents
import FoundationEssentials
import Glibc
import OrderedJSON
import Synchronization
import Transport

/// The receipts of messages that a service repeats until a person acknowledges them.
final class OpenReceipts: Sendable {
  /// Readable once a receipt was added.
  let event = belfry_event_create()
  private let open = Mutex<[String: [UUID]]>([:])

  deinit { close(event) }

  /// The receipts with the reminders of their messages, in an order that stays.
  var all: [(receipt: String, reminders: [UUID])] {
    open.withLock { $0.sorted { $0.key < $1.key }.map { (receipt: $0.key, reminders: $0.value) } }
  }

  func add(_ receipt: String, of message: Message) {
    open.withLock { $0[receipt] = message.contents.map(\.reminderID) }
    _ = belfry_event_signal(event)
  }

  /// Removes a receipt that need not be checked again.
  func remove(_ receipt: String) { open.withLock { $0[receipt] = nil } }
}

/// The acknowledgements of messages. They are polled every few seconds while a message is repeated, so that no port
/// need be open.
struct ReceiptReplies: ReplySource {
  /// The seconds between two polls of a receipt, no fewer than Pushover permits.
  static let pause = 6.0

  let dialect: any AcknowledgedDialect
  let endpoint: WebhookEndpoint
  let http: any HTTPTransport
  let receipts: OpenReceipts

  var channel: Answer.Channel { Answer.Channel(endpoint.format.rawValue, words: dialect.service) }

  /// False, since the service's receipts identify the replies.
  var hasTokens: Bool { false }

  func receive(_ inbox: Inbox, waits: Bool) async throws -> ReceiveOutcome {
    // The receipts of earlier processes.
    for copy in try inbox.standingCopies() where copy.message.kind == .fired {
      if let receipt = dialect.receipt(in: copy.receipt) { receipts.add(receipt, of: copy.message) }
    }
    try inbox.connected()
    while !Task.isCancelled {
      _ = belfry_drain(receipts.event)
      let access: WebhookAccess
      do throws(BelfryError) {
        access = try WebhookAccess(endpoint)
      } catch {
        return ReceiveOutcome(DeliveryOutcome(unreadableSecret: error))
      }
      for (receipt, reminders) in receipts.all {
        if let outcome = try await ask(receipt, reminders, access, inbox) { return outcome }
      }
      guard waits else { return .ended }
      let next = receipts.all.isEmpty ? nil : inbox.now.addingTimeInterval(Self.pause)
      await inbox.ready(receipts.event, for: Int16(POLLIN), until: next)
    }
    return .ended
  }

  // Returns the reason to stop polling for now; nil if the service has replied.
  private func ask(
    _ receipt: String, _ reminders: [UUID], _ access: WebhookAccess, _ inbox: Inbox
  ) async throws -> ReceiveOutcome? {
    let redaction = access.redaction(and: http.secrets)
    let response: HTTPResponse
    do throws(TransferFailure) {
      response = try await http.send(
        HTTPRequest(
          method: "GET", url: dialect.url(of: receipt, for: access.url), fields: [.userAgent], body: [],
          options: endpoint.options))
    } catch {
      return ReceiveOutcome(redaction.outcome(of: error))
    }
    switch dialect.acknowledgement(in: response) {
    case .pending: return nil
    case .over: break
    case .given(let time):
      _ = try inbox.take(
        reminders.map { Reply(.acknowledgement(of: $0, id: "\(receipt) \($0.text)"), pressedAt: time) })
    case .unknown:
      return ReceiveOutcome(
        redaction.outcome(ResponseClassification.outcome(response, isGood: false, now: inbox.now)))
    }
    receipts.remove(receipt)
    return nil
  }
}
