import BelfryModel
import FoundationEssentials

/// What a store holds, in short: how many records of each kind, and a sum over their content that does not depend on
/// their order. Equal only within one run of a program. What only files keep beside the fields does not count.
public struct StoreDigest: Hashable, Sendable {
  /// How many lists there are.
  public private(set) var lists = 0
  /// How many items there are.
  public private(set) var items = 0
  /// How many reminders there are, in any state.
  public private(set) var reminders = 0
  /// How many messages there are.
  public private(set) var messages = 0
  /// How many deliveries there are, in any state.
  public private(set) var deliveries = 0
  /// How many attempts of deliveries there are.
  public private(set) var attempts = 0
  /// How many sinks have a problem.
  public private(set) var problems = 0
  private var counters: StoreCounters?
  private var sum = 0

  /// The digest of nothing.
  public init() {}

  /// The digest of everything that a store holds.
  public init(_ view: any StoreView) throws { try view.visitRecords { add($0) } }

  /// How many records there are.
  public var records: Int { lists + items + reminders + messages + deliveries + attempts + problems }

  /// Whether the store is as good as new: nothing in it, and no number ever given.
  public var isEmpty: Bool { records == 0 && (counters?.nextItemID ?? 0) == 0 }

  /// Takes in a record.
  public mutating func add(_ record: StoreRecord) {
    switch record.withoutUnknownFields {
    case .counters(let counters): self.counters = counters
    case .list(let list):
      lists += 1
      add(list, [list.name, list.reminder?.message, list.reminder?.category])
    case .item(let item):
      items += 1
      add(item, [item.text, item.notes, item.category] + item.properties)
    case .reminder(let reminder):
      reminders += 1
      add(reminder, [])
    case .message(let message):
      messages += 1
      add(message, [message.sink, message.domain])
    case .delivery(let delivery):
      deliveries += 1
      var delivery = delivery
      // A format may keep whole seconds only, and then the one that is not before.
      delivery.nextAttemptAt = delivery.nextAttemptAt.map {
        Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up))
      }
      add(delivery, [delivery.sink, delivery.recipient, delivery.lastError])
    case .attempt(let attempt):
      attempts += 1
      add(attempt, [attempt.words])
    case .problem(let problem):
      problems += 1
      add(problem, [problem.sink, problem.reason])
    }
  }

  // The texts once more by their bytes: texts are equal, and so have equal hashes, also where only their spelling in
  // Unicode differs.
  private mutating func add(_ record: some Hashable, _ texts: [String?]) {
    var hasher = Hasher()
    hasher.combine(record)
    for text in texts { hasher.combine(text.map { Array($0.utf8) }) }
    sum &+= hasher.finalize()
  }
}
