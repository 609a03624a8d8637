import BelfryModel
import CivilTime
import FoundationEssentials

/// The result of a visit: to continue with the next record, or to stop.
public enum VisitResult: Sendable {
  /// Continue with the next record.
  case next
  case stop
}

/// One consistent state of a store, valid only inside the call that provides it.
///
/// A visit passes records to its body one at a time, until that says to stop or throws.
public protocol StoreView {
  /// The identifier of the zone in which floating items were last planned; `nil` in a new store.
  func plannedZone() throws -> String?

  /// Every list, by position, then id.
  func lists() throws -> [Checklist]
  /// The list with this id.
  func list(id: Int64) throws -> Checklist?
  /// The list with this name, compared without regard to case.
  func list(named name: String) throws -> Checklist?
  /// The list with this UUID.
  func list(uuid: UUID) throws -> Checklist?
  /// Every list, or the one with this id, with the counts of its to-dos, by position, then id. To-dos due before `now`
  /// are overdue.
  func listSummaries(of id: Int64?, now: Date) throws -> [ListSummary]

  /// The item with this id.
  func item(id: Int64) throws -> ItemListing?
  /// The item with this UUID.
  func item(uuid: UUID) throws -> ItemListing?
  /// The item with this key, compared byte for byte.
  func item(key: String) throws -> ItemListing?
  /// Visits each matching item, in the query's order.
  func visitItems(_ query: ItemQuery, _ body: (ItemListing) throws -> VisitResult) throws
  /// The number of unchecked to-dos on a list, or on all lists for `nil`; only those due before `dueBefore` if given.
  func uncheckedCount(listID: Int64?, dueBefore: Date?) throws -> Int

  /// The lowest ids that were never used, and other counters of the store.
  func counters() throws -> StoreCounters
  /// The position after the last item of a list.
  func endPosition(listID: Int64) throws -> Int64

  /// The stored reminders of an item or list: of one occurrence and in one state, if given.
  func reminders(of owner: ReminderOwner, at wallTime: WallTime?, state: Reminder.State?) throws -> [Reminder]
  /// The reminder with this id.
  func reminder(id: UUID) throws -> Reminder?
  /// True if a reminder has fired or ended after an instant, as happens if the clock was set back.
  func hasEndedReminder(after instant: Date) throws -> Bool
  /// The reminders that were missed and noted as that since an instant, by fire date.
  func missedReminders(since instant: Date) throws -> [Reminder]
  /// Visits the scheduled reminders, soonest first, at most `limit`. Within a minute, items come before lists, each by
  /// id.
  func visitPending(limit: Int?, _ body: (PendingReminder) throws -> VisitResult) throws
  /// The scheduled snoozes of items and lists, in no order.
  func snoozes() throws -> [Reminder]
  /// Scheduled reminders with a fire date at or before `now`, in the order of ``visitPending(limit:_:)``, at most
  /// `limit`.
  func dueReminders(at now: Date, limit: Int) throws -> [Reminder]
  /// True if the owner has a scheduled reminder with a fire date in `earliest < fireDate ≤ latest`, other than one of
  /// an escalation.
  func hasScheduled(_ owner: ReminderOwner, after earliest: FireDate, through latest: Date) throws -> Bool

  /// The message with this id.
  func message(id: UUID) throws -> Message?
  /// True if a message was claimed with tokens, so that their key is still needed.
  func hasMessageWithTokens() throws -> Bool
  /// The delivery with this id.
  func delivery(id: Int64) throws -> Delivery?
  /// Visits each matching delivery with its message, newest first.
  func visitDeliveries(_ query: DeliveryQuery, _ body: (Delivery, Message) throws -> VisitResult) throws
  /// Pending deliveries of a sink that are due for an attempt, by next attempt, then id, at most `limit`. Those in
  /// `busy` are left out without reading their messages.
  func attemptableDeliveries(
    sink: String, at now: Date, besides busy: Set<Int64>, limit: Int
  ) throws -> [(Delivery, Message)]
  /// The earliest next attempt after `now` of a sink's pending deliveries.
  func nextAttempt(sink: String, after now: Date) throws -> Date?
  /// The ids, in order, of the pending deliveries that lie ahead of an instant, as after the clock was set back: those
  /// whose last attempt is later, and those without an attempt that were claimed later and are not held.
  func deliveries(aheadOf instant: Date) throws -> [Int64]
  /// The names of all sinks with pending deliveries.
  func sinksWithPendingDeliveries() throws -> Set<String>
  /// The deliveries that carry a reminder of this item or list, with their messages, oldest first; only those in
  /// `state` if given.
  func deliveries(of owner: ReminderOwner, state: Delivery.State?) throws -> [(Delivery, Message)]
  /// The deliveries, pending or discarded, that were begun and may have no outcome yet; `nil` if beginning writes
  /// nothing.
  func begunDeliveries() throws -> Set<Int64>?
  /// The ids of the deliveries among these that are pending and due for an attempt.
  func attemptable(_ ids: [Int64], at now: Date) throws -> Set<Int64>
  /// The deliveries that wait for their follow-up (``Delivery/awaitsFollowUp``), by id.
  func deliveriesToFollowUp() throws -> [Delivery]
  /// The attempts of a delivery, oldest first.
  func attempts(of deliveryID: Int64) throws -> [AttemptRecord]
  /// The answer with this number.
  func answer(id: Int64) throws -> Answer?
  /// The answers to the reminders of this item or list, by number.
  func answers(of owner: ReminderOwner) throws -> [Answer]
  /// The latest answer of a channel with this identity.
  func latestAnswer(by channel: Answer.Channel, externalID: String) throws -> Answer?
  /// Visits answers, newest first, at most `limit`.
  func visitAnswers(limit: Int?, _ body: (Answer) throws -> VisitResult) throws
  /// The problems of sinks, by name.
  func sinkProblems() throws -> [SinkProblem]
  /// The inboxes, which receive answers, by sink name.
  func inboxes() throws -> [SinkInbox]
  /// The people who were given a number, by number.
  func people() throws -> [KnownPerson]
  /// The person with this name, compared byte for byte; `nil` for a name that was given no number yet.
  func person(named name: String) throws -> KnownPerson?

