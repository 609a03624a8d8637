import BelfryModel
import FoundationEssentials

/// A message that a sink has delivered and not withdrawn.
package struct StandingCopy: Sendable {
  /// The message; an update counts as the message that it changed.
  package let message: Message
  /// The words with which the sink accepted it.
  package let receipt: String
  /// The links of its reminder, if it has a single one.
  package let links: ReminderLinks?
}

extension Inbox {
  /// The number of latest deliveries, of all sinks, that are searched for copies.
  private static let lookBack = 512

  /// The copies that the sink may still show, oldest first, whichever process made them.
  package func standingCopies() throws -> [StandingCopy] {
    try belfry.store.read { view in
      var latest: [(Delivery, Message)] = []
      try view.forEachDelivery(state: .delivered, limit: Self.lookBack) { delivery, message in
        if delivery.sink == sink.name { latest.append((delivery, message)) }
      }
      var known: Set<UUID> = []
      let copies = try latest.compactMap { delivery, message -> StandingCopy? in
        guard known.insert(message.update?.messageID ?? message.id).inserted, message.kind != .answered,
          let made = try view.attempts(of: delivery.id).last(where: { $0.outcome == .delivered }),
          let receipt = made.words
        else { return nil }
        let links = message.contents.count == 1 ? sink.links?.links(of: message).first : nil
        return StandingCopy(message: message, receipt: receipt, links: links)
      }
      return copies.reversed()
    }
  }
}
