import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import SQLRecords

/// The rows of the daemons, read and written over a separate connection, one statement at a time, so that no lock is
/// held while waiting for another.
struct DaemonTable {
  static let separator: Character = "\u{1F}"

  let connection: PostgresConnection
  /// The length of a lease after each renewal, in seconds.
  let lease: Double

  /// Adds this process.
  ///
  /// - Parameter isAlone: whether it must be the only daemon.
  /// - Returns: its number, and whether an earlier daemon ended without leaving; `nil` if another daemon excludes it.
  func join(isAlone: Bool) throws -> (id: Int64, wasAbandoned: Bool)? {
    try connection.begin()
    do {
      try connection.statement("SELECT pg_advisory_xact_lock(hashtextextended('belfry join ' || current_schema, 0))")
        .execute()
      let wasAbandoned = try evict() > 0
      let sql = "SELECT count(*) FROM member WHERE is_alone OR ?"
      let others: Int64 = try connection.statement(sql).first(isAlone) { try $0.at(0) } ?? 0
      guard others == 0 else {
        try connection.script("COMMIT")
        return nil
      }
      // The time without any daemon does not count: the others may be starting as well.
      try connection.statement(
        """
        UPDATE sink_lease SET free_since = clock_timestamp()
        WHERE free_since IS NOT NULL AND NOT ? AND NOT EXISTS (SELECT 1 FROM member)
        """
      ).execute(isAlone)
      let insert = """
        INSERT INTO member (host, process, machine, version, is_alone, until)
        VALUES (?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 second') RETURNING id
        """
      let id: Int64? = try connection.statement(insert).first(
        ProcessInfo.processInfo.hostName, Int(getpid()), Machine.name, BelfryVersion.current, isAlone, lease
      ) { try $0.at(0) }
      try noteNewSinks()
      try connection.script("COMMIT")
      guard let id else { throw StoredValueFault("table member: a new row has no number") }
      return (id, wasAbandoned)
    } catch {
      _ = try? connection.script("ROLLBACK")
      throw error
    }
  }

  /// Renews a lease.
  ///
  /// - Returns: false if the member is gone, because another daemon evicted it.
  func renew(_ id: Int64, _ offer: DaemonOffer) throws -> Bool {
    let sql = """
      UPDATE member SET until = clock_timestamp() + ? * interval '1 second', sinks = ?, signed = ?, config = ?, keys = ?
      WHERE id = ?
      """
    return try connection.statement(sql).execute(
      lease, Self.text(offer.sinks), Self.text(offer.signed), offer.config, offer.keys, id) > 0
  }

  /// Removes members whose lease is over, and those of this machine whose process has ended.
  ///
  /// - Returns: how many.
  @discardableResult
  func evict() throws -> Int {
    let sql = "SELECT id, process FROM member WHERE machine = ? AND process <> ?"
    let dead = try list(sql, Machine.name, Int(getpid())) { (try $0.at(0) as Int64, try $0.at(1) as Int64) }
      .filter { Machine.hasEnded(Int32(truncatingIfNeeded: $0.1)) }.map { String($0.0) }
    // A lease that is being renewed at this moment is not over.
    return try connection.statement(
      """
      DELETE FROM member WHERE id IN (
        SELECT id FROM member
        WHERE until < clock_timestamp() OR id = ANY (string_to_array(?, ',')::bigint[]) FOR UPDATE SKIP LOCKED)
      """
    ).execute(dead.joined(separator: ","))
  }

  /// Everything that is known of the daemons.
  func present() throws -> Daemons { try connection.together(readAll) }

  private func readAll() throws -> Daemons {
    var daemons = Daemons()
    try connection.statement(
      """
      SELECT id, host, process, version, is_alone, sinks, signed, config, keys,
        extract(epoch FROM until - clock_timestamp())::float8, extract(epoch FROM since)::bigint
      FROM member ORDER BY id
      """
    ).run { row in
      daemons.members.append(
        try Daemons.Member(
          id: row.at(0), host: row.at(1), process: row.at(2), version: row.at(3), since: Date(stored: row.at(10)),
          isAlone: row.at(4),
          offer: DaemonOffer(
            sinks: Self.names(row.at(5)), signed: Self.names(row.at(6)), config: row.at(7), keys: row.at(8)),
          remaining: row.at(9)))
    }
    try connection.statement("SELECT term, member, config FROM leader").run {
      (daemons.term, daemons.leader, daemons.config) = try ($0.at(0), $0.at(1), $0.at(2))
    }
    try connection.statement(
      "SELECT sink, member, term, extract(epoch FROM clock_timestamp() - free_since)::float8 FROM sink_lease"
    ).run {
      daemons.leases[try $0.at(0)] = try Daemons.Lease(member: $0.at(1), term: $0.at(2), freeFor: $0.at(3))
    }
    return daemons
  }