  func counts() throws -> StoreCounts
  /// Passes all records to `body`: counters, then lists, items, reminders, messages, deliveries with their attempts, so
  /// that each record refers to earlier ones only, then sink problems, answers, inboxes and people.
  func forEachRecord(_ body: (StoreRecord) throws -> Void) throws
  /// The time at which another program, such as an editor, last changed items or lists; `nil` if none has since the
  /// last planning.
  func editedElsewhere() throws -> Date?
  /// The files of other programs that cannot be read or are gone, one sentence each.
  func editFaults() throws -> [String]
  /// The parts of files of other programs that are not followed, one sentence each.
  func editNotes() throws -> [String]
  /// A number that each stored change raises; `nil` for a store without one.
  func changeNumber() throws -> Int64?
  /// True if a request was noted as done; see ``StoreTransaction/note(request:at:forgettingUntil:)``.
  func isDone(request: String) throws -> Bool
  /// The undo records of a direction, the newest first.
  func undoRecords(_ direction: UndoRecord.Direction) throws -> [UndoRecord]
  /// Skips records with values that Belfry never writes, while `body` runs.
  ///
  /// Without this, one such record fails the whole read. That is right for a command that changes or copies something,
  /// and wrong for the daemon, which must ring for all other items, and for a command that shows them.
  ///
  /// - Parameter leaveOut: called for each skipped record.
  func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result
}

extension StoreView {
  /// Runs `body`, since a store that decodes everything before it returns any record cannot skip single records.
  public func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result { try body() }

  /// Looks up each delivery by itself.
  public func attemptable(_ ids: [Int64], at now: Date) throws -> Set<Int64> {
    Set(try ids.filter { try isAttemptable($0, at: now) })
  }

  /// `nil`, since beginning a delivery writes nothing.
  public func begunDeliveries() throws -> Set<Int64>? { nil }

  /// `nil`, since the store has no such number.
  public func changeNumber() throws -> Int64? { nil }

  /// Empty, since a store of one file is read as a whole or not at all.
  public func editFaults() throws -> [String] { [] }

  /// Empty by default.
  public func editNotes() throws -> [String] { [] }

  /// True if another program has changed items or lists since the last planning.
  public func isEditedElsewhere() throws -> Bool { try editedElsewhere() != nil }

  /// Every list with its counts; see ``listSummaries(of:now:)``.
  public func listSummaries(now: Date) throws -> [ListSummary] { try listSummaries(of: nil, now: now) }

  /// The inbox of a sink, whose name is compared byte for byte; `nil` for none.
  public func inbox(ofSink sink: String) throws -> SinkInbox? {
    try inboxes().first { $0.sink.utf8.elementsEqual(sink.utf8) }
  }

  /// Every stored reminder of an item or list, in any state.
  public func reminders(of owner: ReminderOwner) throws -> [Reminder] {
    try reminders(of: owner, at: nil, state: nil)
  }
}

extension StoreView {
  /// True if a delivery is pending and due.
  package func isAttemptable(_ id: Int64, at now: Date) throws -> Bool {
    guard let delivery = try delivery(id: id), delivery.state == .pending, let next = delivery.nextAttemptAt else {
      return false
    }
    return next <= now
  }
}

/// One change of a store, valid only inside the call that provides it.
public protocol StoreTransaction: StoreView {
  /// Makes a part of the change: if `body` throws, that part is undone, and what came before it stays.
  ///
  /// - Returns: the result of `body`, or its error.
  /// - Throws: an error of the store itself, after which the whole change has to end.
  func savepoint<Output>(_ body: () throws -> Output) throws -> Result<Output, any Error>

