import BelfryModel
import CivilTime
import FoundationEssentials

/// One consistent state of a store, valid only inside the call that handed it out.
public protocol StoreView {
  /// The zone that floating items were last planned in, by its identifier; `nil` in a new store.
  func plannedZone() throws -> String?

  /// Every list, in the order in which they were made.
  func lists() throws -> [Checklist]
  /// The list with this number.
  func list(id: Int64) throws -> Checklist?
  /// The list with this name, compared without regard to case.
  func list(named name: String) throws -> Checklist?
  /// The list with this UUID.
  func list(uuid: UUID) throws -> Checklist?
  /// Every list with its counts, in the order in which they were made. Overdue is what was due before `now`.
  func listSummaries(now: Date) throws -> [ListSummary]

  /// The item with this number.
  func item(id: Int64) throws -> ItemListing?
  /// The item with this UUID.
  func item(uuid: UUID) throws -> ItemListing?
  /// Hands on each item that matches, in the query's order.
  func visitItems(_ query: ItemQuery, _ body: (ItemListing) throws -> Void) throws
  /// How many unchecked items a list has, or all lists together for `nil`; only those due before `dueBefore` if given.
  func uncheckedCount(listID: Int64?, dueBefore: Date?) throws -> Int

  /// The lowest number that no item has ever had; 0 in a new store, since 0 can come in by import.
  func nextItemID() throws -> Int64
  /// The place behind the last item of a list.
  func endPosition(listID: Int64) throws -> Int64

  /// The reminders of an item or list that the store still knows: of one occurrence, in one state, if given.
  func reminders(of owner: ReminderOwner, at wallTime: WallTime?, state: Reminder.State?) throws -> [Reminder]
  /// The reminder with this identity.
  func reminder(id: UUID) throws -> Reminder?
  /// Hands on each scheduled reminder, soonest first, at most `limit`; of one minute, items before lists, by number.
  func visitPending(limit: Int?, _ body: (PendingReminder) throws -> Void) throws
  /// The scheduled reminders of items and lists that were put off, in no order.
  func snoozes() throws -> [Reminder]
  /// Scheduled reminders whose fire date has come, in the same order, at most `limit`.
  func dueReminders(at now: Date, limit: Int) throws -> [Reminder]
  /// Whether the owner has a scheduled reminder with a fire date in `earliest < fireDate ≤ latest`.
  func hasScheduled(_ owner: ReminderOwner, after earliest: FireDate, through latest: Date) throws -> Bool

  /// The message with this identity.
  func message(id: UUID) throws -> Message?
  /// The delivery with this number.
  func delivery(id: Int64) throws -> Delivery?
  /// Hands on deliveries with their messages, newest first, at most `limit`; only those in `state` if given.
  func visitDeliveries(
    state: Delivery.State?, limit: Int?, _ body: (Delivery, Message) throws -> Void) throws
  /// Pending deliveries of a sink whose next attempt has come, by next attempt, then number, at most `limit`; those that
  /// are `busy` are left out, and their messages not even read.
  func attemptableDeliveries(
    sink: String, at now: Date, besides busy: Set<Int64>, limit: Int
  ) throws -> [(Delivery, Message)]
  /// The instant of the earliest next attempt of a sink's pending deliveries that lies after `now`.
  func nextAttempt(sink: String, after now: Date) throws -> Date?
  /// The names of all sinks with pending deliveries.
  func sinksWithPendingDeliveries() throws -> Set<String>
  /// The deliveries that carry a reminder of this item or list, with their messages, oldest first; only those in
  /// `state` if given.
  func deliveries(of owner: ReminderOwner, state: Delivery.State?) throws -> [(Delivery, Message)]
  /// The attempts of a delivery, oldest first.
  func attempts(of deliveryID: Int64) throws -> [AttemptRecord]
  /// The sinks through which nothing gets, by name.
  func sinkProblems() throws -> [SinkProblem]