  /// Takes the lead from a leader that is gone.
  func takeLead(_ id: Int64, after term: Int64, _ config: String) throws {
    try connection.statement(
      """
      UPDATE leader SET term = term + 1, member = ?, config = ?
      WHERE term = ? AND NOT EXISTS (SELECT 1 FROM member WHERE id = leader.member)
      """
    ).execute(id, config, term)
  }

  /// Records the digest of the leader's config, by which its successor is chosen.
  func noteConfig(_ config: String, ofLeader id: Int64) throws {
    try connection.statement("UPDATE leader SET config = ? WHERE member = ? AND config <> ?").execute(
      config, id, config)
  }

  /// Takes sinks that no daemon has.
  func take(_ sinks: [String], for id: Int64) throws {
    for sink in sinks.sorted() {
      try connection.statement(
        """
        INSERT INTO sink_lease (sink, member, term) VALUES (?, ?, 1)
        ON CONFLICT (sink) DO UPDATE SET member = excluded.member, term = sink_lease.term + 1, free_since = NULL
        WHERE NOT EXISTS (SELECT 1 FROM member WHERE id = sink_lease.member)
        """
      ).execute(sink, id)
    }
  }

  /// Gives up sinks that have no attempt in flight.
  func giveUp(_ sinks: Set<String>, of id: Int64) throws {
    for sink in sinks.sorted() {
      try forgetBegins(of: id, sink: sink)
      try connection.statement("UPDATE sink_lease SET member = NULL WHERE sink = ? AND member = ?").execute(sink, id)
    }
  }

  /// Adds a lease, free from now on, for each sink with pending deliveries that no daemon has had yet.
  func noteNewSinks() throws {
    // It reads one row of the index for each sink, however many deliveries wait.
    try connection.statement(
      """
      INSERT INTO sink_lease (sink, term, free_since)
      WITH RECURSIVE pending AS (
        SELECT min(sink) AS sink FROM delivery WHERE state = 0
        UNION ALL
        SELECT (SELECT min(sink) FROM delivery WHERE state = 0 AND delivery.sink > pending.sink)
        FROM pending WHERE pending.sink IS NOT NULL)
      SELECT sink, 0, clock_timestamp() FROM pending WHERE sink IS NOT NULL ON CONFLICT DO NOTHING
      """
    ).execute()
  }

  /// Records the time since which sinks are free.
  func noteFreeSinks() throws {
    try connection.statement(
      """
      UPDATE sink_lease SET free_since = clock_timestamp()
      WHERE free_since IS NULL AND NOT EXISTS (SELECT 1 FROM member WHERE id = sink_lease.member)
      """
    ).execute()
  }

  /// Removes a member that ends in order, with no attempt in flight.
  func leave(_ id: Int64) throws {
    try forgetBegins(of: id, sink: nil)
    try connection.statement("DELETE FROM member WHERE id = ?").execute(id)
  }

  /// Ends a lease at once, as if it had run out.
  func abandon(_ id: Int64) throws {
    try connection.statement("UPDATE member SET until = to_timestamp(0) WHERE id = ?").execute(id)
  }

  // Deliveries that were started here and not attempted must not count as lost for the next daemon.
  private func forgetBegins(of id: Int64, sink: String?) throws {
    try connection.statement(
      """
      UPDATE delivery SET begun_at = NULL, begun_term = NULL WHERE id IN (
        SELECT delivery.id FROM delivery JOIN sink_lease ON sink_lease.sink = delivery.sink
        WHERE sink_lease.member = ? AND delivery.begun_term = sink_lease.term
          AND delivery.state = 0 AND sink_lease.sink = coalesce(?, sink_lease.sink)
        ORDER BY delivery.id FOR UPDATE OF delivery)
      """
    ).execute(id, sink)
  }

  private func list<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try connection.statement(sql).run(repeat each values) { elements.append(try make($0)) }
    return elements
  }

  private static func text(_ names: Set<String>) -> String { names.sorted().joined(separator: String(separator)) }

  private static func names(_ text: String) -> Set<String> { Set(text.split(separator: separator).map(String.init)) }
}

/// The machine of this process: the scope within which process ids are unique.
enum Machine {
  /// Distinguishes it from every other machine, container and boot.
  static let name: String = {
    let boot = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
    let processes = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    guard let boot, let processes else { return UUID().uuidString }
    return "\(String(decoding: boot, as: UTF8.self).filter { !$0.isWhitespace }) \(processes)"
  }()

  /// True if no process has this id any more.
  static func hasEnded(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }
}
