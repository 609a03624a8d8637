import BelfryModel
import FoundationEssentials

/// A copy of all records from one store to another.
public struct StoreCopy: Sendable {
  /// The store to copy, only read.
  public let source: any ItemStore
  /// The store that gets the records.
  public let target: any ItemStore

  /// A copy from one store to another.
  ///
  /// - Throws: ``BelfryError`` `.usage` if both are at the same place.
  package init(from source: any ItemStore, to target: any ItemStore) throws {
    guard Self.place(source) != Self.place(target) else {
      throw BelfryError(
        .usage, "\(source.location) cannot be copied onto itself", hint: "name the config of another store")
    }
    self.source = source
    self.target = target
  }

  /// The digest of the target's present content.
  package func targetDigest() throws -> StoreDigest { try target.read(StoreDigest.init) }

  /// Copies everything but events in one transaction of the target, then reads it back.
  ///
  /// - Parameters:
  ///   - replacing: whether to delete the target's content first; if not, the target must be empty.
  ///   - progress: called with the number of records copied and the total.
  /// - Throws: ``BelfryError``; the target is then as it was before.
  public func run(replacing: Bool, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws -> StoreDigest {
    // No daemon may fire reminders from the target during the copy.
    let lock = try target.lockForDaemon()
    defer { lock.release() }
    let copied = try source.read { view in
      let calendars = try Calendars(view)
      var whole = StoreDigest()
      try view.forEachRecord { if !calendars.own($0) { whole.add($0) } }
      return try target.write { transaction in
        if replacing {
          try transaction.removeEverything()
        } else if try !StoreDigest(transaction).isEmpty {
          throw BelfryError(.usage, "\(target.location) is not empty", hint: "--force replaces what is there")
        }
        var digest = StoreDigest()
        try view.forEachRecord { record in
          guard !calendars.own(record) else { return }
          try transaction.restore(record)
          digest.add(record)
          progress(digest.records, whole.records)
        }
        // A difference inside the transaction rolls it back.
        try Self.compare(digest, StoreDigest(transaction), target)
        try transaction.acknowledgeEdits()
        return digest
      }
    }
    // Compare once more after the commit: `damage()` reads from the disk.
    if let damage = try target.damage().first {
      throw BelfryError(
        .storeFailed, "\(target.location) is damaged after the copy: \(damage)",
        hint: "keep using the original store, and check the disk")
    }
    try Self.compare(copied, target.read(StoreDigest.init), target)
    return copied
  }

  private static func compare(_ copied: StoreDigest, _ found: StoreDigest, _ target: any ItemStore) throws {
    guard copied != found else { return }
    throw BelfryError(
      .storeFailed, "\(target.location) does not hold what was copied: \(found.records) of \(copied.records) records",
      hint: "keep using the original store; this is a bug in Belfry or a fault of the disk")
  }

  /// The events of calendars, which are not copied, since in another store they would be to-dos that no one checks.
  private final class Calendars {
    private let events: Set<Int64>
    private var messages: Set<UUID> = []
    private var deliveries: Set<Int64> = []

    init(_ view: any StoreView) throws {
      events = Set(try view.listings(ItemQuery(kind: .events, checked: .any)).map(\.item.id))
    }

    /// True for an event and for records about events only: reminders, answers, messages with their deliveries. A
    /// message comes before its deliveries, and deliveries before their attempts.
    func own(_ record: StoreRecord) -> Bool {
      switch record {
      case .item(let item): return events.contains(item.id)
      case .reminder(let reminder): return own(reminder.occurrence.owner)
      case .answer(let answer): return own(answer.owner)
      case .message(let message):
        guard !message.contents.isEmpty, message.contents.allSatisfy({ own($0.owner) }) else { return false }
        messages.insert(message.id)
        return true
      case .delivery(let delivery):
        guard messages.contains(delivery.messageID) else { return false }
        deliveries.insert(delivery.id)
        return true
      case .attempt(let attempt): return deliveries.contains(attempt.deliveryID)
      default: return false
      }
    }

    private func own(_ owner: ReminderOwner) -> Bool {
      if case .item(let id) = owner { events.contains(id) } else { false }
    }
  }

  private static func place(_ store: any ItemStore) -> String {
    URL(fileURLWithPath: store.location).resolvingSymlinksInPath().path
  }
}
