import BelfryModel
import FoundationEssentials

/// The whole content of a store as a value, so that rolling back a change is dropping a copy.
public struct StoreState: Hashable, Sendable {
  /// The zone in which floating items were planned.
  public var plannedZone: String?
  /// The lowest number that no item has ever had; 0 before the first item.
  public var nextItemID: Int64 = 0
  /// The number of the next list.
  public var nextListID: Int64 = 1
  /// The number of the next delivery.
  public var nextDeliveryID: Int64 = 1
  /// The number that the next answer is given.
  public var nextAnswerID: Int64 = 1
  /// The number that the next person is given.
  public var nextPersonNumber: Int64 = 1
  /// Lists by number.
  public var lists: [Int64: Checklist] = [:]
  /// Items by number, checked ones too.
  public var items: [Int64: Item] = [:]
  /// Reminders by identity, including those that have rung.
  public var reminders: [UUID: Reminder] = [:]
  /// Messages by identity, by which deliveries name them.
  public var messages: [UUID: Message] = [:]
  /// Deliveries by number, closed ones too while they are kept.
  public var deliveries: [Int64: Delivery] = [:]
  /// The attempts by delivery number, oldest first; without entries for deliveries that have none.
  public var attempts: [Int64: [AttemptRecord]] = [:]
  /// Answers by number, those taken back too.
  public var answers: [Int64: Answer] = [:]
  /// The sinks that are failing, by name.
  public var problems: [String: SinkProblem] = [:]
  /// The inboxes, which receive answers, by sink.
  public var inboxes: [String: SinkInbox] = [:]
  /// People by the number that the store gave each name.
  public var people: [Int64: KnownPerson] = [:]
  /// The times of requests that were carried out, by their identities.
  public var requests: [String: Date] = [:]
  /// The top-level fields of the file that Belfry does not know.
  package var unknown: UnknownFields?
  /// The undo records of the last changes.
  package var undo = UndoTrail()

  /// A new, empty store.
  public init() {}

  /// The fields of the file's head: zone, counters and unknown fields.
  package var counters: StoreCounters {
    get {
      var counters = StoreCounters(
        plannedZone: plannedZone, nextItemID: nextItemID, nextListID: nextListID, nextDeliveryID: nextDeliveryID,
        nextAnswerID: nextAnswerID, nextPersonNumber: nextPersonNumber)
      counters.unknown = unknown
      return counters
    }
    set {
      (plannedZone, nextItemID) = (newValue.plannedZone, newValue.nextItemID)
      (nextListID, nextDeliveryID, nextAnswerID) = (newValue.nextListID, newValue.nextDeliveryID, newValue.nextAnswerID)
      (nextPersonNumber, unknown) = (newValue.nextPersonNumber, newValue.unknown)
    }
  }
}
