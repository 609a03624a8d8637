import BelfryModel
import FoundationEssentials

/// The replies to the copies that updates change. The deliveries of an item or list are read once, even if many of its
/// copies change.
struct Receipts {
  private let view: any StoreView
  private var owners: Set<ReminderOwner> = []
  /// The deliveries of each copy, oldest first, by the id of its first message.
  private var copies: [UUID: [Delivery]] = [:]

  init(in view: any StoreView) { self.view = view }

  /// The reply to the copy that a delivery changes; `nil` for none.
  mutating func receipt(for delivery: Delivery, _ message: Message) throws -> String? {
    guard let original = message.update?.messageID, let owner = message.contents.first?.owner else { return nil }
    if owners.insert(owner).inserted { try readCopies(of: owner) }
    // The copy may have been replaced by an earlier update, so the latest reply counts.
    for copy in copies[original, default: []].reversed()
    where copy.sink == delivery.sink && copy.recipient == delivery.recipient {
      if let made = try view.attempts(of: copy.id).last(where: { $0.outcome == .delivered }) { return made.words }
    }
    return nil
  }

  private mutating func readCopies(of owner: ReminderOwner) throws {
    for (delivery, message) in try view.deliveries(of: owner, state: nil) {
      copies[message.update?.messageID ?? message.id, default: []].append(delivery)
    }
  }
}
