import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

extension SQLTransaction {
  private static let columns = """
    delivery.id, message.uuid, delivery.sink, delivery.recipient, delivery.fire_date, delivery.state,
    delivery.attempts, delivery.permitted_from, delivery.next_attempt_at, delivery.last_attempt_at,
    delivery.closed_at, delivery.last_error, delivery.awaits_follow_up, delivery.unknown
    """
  private static let messageColumns = """
    message.contents, message.created_at, message.domain, message.answer_key, message.answer_expiry,
    message.withdrawable, message.person, message.unknown
    """
  private static let deliveries = "SELECT \(columns) FROM delivery JOIN message ON message.id = delivery.message_id"
  private static let withMessages = """
    SELECT \(columns), \(messageColumns)
    FROM delivery JOIN message ON message.id = delivery.message_id
    """

  private static let fewMessages: Int64 = 20_000

  package func message(id: UUID) throws -> Message? {
    try firstRow("SELECT sink, \(Self.messageColumns) FROM message WHERE uuid = ?", id) { row in
      try message(id: id, sink: row.at(0), row, from: 1)
    }
  }

  package func hasMessageWithTokens() throws -> Bool {
    try firstRow("SELECT 1 FROM message WHERE answer_key IS NOT NULL LIMIT 1") { _ in } != nil
  }

  package func delivery(id: Int64) throws -> Delivery? {
    try firstRow("\(Self.deliveries) WHERE delivery.id = ? \(dialect.locking)", id, make: delivery)
  }

  package func visitDeliveries(_ query: DeliveryQuery, _ body: (Delivery, Message) throws -> VisitResult) throws {
    var (conditions, arguments) = (["TRUE"], SQLArguments())
    if let state = query.state { conditions.append("delivery.state = \(state.rawValue)") }
    if let sink = query.sink {
      conditions.append("delivery.sink = ?")
      arguments += [sink]
    }
    if let before = query.before {
      conditions.append("delivery.id < ?")
      arguments += [before]
    }
    if let lists = query.lists { conditions.append(try ownerCondition(lists)) }
    let sql = "\(Self.withMessages) WHERE \(conditions.joined(separator: " AND ")) ORDER BY delivery.id DESC LIMIT ?"
    try visitRows(sql, arguments, query.limit ?? .max) { row in
      let (delivery, message) = try deliveryWithMessage(row)
      return try body(delivery, message)
    }
  }

  // For few messages, deliveries are looked up by the messages' numbers; for many, the newest deliveries soon contain
  // enough, and collecting all numbers first would take longer.
  private func ownerCondition(_ lists: Set<Int64>) throws -> String {
    // PostgreSQL has no empty list, and nothing equals NULL.
    let lists = lists.isEmpty ? "NULL" : lists.sorted().map(String.init).joined(separator: ",")
    let owned = """
      SELECT message_id FROM message_owner WHERE owner_is_list = TRUE AND owner_id IN (\(lists))
      UNION ALL SELECT message_id FROM message_owner
      WHERE owner_is_list = FALSE AND owner_id IN (SELECT id FROM item WHERE list_id IN (\(lists)))
      """
    guard try integer("SELECT count(*) FROM (\(owned) LIMIT \(Self.fewMessages)) AS owned") == Self.fewMessages else {
      // The sign keeps SQLite from reading the messages one by one and sorting them.
      return "+delivery.message_id IN (\(owned))"
    }
    return """
      EXISTS (SELECT 1 FROM message_owner LEFT JOIN item ON owner_is_list = FALSE AND item.id = owner_id
        WHERE message_owner.message_id = delivery.message_id
          AND CASE owner_is_list WHEN TRUE THEN owner_id ELSE item.list_id END IN (\(lists)))
      """
  }

  package func attemptableDeliveries(
    sink: String, at now: Date, besides busy: Set<Int64>, limit: Int
  ) throws -> [(Delivery, Message)] {
    var found: [(Delivery, Message)] = []
    try visitRows(
      """
      \(Self.withMessages) WHERE delivery.state = 0 AND delivery.sink = ? AND delivery.next_attempt_at <= ?
      ORDER BY delivery.next_attempt_at, delivery.id LIMIT ?
      """, sink, now.timeIntervalSince1970, limit + busy.count
    ) { row in
      if found.count < limit, !busy.contains(try row.at(0)) { found.append(try deliveryWithMessage(row)) }
      return found.count < limit ? .next : .stop
    }
    return found
  }

