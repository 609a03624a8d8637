import FoundationEssentials

/// A record of a store, for copies from one store to another.
public enum StoreRecord: Sendable {
  /// The zone and the counters.
  case counters(StoreCounters)
  case list(Checklist)
  case item(Item)
  case reminder(Reminder)
  case message(Message)
  case delivery(Delivery)
  /// An attempt of a delivery, after the earlier ones of that delivery.
  case attempt(AttemptRecord)
  case problem(SinkProblem)
  case answer(Answer)
  case inbox(SinkInbox)
  case person(KnownPerson)
}

extension StoreRecord {
  package var withoutUnknownFields: StoreRecord {
    switch self {
    case .counters(var counters):
      counters.unknown = nil
      return .counters(counters)
    case .list(var list):
      list.unknown = nil
      list.reminder?.unknown = nil
      return .list(list)
    case .item(var item):
      item.unknown = nil
      return .item(item)
    case .reminder(var reminder):
      reminder.unknown = nil
      return .reminder(reminder)
    case .message(var message):
      message.unknown = nil
      return .message(message)
    case .delivery(var delivery):
      delivery.unknown = nil
      return .delivery(delivery)
    case .answer(var answer):
      answer.unknown = nil
      return .answer(answer)
    case .inbox(var inbox):
      inbox.unknown = nil
      return .inbox(inbox)
    case .person(var person):
      person.unknown = nil
      return .person(person)
    case .attempt, .problem: return self
    }
  }

  /// Refuses the highest possible id, which no counter could follow. Stores call this before they add a record.
  ///
  /// - Throws: ``BelfryError`` `.badInput`.
  public func requireNumber() throws {
    let (kind, id): (String, Int64)
    switch self {
    case .list(let list): (kind, id) = ("list", list.id)
    case .item(let item): (kind, id) = ("item", item.id)
    case .delivery(let delivery): (kind, id) = ("delivery", delivery.id)
    case .answer(let answer): (kind, id) = ("answer", answer.id)
    case .counters, .reminder, .message, .attempt, .problem, .inbox, .person: return
    }
    guard id < .max else { throw BelfryError(.badInput, "\(id) is too large for the number of a \(kind)") }
  }
}

/// The zone and counters of a store.
public struct StoreCounters: Hashable, Sendable {
  /// The identifier of the zone in which floating items were last planned.
  public var plannedZone: String?
  /// The lowest id that no item has ever had; 0 in a new store.
  public var nextItemID: Int64
  /// The lowest id from 1 that no list has ever had.
  public var nextListID: Int64
  /// The lowest id from 1 that no delivery has ever had.
  public var nextDeliveryID: Int64
  /// The lowest number from 1 that no answer has ever had.
  public var nextAnswerID: Int64
  /// The lowest number from 1 that no person has ever had.
  public var nextPersonNumber: Int64
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// Counters; without arguments, those of a new store.
  public init(
    plannedZone: String? = nil, nextItemID: Int64 = 0, nextListID: Int64 = 1, nextDeliveryID: Int64 = 1,
    nextAnswerID: Int64 = 1, nextPersonNumber: Int64 = 1
  ) {
    self.plannedZone = plannedZone
    self.nextItemID = nextItemID
    self.nextListID = nextListID
    self.nextDeliveryID = nextDeliveryID
    self.nextAnswerID = nextAnswerID
    self.nextPersonNumber = nextPersonNumber
  }
}

extension RecordKind {
  /// Every kind in a store's file, by number.
  package static let all: [RecordKind] = [
    ListRecord.form.kind, ListReminderRecord.form.kind, ItemRecord.form.kind, ReminderRecord.form.kind,
    Message.form.kind, DeliveryRecord.form.kind, StoreHead.kind, AnswerRecord.form.kind,
    SinkInbox.form.kind, KnownPerson.form.kind,
  ]
}
