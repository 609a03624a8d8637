import BelfryModel
import FoundationEssentials

/// The number of records of each kind in a store, and a checksum of their content that does not depend on their order.
///
/// Comparable only within one run of a program. Unknown fields do not count.
public struct StoreDigest: Hashable, Sendable {
  /// Lists in the store, empty ones too.
  public private(set) var lists = 0
  /// Items in the store, checked ones too.
  public private(set) var items = 0
  /// The number of reminders, in any state.
  public private(set) var reminders = 0
  /// Messages, also of deliveries that are closed.
  public private(set) var messages = 0
  /// The number of deliveries, in any state.
  public private(set) var deliveries = 0
  /// The number of delivery attempts.
  public private(set) var attempts = 0
  /// The number of sinks with a problem.
  public private(set) var problems = 0
  /// Answers, those that were taken back too.
  public private(set) var answers = 0
  /// The number of sinks with an inbox.
  public private(set) var inboxes = 0
  /// People to whom the store has given a number.
  public private(set) var people = 0
  private var counters: StoreCounters?
  private var sum = 0

  /// The digest of an empty store.
  init() {}

  /// The digest of all records in a store.
  public init(_ view: any StoreView) throws { try view.forEachRecord { add($0) } }

  /// The total number of records.
  public var records: Int {
    lists + items + reminders + messages + deliveries + attempts + problems + answers + inboxes + people
  }

  /// True if the store is as good as new: without records, and without any id ever assigned.
  public var isEmpty: Bool { records == 0 && (counters?.nextItemID ?? 0) == 0 }

  /// Takes a record into the digest and its count.
  public mutating func add(_ record: StoreRecord) {
    switch record.withoutUnknownFields {
    case .counters(let counters): self.counters = counters
    case .list(let list):
      lists += 1
      add(list, [list.name, list.reminder?.message, list.reminder?.category])
    case .item(let item):
      items += 1
      add(item, item.content.texts)
    case .reminder(let reminder):
      reminders += 1
      add(reminder, [])
    case .message(let message):
      messages += 1
      add(message, [message.sink, message.domain])
    case .delivery(let delivery):
      deliveries += 1
      var delivery = delivery
      // A format may keep whole seconds only, and then rounds up.
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
    case .answer(let answer):
      answers += 1
      add(answer, [answer.listName, answer.text, answer.action, answer.externalID, answer.reply, answer.image])
    case .inbox(let inbox):
      inboxes += 1
      add(inbox, [inbox.sink, inbox.position, inbox.problem])
    case .person(let person):
      people += 1
      add(person, [person.name])
    }
  }

  // Adds the bytes of texts as well, since strings that differ only in Unicode normalisation are equal and have equal
  // hashes.
  private mutating func add(_ record: some Hashable, _ texts: [String?]) {
    var hasher = Hasher()
    hasher.combine(record)
    for text in texts { hasher.combine(text.map { Array($0.utf8) }) }
    sum &+= hasher.finalize()
  }
}