  package func nextAttempt(sink: String, after now: Date) throws -> Date? {
    try firstRow(
      """
      SELECT next_attempt_at FROM delivery WHERE state = 0 AND sink = ? AND next_attempt_at > ?
      ORDER BY next_attempt_at LIMIT 1
      """, sink, now.timeIntervalSince1970
    ) { try Date(timeIntervalSince1970: $0.at(0)) }
  }

  package func deliveries(aheadOf instant: Date) throws -> [Int64] {
    // A delivery that is permitted only after its claim is held, and does not count.
    try rows(
      """
      SELECT id FROM delivery WHERE state = 0 AND CASE WHEN last_attempt_at IS NULL
        THEN permitted_from > ?1
          AND permitted_from <= (SELECT created_at FROM message WHERE message.id = delivery.message_id)
        ELSE last_attempt_at > ?1 END
      ORDER BY id
      """, instant.stored
    ) { try $0.at(0) }
  }

  package func sinksWithPendingDeliveries() throws -> Set<String> {
    Set(try rows("SELECT DISTINCT sink FROM delivery WHERE state = 0") { try $0.at(0) as String })
  }

  package func deliveries(of owner: ReminderOwner, state: Delivery.State?) throws -> [(Delivery, Message)] {
    let condition = state.map { "AND delivery.state = \($0.rawValue)" } ?? ""
    return try rows(
      """
      SELECT \(Self.columns), \(Self.messageColumns) FROM message_owner
        JOIN message ON message.id = message_owner.message_id
        JOIN delivery ON delivery.message_id = message.id
      WHERE owner_is_list = ? AND owner_id = ? \(condition) ORDER BY delivery.id
      """, owner.isList, owner.number, make: deliveryWithMessage)
  }

  func visitMessages(_ body: (Message) throws -> Void) throws {
    try forEachRow("SELECT uuid, sink, \(Self.messageColumns) FROM message ORDER BY id") { row in
      try body(message(id: row.at(0), sink: row.at(1), row, from: 2))
    }
  }

  func visitDeliveriesByNumber(_ body: (Delivery) throws -> Void) throws {
    try forEachRow("\(Self.deliveries) ORDER BY delivery.id") { try body(delivery($0)) }
  }

