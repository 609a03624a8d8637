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

/// PostgreSQL's own forms of statements: it keeps notes as columns of the one row of `store`.
struct PostgresDialect: SQLDialect {
  let no = "FALSE"

  let beginning: String? = """
    UPDATE delivery SET begun_at = ?2
    WHERE id = ANY (string_to_array(?1, ',')::bigint[]) AND state = 0 AND next_attempt_at <= ?3 RETURNING id, 0::bigint
    """

  let attemptable: String? = """
    SELECT id FROM delivery
    WHERE id = ANY (string_to_array(?, ',')::bigint[]) AND state = 0 AND next_attempt_at <= ?
    """

  // Pending and discarded ones.
  let begun: String? = """
    SELECT id FROM delivery WHERE state IN (0, 3) AND begun_at >= coalesce(last_attempt_at, begun_at)
    """

  // The tables are documented for reading only, so edits in them are not planned.
  func reading(_ note: SQLNote) -> String? {
    switch note {
    case .editedAt, .editFaults, .editNotes: nil
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
