import SQLRecords

extension SQLNumbers {
  /// The counters' columns, in the order of ``init(_:from:)``.
  static let columns = Counter.allCases.map(\.note.rawValue).joined(separator: ", ")

  /// The counters in a row, from this column on.
  init(_ row: SQLRow, from first: Int) throws {
    self.init()
    for counter in Counter.allCases { note(try row.at(first + counter.rawValue), of: counter) }
  }
}

extension SQLTransaction {
  /// Counts a change of deliveries only, if rows were changed.
  func finishDeliveries(of member: Int64, on connection: PostgresConnection, changesBefore changes: Int) throws {
    guard connection.changes != changes else { return }
    try execute("UPDATE round SET changes = changes + 1 WHERE number = ?", member & 15)
  }

  /// Writes the counters, and the number of changes if rows were changed.
  func finish(on connection: PostgresConnection, changesBefore changes: Int) throws {
    let isRaised = SQLNumbers.Counter.allCases.contains { numbers.change(of: $0) != nil }
    guard isRaised || connection.changes != changes else { return }
    try execute(
      """
      UPDATE store SET next_item_id = ?, next_list_id = ?, next_message_id = ?, next_delivery_id = ?,
        next_answer_id = ?, next_person_number = ?, changes = changes + 1,
        changed_at = extract(epoch FROM clock_timestamp())::bigint
      """, numbers[.item], numbers[.list], numbers[.message], numbers[.delivery], numbers[.answer], numbers[.person])
  }
}

/// The statements of PostgreSQL, which keeps notes as columns of the one row of `store`.
struct PostgresDialect: SQLDialect {
  let no = "FALSE"

  /// The number of this daemon among the members; `nil` in a program that is not a daemon.
  var member: Int64?
  /// The term under which this daemon leads; `nil` if it does not.
  var term: Int64?
  /// Locks rows in changes during which outcomes are recorded; see ``SQLDialect``.
  var locking = ""

  private static let ids = "id = ANY (string_to_array(?1, ',')::bigint[])"

  // The lease is locked, so that no daemon takes it before the commit. A row that another transaction is changing is
  // left for the next time, so that a start waits for no one and keeps no one waiting.
  var beginning: String? {
    guard let member else {
      return """
        UPDATE delivery SET begun_at = ?2, begun_term = 0
        WHERE \(Self.ids) AND state = 0 AND next_attempt_at <= ?3 RETURNING id, begun_term
        """
    }
    return """
      WITH lease AS (SELECT sink, term FROM sink_lease WHERE member = \(member) FOR SHARE),
        due AS (SELECT delivery.id, lease.term FROM delivery JOIN lease ON lease.sink = delivery.sink
          WHERE delivery.\(Self.ids) AND state = 0 AND next_attempt_at <= ?3 FOR UPDATE OF delivery SKIP LOCKED)
      UPDATE delivery SET begun_at = ?2, begun_term = due.term FROM due WHERE delivery.id = due.id
      RETURNING delivery.id, begun_term
      """
  }

  // Under the same lease, since the daemon that started them has them until another daemon takes their sink.
  var attemptable: String? {
    let lease = member.map {
      """
      AND begun_term = (SELECT term FROM sink_lease WHERE sink_lease.sink = delivery.sink AND sink_lease.member = \($0))
      """
    }
    return "SELECT id FROM delivery WHERE \(Self.ids) AND state = 0 AND next_attempt_at <= ?2 \(lease ?? "")"
  }

  // Pending and discarded deliveries that another daemon started, for sinks that this daemon has now.
  var begun: String? {
    guard let member else {
      return "SELECT id FROM delivery WHERE state IN (0, 3) AND begun_at >= coalesce(last_attempt_at, begun_at)"
    }
    return """
      SELECT delivery.id FROM delivery JOIN sink_lease ON sink_lease.sink = delivery.sink
      WHERE state IN (0, 3) AND begun_at > coalesce(last_attempt_at, begun_at - 1)
        AND coalesce(begun_term, 0) < sink_lease.term AND sink_lease.member = \(member)
      """
  }

  /// The query of the deliveries whose starts still hold, which locks them until the commit. Binds the ids and the
  /// terms, with commas between them.
  ///
  /// - Parameter waits: whether it waits for transactions that are changing these rows.
  func holding(waits: Bool) -> String {
    """
    SELECT delivery.id FROM delivery
      JOIN unnest(string_to_array(?, ',')::bigint[], string_to_array(?, ',')::bigint[]) AS begin (id, term)
      ON begin.id = delivery.id AND begin.term = delivery.begun_term
    ORDER BY delivery.id FOR UPDATE OF delivery\(waits ? "" : " NOWAIT")
    """
  }

  var holding: String? { holding(waits: true) }

  // Returns no row if another daemon leads, or none does.
  var leading: String? {
    member.map { "SELECT 1 FROM leader WHERE member = \($0) AND term = \(term ?? -1) FOR SHARE" }
  }

  // The tables are documented for reading only, so edits in them are not planned.
  func reading(_ note: SQLNote) -> String? {
    switch note {
    case .editedAt, .editedItems, .editFaults, .editNotes: nil
    case .changes: "SELECT changes + (SELECT sum(changes) FROM round)::bigint FROM store"
    default: "SELECT \(note.rawValue) FROM store"
    }
  }

  func writing(_ notes: [SQLNote]) -> String { setting(notes, to: "?") }

  func removing(_ notes: [SQLNote]) -> String { setting(notes, to: "NULL") }

  private func setting(_ notes: [SQLNote], to value: String) -> String {
    let columns = notes.filter { reading($0) != nil }.map { "\($0.rawValue) = \(value)" }
    return "UPDATE store SET \(columns.joined(separator: ", "))"
  }
}