  /// How much of what there is.
  func counts() throws -> StoreCounts
  /// Hands on everything that the store keeps: counters, then lists, items, reminders, messages, deliveries and their
  /// attempts, so that each record refers to earlier ones only, and the sinks' problems.
  func visitRecords(_ body: (StoreRecord) throws -> Void) throws
  /// When somebody other than Belfry has last changed items or lists, in an editor for one; `nil` where nobody has since
  /// they were last planned.
  func editedElsewhere() throws -> Date?
  /// What was kept last with ``StoreTransaction/keep(_:)``.
  func undoRecord() throws -> UndoRecord?
  /// Lets what hands on many records leave out those that hold what Belfry never writes, for as long as `body` runs.
  ///
  /// Otherwise one such record fails the whole reading: right for a command, which shows everything or says why not, and
  /// wrong for the daemon, which has to ring for the others.
  ///
  /// - Parameter leaveOut: called for each record left out.
  func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result
}

extension StoreView {
  /// Reads everything: a store that decodes all of itself before it hands anything out has no single faulty record.
  public func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result { try body() }

  /// Whether somebody other than Belfry has changed items or lists since they were last planned.
  public func isEditedElsewhere() throws -> Bool { try editedElsewhere() != nil }

  /// Every reminder of an item or list that the store still knows, in any state.
  public func reminders(of owner: ReminderOwner) throws -> [Reminder] {
    try reminders(of: owner, at: nil, state: nil)
  }
}

/// One change of a store, valid only inside the call that handed it out.
public protocol StoreTransaction: StoreView {
  /// Records the zone that floating items are planned in.
  func setPlannedZone(_ identifier: String) throws

  /// Keeps a new list and gives it the next number.
  func addList(name: String, uuid: UUID, at now: Date) throws -> Checklist
  /// Replaces a list by its number.
  func update(_ list: Checklist) throws
  /// Deletes a list, which must have no items.
  func deleteList(id: Int64) throws

  /// Keeps a new item at the end of its list.
  ///
  /// - Parameters:
  ///   - preferredID: a number not below ``StoreView/nextItemID()`` at the start of the transaction and not given since;
  ///     `nil` for the next one, which is 1 for the first.
  ///   - make: builds the item from its number and place; its `id` must be that number.
  func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item
  /// Replaces an item by its number.
  func update(_ item: Item) throws
  /// Deletes an item. Its reminders stay, for the record.
  func deleteItem(id: Int64) throws

  /// Keeps a reminder, replacing the one with the same identity.
  func put(_ reminder: Reminder) throws
  /// Keeps a message with one pending delivery for each recipient. Its first attempt counts as due at the fire date,
  /// so that what fired earlier goes out earlier, but at `permittedFrom` where that was put off.
  ///
  /// - Returns: the deliveries as they are kept, in the recipients' order.
  @discardableResult
  func add(_ message: Message, recipients: [String?], fireDate: FireDate, permittedFrom: Date) throws -> [Delivery]
  /// Replaces a delivery by its number.
  func update(_ delivery: Delivery) throws
  /// Closes a pending delivery as delivered, with one attempt more and no error, and keeps that attempt.
  ///
  /// - Parameters:
  ///   - attempt: the one that succeeded.
  ///   - now: when it is closed, in whole seconds.
  /// - Returns: whether it was pending; otherwise nothing is changed.
  func closeDelivered(by attempt: AttemptRecord, at now: Date) throws -> Bool
  /// Keeps an attempt behind the earlier ones of its delivery, which must be there. It goes with the delivery.
  func add(_ attempt: AttemptRecord) throws
  /// Keeps what is wrong with a sink, replacing what was.
  func put(_ problem: SinkProblem) throws
  /// Forgets what was wrong with a sink.
  func endProblem(ofSink sink: String) throws

  /// Forgets messages whose deliveries are all closed, and cancelled, fired and missed reminders, that ended before
  /// `cutoff`; at most about `limit` of each. Returns how many rows went.
  func prune(endedBefore cutoff: Date, limit: Int) throws -> Int

  /// Keeps how to undo this change in the place of what was kept before; `nil` forgets that.
  func keep(_ undo: UndoRecord?) throws

  /// Forgets everything, counters and how to undo the last change included.
  func removeEverything() throws
  /// Keeps a record of another store as it is, number and identity included; the records it refers to must be here.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the store's format cannot hold.
  func restore(_ record: StoreRecord) throws
  /// Takes note that what was edited elsewhere is planned now.
  func acknowledgeEdits() throws
}
