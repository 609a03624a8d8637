import Foundation

/// The rows of daemons on a database server that have little to do: the lateness of a single ring, and what they cost
/// while nothing is due.
struct PostgresIdleRows {
  private static let daemons = 2
  // The seconds between two reminders, and from the first start of a daemon to the first reminder.
  private static let distance = 0.4
  private static let preparation = 20.0

  let shared: SharedStores

  func measure() throws -> [Row] { [try rings()] + (try idle()) }

  private var bench: BenchRun { shared.bench }
  private var server: DatabaseServer { shared.server }

  private func rings() throws -> Row {
    let (count, original) = (bench.scale.shared.rings, "ring")
    let sink = "sinks: { peer: { type: stdout, host: \"\(PostgresSizeRows.host)\" } }\n"
    let folder = try bench.scratch.folder("shared-\(original)")
    try server.run("CREATE DATABASE \(original)")
    try shared.configure(folder, database: original, sink)
    let minute = Double(SharedStores.due)
    try bench.belfry.add(["\(RingReader.mark)0"], due: SharedStores.due, in: folder)
    let folders = try (0..<count).map { number in
      let (name, folder) = ("ring_\(number)", try bench.scratch.folder("shared-ring_\(number)"))
      try server.copy(original, as: name)
      try shared.configure(folder, database: name, sink)
      return folder
    }
    let first = Clock.wall + Self.preparation
    let daemons = try folders.enumerated().map { number, folder in
      let due = first + Double(number) * Self.distance
      return (process: try shared.daemon(in: folder, ahead: minute - due, log: "\(folder)/log"), due: due)
    }
    guard Clock.wall < first - 5 else {
      throw BenchmarkError("starting the daemons took until they rang: the machine is too busy to measure on")
    }
    Progress.tell("\(count) single rings on PostgreSQL, in \(Int(first - Clock.wall)) seconds …")
    let lateness = try RingReader.lateness(of: daemons)
    for daemon in daemons { daemon.process.stop() }
    var row = Row(
      "postgres-ring",
      "lateness of a ring on PostgreSQL at the reader of stdout, \(count) daemons with clocks of their own (libfaketime)",
      .milliseconds)
    row.add(Belfry.name, lateness)
    row.hold(row.own, "median ", atMost: 10)
    return row
  }

  private func idle() throws -> [Row] {
    let (name, count) = ("idle", Self.daemons)
    let folder = try shared.fresh(bench.scale.shared.deliveries, hook: "http://127.0.0.1:9/", as: name)
    try server.run("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    let running = try (1...count).map { number in
      try RunningProcess(bench.belfry.daemon(in: folder), log: "\(folder)/log-\(number)", scratch: bench.scratch)
    }
    // Until each has its part.
    Clock.sleep(milliseconds: 8_000)
    let seconds = Double(max(bench.scale.watch / 60 * 60, bench.scale.watch))
    Progress.tell("Watching \(count) idle daemons on PostgreSQL for \(Int(seconds)) seconds …")
    let (calls, start, time) = (try statements(in: name), try running.map { try Usage(of: $0) }, Clock.monotonic)
    Clock.sleep(milliseconds: seconds * 1e3)
    let end = try running.map { try Usage(of: $0) }
    let passed = (Clock.monotonic - time) / 1e3
    let asked = (try statements(in: name) - calls) / passed / Double(count)
    for process in running { process.stop() }
    let what =
      "an idle daemon on PostgreSQL, \(count) of them, \(Figure.grouped(bench.scale.shared.deliveries)) scheduled"
    var statements = Row("postgres-idle-statements", "\(what): statements", .perSecond)
    statements.add(Belfry.name, [asked])
    var processor = Row("postgres-idle-cpu", "\(what): processor time", .secondsPerHour)
    processor.add(Belfry.name, zip(start, end).map { ($1.processor - $0.processor) / passed * 3_600 })
    var memory = Row("postgres-idle-memory", "\(what): resident memory", .mebibytes)
    memory.add(Belfry.name, end.map(\.memory))
    return [statements, processor, memory]
  }

  // All that were run in a database since the server was started; this one is run in another.
  private func statements(in database: String) throws -> Double {
    let sql = """
      SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = '\(database)')
      """
    return try server.number(sql, in: "postgres")
  }
}
