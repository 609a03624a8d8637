import BelfryModel
import SQLRecords

/// Turns the server's errors into Belfry's.
struct PostgresFailures {
  /// The store's name in messages.
  let place: String

  func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PostgresError {
      throw translate(error)
    } catch let fault as StoredValueFault {
      throw damaged(fault.message)
    } catch is TransactionPooler {
      throw pooled()
    }
  }

  private func translate(_ error: PostgresError) -> BelfryError {
    let detail = error.message
    guard let state = error.state else { return undone(detail) }
    switch Meaning(state) {
    case .locked:
      return BelfryError(
        .tryAgain, "\(place) is locked by another program: \(detail)",
        hint: "nothing was changed; try again in a moment")
    case .slow:
      return BelfryError(
        .tryAgain, "\(place): \(detail)", hint: "nothing was changed; try again when the server has less to do")
    case .lost: return undone(detail)
    case .full:
      return BelfryError(
        .storeFailed, "\(place): the server's disk is full: \(detail)",
        hint: "nothing was changed; free some space and try again")
    case .readOnly:
      return BelfryError(
        .noPermission, "\(place) cannot be written: \(detail)",
        hint: "use a server that accepts writes; for several hosts, add target_session_attrs=read-write to the URL")
    case .noRights:
      return BelfryError(
        .noPermission, "\(place): \(detail)", hint: "give the user of the URL rights on the schema and its tables")
    case .tooLong: return BelfryError(.badInput, "\(place): a text is too long: \(detail)", hint: "shorten it")
    case .damaged: return damaged("\(detail) (SQLSTATE \(state))")
    case .pooled: return pooled()
    case .other:
      return BelfryError(
        .storeFailed, "\(place): the server refused a statement: \(detail) (SQLSTATE \(state))",
        hint: "nothing was changed; the server's log tells more")
    }
  }

  /// The meaning of an SQLSTATE.
  private enum Meaning {
    case locked, slow, lost, full, readOnly, noRights, tooLong, pooled
    /// The tables are not as Belfry made them, or cannot be read.
    case damaged
    /// Any other error of the server or its settings.
    case other

    init(_ state: String) { self = Self.states[state] ?? Self.classes[String(state.prefix(2))] ?? .other }

    private static let states: [String: Meaning] = [
      "40001": .locked, "40P01": .locked, "55P03": .locked, "57014": .slow, "53100": .full, "25006": .readOnly,
      "42501": .noRights, "54000": .tooLong, "22001": .tooLong,
      // Another client's statement has this name, or no statement has it.
      "26000": .pooled, "42P05": .pooled,
      // A corrupted page or index.
      "XX001": .damaged, "XX002": .damaged,
      // A table, view, column, function or type that Belfry made is missing, or has another type.
      "42P01": .damaged, "42703": .damaged, "42883": .damaged, "42704": .damaged, "42804": .damaged, "42809": .damaged,
      "42P10": .damaged, "3F000": .damaged,
    ]

    private static let classes: [String: Meaning] = [
      "08": .lost, "25": .lost, "57": .lost,
      // A constraint: Belfry writes nothing that violates its own.
      "23": .damaged,
    ]
  }

  /// The error of a connection that cannot be made.
  func cannotConnect(_ error: PostgresError) -> BelfryError {
    let message = "\(place) cannot be opened: \(error.message)"
    guard let state = error.state else {
      // These words are libpq's own, in English. A fault of TLS lasts until the config, or a file that it names, is
      // changed.
      let isOfTLS = error.message.contains("certificate") || error.message.contains("SSL was required")
      return isOfTLS
        ? BelfryError(.badConfig, message, hint: "check sslmode and sslrootcert in the URL")
        : BelfryError(.tryAgain, message, hint: "check that the server runs and can be reached; then try again")
    }
    switch state {
    case "3D000":
      return BelfryError(.badConfig, message, hint: "create the database, or name another one in the URL")
    case "42501": return BelfryError(.noPermission, message, hint: "give the user of the URL the right to connect")
    default: break
    }
    switch state.prefix(2) {
    case "28": return BelfryError(.noPermission, message, hint: "check user and password in the URL, and pg_hba.conf")
    case "53", "57", "08": return BelfryError(.tryAgain, message, hint: "try again in a moment")
    default: return BelfryError(.storeFailed, message, hint: "see the server's log")
    }
  }

  /// The error of a pooler that does not keep a connection's session.
  private func pooled() -> BelfryError {
    BelfryError(
      .badConfig, "\(place) is behind a pooler that keeps no sessions: set poll_only: true in the section store",
      hint: "or put the address of the server itself into the URL")
  }

  /// The error of tables that are not as Belfry makes them.
  func damaged(_ detail: String) -> BelfryError {
    BelfryError(
      .storeFailed, "\(place) is damaged: \(detail)",
      hint: "it was left as it is; 'belfry store check' says more; restore the good data from a pg_dump")
  }

  /// The error of a schema that was there before.
  func gone() -> BelfryError {
    BelfryError(.storeFailed, "\(place) is gone", hint: "restore it, or start again to begin with an empty one")
  }

  /// The error of a store that has another daemon.
  func hasDaemon(_ member: Daemons.Member?) -> BelfryError {
    let name = member.map { " (process \($0.process) on \($0.host))" } ?? ""
    return BelfryError(
      .tryAgain, "\(place): another belfryd has it already\(name)", hint: "stop that one first")
  }

  /// The error of tables of a later version.
  func newer(_ version: Int) -> BelfryError {
    BelfryError(
      .storeFailed,
      "\(place) was written by a newer Belfry (version \(version), this one knows \(Schema.version))",
      hint: "update Belfry; the tables were left as they are")
  }

  /// The error of a commit that the server did not make.
  func undone(_ detail: String) -> BelfryError {
    BelfryError(
      .tryAgain, "\(place): the connection was lost: \(detail)", hint: "nothing was changed; try again in a moment")
  }

  /// The error of a commit with an unknown outcome.
  func unknownOutcome(_ detail: String) -> BelfryError {
    BelfryError(
      .tryAgain, "\(place): the connection was lost at the commit, and its outcome is unknown: \(detail)",
      hint: "check whether the change is there before you repeat it")
  }
}

/// An error of the server or of the connection to it.
struct PostgresError: DatabaseFault {
  /// The SQLSTATE; `nil` if the server has said nothing.
  let state: String?
  /// The message of the server, or of libpq.
  let message: String
  /// True if the server did not respond within the limit.
  var isSilent = false

  /// True if the connection ended; only a new one can then show the outcome of the last statement.
  var isConnectionLost: Bool {
    guard let state else { return true }
    return state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"].contains(state)
  }

  /// True if the same transaction may succeed when it is begun again.
  var isCollision: Bool { state == "40001" || state == "40P01" }
}