  /// Inserts a message and returns its number.
  func insert(_ message: Message) throws -> Int64 {
    let number = try take(.message)
    try execute(
      """
      INSERT INTO message
        (id, uuid, sink, contents, created_at, domain, answer_key, answer_expiry, withdrawable, person, unknown)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      number, message.id, message.sink, message.contents.json, message.createdAt.stored, message.domain,
      (message.tokens?.key).map(Int64.init), (message.tokens?.expiry).map(Int64.init), message.isWithdrawable,
      message.person, message.unknown?.object)
    for owner in message.contents.map(\.owner) {
      // An owner may ring twice in one message.
      try execute(
        "INSERT INTO message_owner (owner_is_list, owner_id, message_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        owner.isList, owner.number, number)
    }
    return number
  }

  package func add(
    _ message: Message, recipients: [String?], fireDate: FireDate, permittedFrom: Date
  ) throws -> [Delivery] {
    let number = try insert(message)
    return try recipients.map { recipient in
      let id = try take(.delivery)
      try execute(
        """
        INSERT INTO delivery
          (id, message_id, sink, recipient, fire_date, state, attempts, permitted_from, next_attempt_at)
        VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)
        """,
        id, number, message.sink, recipient, fireDate.secondsSinceEpoch, permittedFrom.stored,
        permittedFrom.timeIntervalSince1970)
      return Delivery(
        id: id, messageID: message.id, sink: message.sink, recipient: recipient, fireDate: fireDate,
        permittedFrom: Date(stored: permittedFrom.stored), nextAttemptAt: permittedFrom)
    }
  }

  package func deliveriesToFollowUp() throws -> [Delivery] {
    let condition = "delivery.awaits_follow_up = TRUE ORDER BY delivery.id \(dialect.locking)"
    return try rows("\(Self.deliveries) WHERE \(condition)", make: delivery)
  }

  package func closeDelivered(by attempt: AttemptRecord, at now: Date) throws -> Bool {
    let closed = try execute(
      """
      UPDATE delivery SET state = 1, attempts = attempts + 1, next_attempt_at = NULL, last_attempt_at = ?, closed_at = ?,
        last_error = NULL WHERE id = ? AND state = 0
      """, attempt.startedAt.stored, now.stored, attempt.deliveryID)
    guard closed > 0 else { return false }
    try add(attempt)
    return true
  }

  package func update(_ delivery: Delivery) throws {
    try execute(
      """
      UPDATE delivery SET state = ?, attempts = ?, permitted_from = ?, next_attempt_at = ?, last_attempt_at = ?,
        closed_at = ?, last_error = ?, awaits_follow_up = ? WHERE id = ?
      """,
      delivery.state.rawValue, delivery.attempts, delivery.permittedFrom.stored,
      delivery.nextAttemptAt?.timeIntervalSince1970, delivery.lastAttemptAt?.stored, delivery.closedAt?.stored,
      delivery.lastError, delivery.awaitsFollowUp, delivery.id)
  }

  package func prune(endedBefore cutoff: Date, limit: Int) throws -> Int {
    var count = try execute(
      """
      DELETE FROM message WHERE id IN (
        SELECT message_id FROM delivery AS ended WHERE state <> 0 AND closed_at < ? AND NOT EXISTS (
          SELECT 1 FROM delivery WHERE message_id = ended.message_id AND (state = 0 OR closed_at >= ?)) LIMIT ?)
      """, cutoff.stored, cutoff.stored, limit)
    count += try execute(
      """
      DELETE FROM reminder WHERE (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial) IN (
        SELECT owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial FROM reminder
        WHERE state <> 0 AND changed_at < ? LIMIT ?)
      """, cutoff.stored, limit)
    return try count + forgetAnswers(before: cutoff, limit: limit)
  }

  private func deliveryWithMessage(_ row: SQLRow) throws -> (Delivery, Message) {
    let delivery = try delivery(row)
    return (delivery, try message(id: delivery.messageID, sink: delivery.sink, row, from: 14))
  }

  // A message, whose columns start at this one in the row.
  private func message(id: UUID, sink: String, _ row: SQLRow, from first: Int) throws -> Message {
    let person: Int64 = try row.at(first + 6)
    guard 0...KnownPerson.highestNumber ~= person else {
      throw StoredValueFault("an invalid person number", first + 6)
    }
    var message = try Message(
      id: id, sink: sink, person: person, contents: contents(row.at(first), of: id),
      createdAt: Date(stored: row.at(first + 1)), domain: row.at(first + 2), tokens: tokens(row, from: first + 3),
      isWithdrawable: row.at(first + 5))
    message.unknown = try UnknownFields(stored: row.at(first + 7), of: Message.form.kind)
    return message
  }

  private func tokens(_ row: SQLRow, from first: Int) throws -> MessageTokens? {
    guard let key: Int64 = try row.at(first) else { return nil }
    let expiry: Int64 = try row.at(first + 1)
    guard 0...31 ~= key else { throw StoredValueFault("a key that is not from 0 to 31", first) }
    guard 0...0xff_ffff ~= expiry else { throw StoredValueFault("an hour of more than 24 bits", first + 1) }
    return MessageTokens(key: UInt8(key), expiry: UInt32(expiry))
  }

  private func contents(_ json: String, of id: UUID) throws -> [ReminderContent] {
    do {
      return try [ReminderContent](json: json)
    } catch {
      throw StoredValueFault("the contents of message \(id.text) cannot be read: \(error.message)")
    }
  }

  private func delivery(_ row: SQLRow) throws -> Delivery {
    guard let state = Delivery.State(rawValue: try row.at(5)) else {
      throw StoredValueFault("an unknown state", 5)
    }
    var delivery = try Delivery(
      id: row.at(0), messageID: row.at(1), sink: row.at(2), recipient: row.at(3),
      fireDate: FireDate(stored: row.at(4)), state: state, attempts: row.at(6), permittedFrom: Date(stored: row.at(7)),
      nextAttemptAt: (row.at(8) as Double?).map { Date(timeIntervalSince1970: $0) },
      lastAttemptAt: (row.at(9) as Int64?).map(Date.init(stored:)),
      closedAt: (row.at(10) as Int64?).map(Date.init(stored:)),
      lastError: row.at(11))
    delivery.awaitsFollowUp = try row.at(12)
    delivery.unknown = try UnknownFields(stored: row.at(13), of: DeliveryRecord.form.kind)
    return delivery
  }
}