  /// Records the zone in which floating items are planned.
  func setPlannedZone(_ identifier: String) throws

  /// Adds a list, with the next id.
  func addList(name: String, uuid: UUID, at now: Date) throws -> Checklist
  /// Replaces the list with this id.
  func update(_ list: Checklist) throws
  /// Deletes a list, which must have no items.
  func deleteList(id: Int64) throws

  /// Adds an item at the end of its list.
  ///
  /// - Parameters:
  ///   - preferredID: an id not below the counter at the start of the transaction and not used since;
  ///     `nil` for the next one, which is 1 for the first item.
  ///   - make: builds the item from its id and position; the item must have that id.
  func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item
  /// Replaces the item with this id.
  func update(_ item: Item) throws
  /// Deletes an item. Its reminders are kept as history.
  func deleteItem(id: Int64) throws

  /// Adds a reminder, or replaces the one with this id.
  func put(_ reminder: Reminder) throws
  /// Adds a message with one pending delivery for each recipient, due at `permittedFrom`: when the message is claimed,
  /// or later if it is held. So a new delivery never comes before one that is due already.
  ///
  /// - Returns: the deliveries as stored, in the recipients' order.
  @discardableResult
  func add(_ message: Message, recipients: [String?], fireDate: FireDate, permittedFrom: Date) throws -> [Delivery]
  /// Replaces the delivery with this id.
  func update(_ delivery: Delivery) throws
  /// Closes a pending delivery as delivered, with one more attempt and no error, and adds that attempt.
  ///
  /// - Parameters:
  ///   - attempt: the successful attempt.
  ///   - now: the time of closing, in whole seconds.
  /// - Returns: whether the delivery was pending; if not, nothing is changed.
  func closeDelivered(by attempt: AttemptRecord, at now: Date) throws -> Bool
  /// Begins attempts of those deliveries that are pending and due. An answer that was committed before keeps a delivery
  /// from beginning; one that is committed later does not. From here to the commit no other transaction changes these
  /// rows.
  ///
  /// Called if the store has no ``ItemStore/changeCount()``.
  ///
  /// - Returns: the deliveries that were begun, each with the term of the lease under which it was.
  func begin(_ deliveries: [Int64], at now: Date) throws -> DeliveryBegins
  /// The deliveries that this daemon still has: no other daemon has taken over their sink and begun them again. From
  /// here to the commit no other transaction changes these rows.
  func holding(_ begins: DeliveryBegins) throws -> Set<Int64>
  /// Proves that this daemon leads, and keeps others from leading until the commit.
  ///
  /// - Throws: ``NoLongerLeads``.
  func lead() throws
  /// Adds an attempt after the earlier ones of its delivery, which must exist. It is deleted together with the
  /// delivery.
  func add(_ attempt: AttemptRecord) throws
  /// Adds an answer under the next number, whatever number it has.
  func add(_ answer: Answer) throws -> Answer
  /// Sets when an answer was taken back, and how to take it back, by its number.
  func update(_ answer: Answer) throws
  /// Sets the problem of a sink.
  func put(_ problem: SinkProblem) throws
  /// Removes the problem of a sink.
  func endProblem(ofSink sink: String) throws
  /// Stores the inbox of a sink.
  func put(_ inbox: SinkInbox) throws
  /// Removes the inbox of a sink.
  func removeInbox(ofSink sink: String) throws
  /// Gives a person the next number, at most ``KnownPerson/highestNumber``. A person who is known keeps theirs.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` if all numbers were given.
  func addPerson(named name: String) throws -> KnownPerson

  /// Deletes messages whose deliveries are all closed, and cancelled, fired and missed reminders, if they ended before
  /// `cutoff`; at most about `limit` of each. Returns the number of deleted rows.
  func prune(endedBefore cutoff: Date, limit: Int) throws -> Int

  /// Notes that a request is done, in the change that carries it out, so that it never takes effect twice. Notes are
  /// neither copied nor undone.
  ///
  /// - Parameters:
  ///   - request: the unique id of the request, an idempotency key.
  ///   - cutoff: the notes from this time and before are forgotten.
  func note(request: String, at now: Date, forgettingUntil cutoff: Date) throws

  /// Adds an undo record as the newest, and forgets the oldest beyond ``UndoRecord/mostKept``.
  func add(_ undo: UndoRecord) throws
  /// Removes an undo record; of several that are equal, the newest.
  func remove(_ undo: UndoRecord) throws

  /// Deletes everything, including the counters and the undo records.
  func removeEverything() throws
  /// Adds a record of another store unchanged, with its id. The records to which it refers must be here already.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a text or date that the store's format cannot hold.
  func restore(_ record: StoreRecord) throws
  /// Marks changes by other programs as planned.
  func acknowledgeEdits() throws
}
