import CPostgres
import ConfigKeys
import SQLRecords

/// A connection to a server, used by one thread at a time, with its prepared statements.
final class PostgresConnection: SQLConnection {
  /// A statement of this connection: with a name if it is prepared.
  struct Statement {
    fileprivate let name: String
    let text: SQLText
  }

  private let connection: OpaquePointer
  /// The statements that set up each transaction, on a connection whose settings do not outlive a transaction. It
  /// prepares no statement, and runs a single statement as a transaction. `nil` if the connection keeps its session.
  var transactionSettings: String?
  /// True once it listens for notifications.
  private(set) var isListening = false
  private var patience: Int32
  private var beginPatience: Int32
  private var prepared: [String: Statement] = [:]
  private var tables: [UInt32: String] = [:]
  var openCursors = 0
  /// The rows inserted, changed or deleted since the connection was opened.
  private(set) var changes = 0
  /// The first refusal since the last ``script(_:limit:)``; after it, a transaction cannot be committed.
  private(set) var refusal: PostgresError?

  /// Connects.
  ///
  /// - Parameters:
  ///   - url: the connection string.
  ///   - connectTimeout: the longest wait for each address of a host, in seconds.
  ///   - limits: the longest waits for responses.
  /// - Throws: ``PostgresError``, whose message never has the string.
  init(_ url: Secret, connectTimeout: Int, limits: PostgresLimits) throws {
    let opened = try PostgresOpening.open(url, seconds: connectTimeout, limit: limits.connect)
    connection = opened
    (patience, beginPatience) = Self.patience(limits)
    guard belfry_pg_is_connected(opened) == 0 else { return }
    // A throwing initialiser ends with `deinit`, which closes it.
    throw PostgresError(refusing: Self.lines(belfry_pg_message(opened)))
  }

  deinit { belfry_pg_close(connection) }

  /// Sets the longest waits for responses.
  func setPatience(_ limits: PostgresLimits) { (patience, beginPatience) = Self.patience(limits) }

  // A live server begins a transaction at once, but a pooler may have no free session.
  private static func patience(_ limits: PostgresLimits) -> (Int32, Int32) {
    (milliseconds(limits.patience), milliseconds(min(limits.patience, Double(limits.connect))))
  }

  private static func milliseconds(_ seconds: Double) -> Int32 { Int32(clamping: Int(seconds * 1_000)) }

  /// Listens for notifications on a channel from now on.
  func listen(to channel: String) throws {
    try script("LISTEN \(channel.inSQL)")
    isListening = true
  }

  /// True while nothing has shown that the connection is lost.
  var isConnected: Bool { belfry_pg_is_connected(connection) != 0 }

  /// Becomes readable when the server sends something; -1 without a connection.
  var descriptor: Int32 { belfry_pg_socket(connection) }

  /// Takes in the notifications of other connections. Returns their number; `nil` if the connection is lost.
  func takeInNotifications() -> Int? {
    let count = belfry_pg_notices(connection)
    return count < 0 ? nil : Int(count)
  }

  /// The id of the server process that was announced at the connection; a pooler announces another id.
  var announcedProcess: Int32 { belfry_pg_process(connection) }

  /// Begins a transaction, and returns the id of the server process that runs it.
  func beginTellingProcess() throws -> Int32? {
    try begin("ISOLATION LEVEL READ COMMITTED", "SELECT pg_backend_pid()").text.flatMap { Int32($0) }
  }

  /// The version of the server, such as 150004.
  var serverVersion: Int { Int(belfry_pg_server_version(connection)) }

  func prepare(_ sql: String, isLong: Bool) throws -> any PreparedStatement {
    let cursor = isLong ? "belfry_cursor_\(openCursors)" : nil
    let statement = try named(cursor.map { "DECLARE \($0) NO SCROLL CURSOR FOR \(sql)" } ?? sql)
    return PostgresStatement(self, statement, cursor: cursor)
  }

  /// Runs a statement without values.
  func run(_ sql: String) throws -> PostgresResult { try run(named(sql), PostgresValues(count: 0)) }

  /// Runs a statement with values as texts, `nil` for NULL.
  func run(_ statement: Statement, _ values: PostgresValues) throws -> PostgresResult {
    let result = try values.withAddresses { count, addresses in
      guard transactionSettings != nil else {
        return try finish { belfry_pg_run(connection, statement.name, count, addresses, patience, $0) }
      }
      return try together {
        try finish { belfry_pg_query(connection, statement.text.numbered, count, addresses, patience, $0) }
      }
    }
    changes += result.changes
    return result
  }

  /// Begins a transaction.
  ///
  /// - Parameters:
  ///   - mode: the words after BEGIN.
  ///   - next: further statements without values, which are sent with it.
  @discardableResult
  func begin(_ mode: String = "ISOLATION LEVEL READ COMMITTED", _ next: String = "") throws -> PostgresResult {
    try script("BEGIN \(mode); \(transactionSettings ?? ""); \(next)", wait: beginPatience)
  }

  /// Runs statements. Each is a transaction of its own, unless one is open. If each would have to make the settings,
  /// all are one transaction.
  func together<Result>(_ body: () throws -> Result) throws -> Result {
    guard transactionSettings != nil, belfry_pg_is_idle(connection) != 0 else { return try body() }
    do {
      try begin()
      let result = try body()
      try script("COMMIT")
      return result
    } catch {
      _ = try? script("ROLLBACK")
      throw error
    }
  }

  /// Runs statements without values, separated by semicolons.
  ///
  /// - Parameter limit: the longest wait for the response, in seconds; `nil` for the usual one.
  @discardableResult
  func script(_ sql: String, limit: Double? = nil) throws -> PostgresResult {
    try script(sql, wait: limit.map(Self.milliseconds) ?? patience)
  }

  private func script(_ sql: String, wait: Int32) throws -> PostgresResult {
    refusal = nil
    return try finish(within: wait) { belfry_pg_script(connection, sql, wait, $0) }
  }

  private func named(_ sql: String) throws -> Statement {
    if let known = prepared[sql] { return known }
    let statement = Statement(name: "belfry_\(prepared.count)", text: SQLText(sql))
    if transactionSettings == nil {
      _ = try finish { belfry_pg_prepare(connection, statement.name, statement.text.numbered, patience, $0) }
    }
    prepared[sql] = statement
    return statement
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

  private func finish(within wait: Int32? = nil, _ run: (UnsafeMutablePointer<OpaquePointer?>) -> belfry_pg_end) throws
    -> PostgresResult
  {
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
      throw PostgresError(
        state: nil, message: "the server did not answer within \((wait ?? patience) / 1_000) s", isSilent: true)
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
