import SQLRecords

/// An error of the server or of the connection to it.
struct PostgresError: DatabaseFault {
  /// The SQLSTATE; `nil` if the server has said nothing.
  let state: String?
  /// The message of the server, or of libpq.
  let message: String
  /// True if the server did not respond within the limit.
  var isSilent = false

  /// True if the connection ended, so that only a new one can show the outcome of the last statement.
  var isConnectionLost: Bool {
    guard let state else { return true }
    return state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"].contains(state)
  }

  /// True if the same transaction may succeed when it is begun again.
  var isCollision: Bool { state == "40001" || state == "40P01" }
}
