import BelfryModel
import CivilTime
import FoundationEssentials

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
  /// Adds an answer under the next number, which replaces the number that it has.
  func add(_ answer: Answer) throws -> Answer
  /// Updates the answer with this number: the time at which it was taken back, and its undo image.
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
