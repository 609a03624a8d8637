import CPostgres
import ConfigKeys
import SQLRecords

/// A connection to a server, used by one thread at a time, with its prepared statements.
final class PostgresConnection: SQLConnection {
  private let connection: OpaquePointer
  /// True once it hears what others say.
  private(set) var isListening = false
  private var patience: Int32
  private var prepared: [String: (name: String, text: SQLText)] = [:]
  private var tables: [UInt32: String] = [:]
  /// The cursors that are open.
  var openCursors = 0
  /// The rows inserted, changed or deleted since the connection was opened.
  private(set) var changes = 0
  /// The first refusal since the last ``script(_:limit:)``; after it, a transaction cannot be committed.
  private(set) var refusal: PostgresError?

  /// Connects.
  ///
  /// - Parameters:
  ///   - url: the connection string.
  ///   - connectTimeout: the longest wait for each host, in seconds.
  ///   - patience: the longest wait for an answer, in seconds.
  /// - Throws: ``PostgresError``, whose message never has the string.
  init(_ url: Secret, connectTimeout: Int, patience: Double) throws {
    guard let opened = belfry_pg_open(url.revealed, "\(connectTimeout)") else {
      throw PostgresError(state: "53200", message: "out of memory")
    }
    (connection, self.patience) = (opened, Self.milliseconds(patience))
    guard belfry_pg_is_connected(opened) == 0 else { return }
    // A throwing initialiser ends with `deinit`, which closes it.
    throw PostgresError(refusing: Self.lines(belfry_pg_message(opened)))
  }

  deinit { belfry_pg_close(connection) }

  /// Sets the longest wait for an answer, in seconds.
  func setPatience(_ seconds: Double) { patience = Self.milliseconds(seconds) }

  private static func milliseconds(_ seconds: Double) -> Int32 { Int32(clamping: Int(seconds * 1_000)) }

  /// Hears from now on what others say on a channel.
  func listen(to channel: String) throws {
    try script("LISTEN \(channel.inSQL)")
    isListening = true
  }

  /// True while nothing has shown that the connection is lost.
  var isConnected: Bool { belfry_pg_is_connected(connection) != 0 }

  /// Becomes readable when the server sends something; -1 without a connection.
  var descriptor: Int32 { belfry_pg_socket(connection) }

  /// Takes in what other connections have said. Returns how often; `nil` if the connection is lost.
  func takeInNotifications() -> Int? {
    let count = belfry_pg_notices(connection)
    return count < 0 ? nil : Int(count)
  }

  /// The version of the server, such as 150004.
  var serverVersion: Int { Int(belfry_pg_server_version(connection)) }

  func prepare(_ sql: String, isLong: Bool) throws -> any PreparedStatement {
    let cursor = isLong ? "belfry_cursor_\(openCursors)" : nil
    let (name, text) = try named(cursor.map { "DECLARE \($0) NO SCROLL CURSOR FOR \(sql)" } ?? sql)
    return PostgresStatement(self, name, text, cursor: cursor)
  }

  /// Runs a statement without values.
  func run(_ sql: String) throws -> PostgresResult { try run(named(sql).name, PostgresValues(count: 0)) }

  /// Runs a prepared statement with values as texts, `nil` for NULL.
  func run(_ name: String, _ values: PostgresValues) throws -> PostgresResult {
    let result = try values.withAddresses { count, addresses in
      try finish { belfry_pg_run(connection, name, count, addresses, patience, $0) }
    }
    changes += result.changes
    return result
  }

  /// Runs statements without values, separated by semicolons.
  ///
  /// - Parameter limit: the longest wait for the answer, in seconds; `nil` for the usual one.
  @discardableResult
  func script(_ sql: String, limit: Double? = nil) throws -> PostgresResult {
    refusal = nil
    let wait = limit.map { Int32(clamping: Int($0 * 1_000)) } ?? patience
    return try finish { belfry_pg_script(connection, sql, wait, $0) }
  }

  private func named(_ sql: String) throws -> (name: String, text: SQLText) {
    if let known = prepared[sql] { return known }
    let (name, text) = ("belfry_\(prepared.count)", SQLText(sql))
    _ = try finish { belfry_pg_prepare(connection, name, text.numbered, patience, $0) }
    prepared[sql] = (name, text)
    return (name, text)
  }

  /// The name of a table by its number; `nil` for an expression's.
  func tableName(_ number: UInt32) -> String? {
    guard number != 0 else { return nil }
    if let known = tables[number] { return known }
    let sql = "SELECT relname::text FROM pg_class WHERE oid = ?::bigint::oid"
    let name: String? = try? statement(sql).first(Int64(number)) { try $0.at(0) }
    tables[number] = name
    return name
  }

  private func finish(_ run: (UnsafeMutablePointer<OpaquePointer?>) -> belfry_pg_end) throws -> PostgresResult {
    var pointer: OpaquePointer?
    let end = run(&pointer)
    let result = pointer.map(PostgresResult.init)
    switch end {
    case BELFRY_PG_DONE:
      guard let result else { throw PostgresError(state: nil, message: "the server sent no result") }
      return result
    case BELFRY_PG_REFUSED:
      let state = belfry_pg_state(pointer).map { String(cString: $0) }
      let error = PostgresError(state: state, message: Self.lines(belfry_pg_words(pointer)).first ?? "unknown error")
      refusal = refusal ?? error
      throw error
    case BELFRY_PG_SILENT:
      throw PostgresError(state: nil, message: "the server did not answer within \(patience / 1_000) s")
    default:
      throw PostgresError(
        state: nil, message: Self.lines(belfry_pg_message(connection)).first ?? "the connection was lost")
    }
  }

  private static func lines(_ text: UnsafePointer<CChar>?) -> [String] {
    (text.map { String(cString: $0) } ?? "").split(separator: "\n").map(String.init)
  }
}

extension PostgresError {
  // "connection to server at … failed: FATAL:  28P01: password authentication failed", one line for each host. Other
  // lines name the place in the server's source, or guess. The last host's SQLSTATE counts.
  fileprivate init(refusing lines: [String]) {
    var (state, words): (String?, [String]) = (nil, [])
    for line in lines where !line.hasPrefix("LOCATION:") && !line.hasPrefix("\t") {
      let parts = line.split(separator: ": ").map(String.init)
      let mark = parts.firstIndex { Self.isState($0.filter { $0 != " " }) }
      state = mark.map { parts[$0].filter { $0 != " " } } ?? state
      words.append(parts.enumerated().filter { $0.offset != mark }.map(\.element).joined(separator: ": "))
    }
    self.init(state: state, message: words.isEmpty ? "the connection failed" : words.joined(separator: "; "))
  }

  private static func isState(_ word: String) -> Bool {
    word.utf8.count == 5 && word.first.map(\.isNumber) == true
      && word.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
  }
}
