import FoundationEssentials

/// A delivery in files, with its attempts.
package struct DeliveryRecord: Record {
  package static let form = RecordForm<DeliveryRecord>(5, "delivery") { fields in
    fields.add("id", \.delivery.id, .number)
    fields.add("message_id", \.delivery.messageID, .identity)
    fields.add("sink", \.delivery.sink, .sharedText)
    fields.add("recipient", \.delivery.recipient, .sharedText)
    fields.add("state", \.delivery.state, WordCodec(Delivery.State.self, \.name))
    fields.add("fire_date", \.delivery.fireDate, .fireDate)
    fields.add("attempts", \.delivery.attempts, .count)
    fields.add("permitted_from", \.delivery.permittedFrom, .instant)
    fields.add("next_attempt_at", \.delivery.nextAttemptAt, .instant)
    fields.add("last_attempt_at", \.delivery.lastAttemptAt, .instant)
    fields.add("closed_at", \.delivery.closedAt, .instant)
    fields.add("last_error", \.delivery.lastError, .text)
    fields.add("awaits_follow_up", \.delivery.awaitsFollowUp, .flag, unless: false)
    fields.add("history", \.history, HistoryCodec(), unless: [])
  }

  package private(set) var delivery = Delivery(
    id: 0, messageID: .belfry, sink: "", recipient: nil, fireDate: .earliest, permittedFrom: .distantPast,
    nextAttemptAt: nil)
  private var history: [AttemptRecord] = []

  package init() {}

  /// The record of a delivery with its attempts, oldest first.
  package init(_ delivery: Delivery, _ attempts: [AttemptRecord]) {
    (self.delivery, history) = (delivery, attempts)
  }

  package var unknown: UnknownFields? {
    get { delivery.unknown }
    set { delivery.unknown = newValue }
  }

  /// The attempts, oldest first.
  package var attempts: [AttemptRecord] {
    history.map {
      AttemptRecord(deliveryID: delivery.id, startedAt: $0.startedAt, outcome: $0.outcome, words: $0.words)
    }
  }
}

/// Codes the attempts of a delivery, one text each.
private struct HistoryCodec: FieldCodec {
  var shape: FieldShape { .record }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> [AttemptRecord] {
    var attempts: [AttemptRecord] = []
    for text in try reader.texts(value, field) {
      guard let attempt = AttemptRecord(text, of: 0) else {
        throw reader.fault(
          field, value, .sentence("expected an instant and a word such as \"later\", found \(shown(text))"))
      }
      attempts.append(attempt)
    }
    return attempts
  }

  func write(_ value: [AttemptRecord], _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, value.map { attempt in try attempt.text() })
  }
}
