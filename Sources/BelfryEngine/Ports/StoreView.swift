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
  /// The reminders that were recorded as missed since an instant, by fire date.
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
  /// True if a message was claimed with tokens; their key is still needed then.
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
  /// The items that have changed since then, with those that are gone; `nil` if any may have.
  func editedItems() throws -> [Int64]?
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

  /// `nil`, since a store of one file does not know what changed in it.
  public func editedItems() throws -> [Int64]? { nil }

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

  /// The names of the people to whom the store gave a number, by number.
  public func personNames() throws -> [Int64: String] {
    Dictionary(try people().map { ($0.number, $0.name) }) { first, _ in first }
  }

  /// The name of the person with a number; `nil` for no one in particular.
  package func personName(_ number: Int64) throws -> String? { number == 0 ? nil : try personNames()[number] }
}
