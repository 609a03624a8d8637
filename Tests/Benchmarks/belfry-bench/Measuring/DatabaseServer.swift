import Foundation

/// A PostgreSQL on a socket of its own, as Debian sets it up, with the extension that counts statements.
final class DatabaseServer {
  private static let settings = [
    "listen_addresses=", "max_connections=200", "track_commit_timestamp=on", "max_wal_size=8GB",
    "shared_preload_libraries=pg_stat_statements", "dynamic_shared_memory_type=mmap",
  ]
  private let folder: String
  private let process: RunningProcess
  private let shell: String

  /// Starts a server with an empty database `postgres`, and waits until it takes connections.
  init(_ bench: BenchRun) throws {
    let programs = try Self.programs()
    shell = try Surroundings.program("psql", package: "postgresql")
    folder = try bench.scratch.folder("postgres")
    try Self.give(folder, in: bench.scratch.path)
    let data = "\(folder)/data"
    _ = try Self.command(
      "\(programs)/initdb", ["-D", data, "-U", "belfry", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
    ).output()
    let settings = (Self.settings + ["unix_socket_directories=\(folder)"]).flatMap { ["-c", $0] }
    process = try RunningProcess(
      Self.command("\(programs)/postgres", ["-D", data] + settings), log: "\(bench.scratch.path)/postgres.log",
      scratch: bench.scratch)
    try waitUntilReady()
    bench.introduce(
      PeerDescription(
        "PostgreSQL", version: try run("SHOW server_version").prefix { $0 != " " }.description,
        "Debian's settings but for room in the log, on a socket; `synchronous_commit = on`"))
  }

  deinit { stop() }

  /// Ends it, and with it every connection.
  func stop() { process.stop(by: SIGINT) }

  func url(_ database: String) -> String { "postgresql://belfry@/\(database)?host=\(folder)" }

  /// The rows that statements give, a line each, with `|` between columns.
  ///
  /// - Throws: ``BenchmarkError``.
  @discardableResult
  func run(_ sql: String, in database: String = "postgres") throws -> String {
    try query(sql, in: database).output().trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The number that a statement gives.
  func number(_ sql: String, in database: String) throws -> Double {
    let text = try run(sql, in: database)
    guard let number = Double(text) else { throw BenchmarkError("\(sql) gave '\(text)', which is no number") }
    return number
  }

  /// The command that shows what a statement gives.
  func query(_ sql: String, in database: String) -> Command {
    Command(
      program: shell, arguments: ["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", sql, url(database)],
      environment: Surroundings.variables(home: "/nonexistent", ["PGOPTIONS": "-c client_min_messages=warning"]))
  }

  /// Makes a database as a copy of another one, in place of an earlier copy.
  func copy(_ database: String, as name: String) throws {
    try run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    try run("CREATE DATABASE \(name) TEMPLATE \(database)")
    // Otherwise the copy is written to disk while something is measured.
    try run("CHECKPOINT")
  }

  private func waitUntilReady() throws {
    for _ in 0..<500 {
      if (try? run("SELECT 1")) == "1" { return }
      Clock.sleep(milliseconds: 20)
    }
    throw process.failure("takes no connections")
  }

  // It refuses to run as root.
  private static func command(_ program: String, _ arguments: [String]) throws -> Command {
    let user = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    return Command(
      program: "/usr/bin/env", arguments: ["-C", "/"] + user + [program] + arguments,
      environment: Surroundings.variables(home: "/nonexistent"))
  }

  // Its own user has to reach the folder, through the one that nobody else may read.
  private static func give(_ folder: String, in scratch: String) throws {
    guard getuid() == 0 else { return }
    guard let user = getpwnam("postgres"), chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0,
      chmod(scratch, 0o711) == 0
    else { throw BenchmarkError("there is no user 'postgres'; install it: apt-get install postgresql") }
  }

  // Debian keeps the programs of each version in a folder of its own.
  private static func programs() throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    guard let newest = versions.compactMap({ Int($0) }).max() else {
      throw BenchmarkError("there is no \(root) here; install it: apt-get install postgresql")
    }
    return "\(root)/\(newest)/bin"
  }

  /// The path of a program of the server's version.
  static func program(_ name: String) throws -> String { "\(try programs())/\(name)" }
}
