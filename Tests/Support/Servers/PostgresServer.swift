import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization

/// Debian's PostgreSQL on a socket in a folder of its own, with one user `belfry` whom it trusts and one `guarded`
/// whose password is `right`. It does not protect its data against a failure of the machine.
package final class PostgresServer: Sendable {
  /// A server that all tests of a process share.
  package static let shared = Result { try PostgresServer() }

  /// The folder with its data and its socket.
  private let folder: TemporaryFolder
  private let process = Mutex<ServerProcess?>(nil)

  /// Starts a server and waits until it takes connections.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try Self.give(folder)
    _ = try Program.output(
      Self.words("initdb", ["-D", data, "-U", "belfry", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]))
    let rules = "local all guarded scram-sha-256\nlocal all all trust\n"
    try Data(rules.utf8).write(to: URL(fileURLWithPath: "\(data)/pg_hba.conf"))
    try start()
    try run("CREATE ROLE guarded LOGIN PASSWORD 'right'")
  }

  private var data: String { folder.file("data") }

  /// The folder of its socket.
  var socketFolder: String { folder.path }

  /// The path of its socket.
  var socket: String { folder.file(".s.PGSQL.5432") }

  /// The URL of its database.
  ///
  /// - Parameters:
  ///   - user: a role, with its password after a colon if it needs one.
  ///   - options: further options, each with `&` before it.
  package func url(user: String = "belfry", database: String = "postgres", _ options: String = "") -> String {
    "postgresql://\(user)@/\(database)?host=\(folder.path)\(options)"
  }

  /// Starts it again after ``stop()``.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package func start() throws {
    let settings = [
      "listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=400", "shared_buffers=32MB",
      "dynamic_shared_memory_type=mmap", "track_commit_timestamp=on", "lc_messages=C",
      "unix_socket_directories=\(folder.path)",
    ]
    let words = Self.words("postgres", ["-D", data] + settings.flatMap { ["-c", $0] })
    let started = try ServerProcess("/usr/bin/env", words, in: folder)
    _ = try started.wait { try? Program.output(["pg_isready", "-q", "-h", folder.path, "-d", "postgres"]) }
    process.withLock { $0 = started }
  }

  /// Stops it at once, as a crash does.
  ///
  /// - Throws: ``Program/Failure``.
  package func stop() throws {
    _ = try Program.output(Self.words("pg_ctl", ["-D", data, "-m", "immediate", "-s", "stop"]))
    process.withLock { $0 = nil }
  }

  /// Starts it again after ``stop()`` as a hot standby, which is read and takes no changes.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package func startAsStandby() throws {
    try Data().write(to: URL(fileURLWithPath: "\(data)/standby.signal"))
    try start()
  }

  /// The output of statements, without headings.
  ///
  /// - Parameter pooler: the pooler through which they go.
  /// - Throws: ``Program/Failure``.
  @discardableResult
  package func run(_ sql: String, database: String = "postgres", through pooler: PgBouncer? = nil) throws -> String {
    let output = try Program.output(
      [
        "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", pooler?.folder ?? folder.path, "-U", "belfry", "-d", database,
        "-f", "-",
      ],
      input: Data(sql.utf8),
      environment: pooler == nil ? ["PGOPTIONS": "-c client_min_messages=warning"] : [:])
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func words(_ program: String, _ arguments: [String]) -> [String] {
    asUser(["\(folderOfPrograms)/\(program)"] + arguments)
  }

  /// The words for `env` with which a program runs that refuses to run as root, and cannot enter the folder of the test.
  static func asUser(_ words: [String]) -> [String] {
    let user = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    return ["-C", "/"] + user + words
  }

  /// Gives a folder to the user of ``asUser(_:)``.
  static func give(_ folder: TemporaryFolder) throws {
    guard getuid() == 0 else { return }
    guard let user = getpwnam("postgres"), chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
      throw BelfryError(.cannotCreate, "there is no user 'postgres'")
    }
  }

  // Debian keeps the programs of each version in a folder of its own.
  private static let folderOfPrograms: String = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap { Int($0) }.max() ?? 0
    return "\(root)/\(newest)/bin"
  }()
}
