import BelfryModel
import FoundationEssentials

/// Everything that a store keeps, as one value: copying it is all that undoing a change takes.
public struct StoreState: Hashable, Sendable {
  /// The zone that floating items are planned in.
  public var plannedZone: String?
  /// The lowest number that no item has ever had; 0 while there has been none.
  public var nextItemID: Int64 = 0
  /// The next list's number.
  public var nextListID: Int64 = 1
  /// The next delivery's number.
  public var nextDeliveryID: Int64 = 1
  /// The lists by number.
  public var lists: [Int64: Checklist] = [:]
  /// The items by number.
  public var items: [Int64: Item] = [:]
  /// The reminders by identity.
  public var reminders: [UUID: Reminder] = [:]
  /// The messages by identity.
  public var messages: [UUID: Message] = [:]
  /// The deliveries by number.
  public var deliveries: [Int64: Delivery] = [:]
  /// The attempts of deliveries by the delivery's number, oldest first; none where there are none.
  public var attempts: [Int64: [AttemptRecord]] = [:]
  /// The sinks through which nothing gets, by name.
  public var problems: [String: SinkProblem] = [:]

  /// The fields of its file that Belfry does not know.
  package var unknown: UnknownFields?
  /// How to undo the last change.
  public var undo: UndoRecord?

  /// An empty store.
  public init() {}

  /// The zone, the counters, and what the file says beside them.
  package var counters: StoreCounters {
    get {
      var counters = StoreCounters(
        plannedZone: plannedZone, nextItemID: nextItemID, nextListID: nextListID, nextDeliveryID: nextDeliveryID)
      counters.unknown = unknown
      return counters
    }
    set {
      (plannedZone, nextItemID) = (newValue.plannedZone, newValue.nextItemID)
      (nextListID, nextDeliveryID, unknown) = (newValue.nextListID, newValue.nextDeliveryID, newValue.unknown)
    }
  }
}
