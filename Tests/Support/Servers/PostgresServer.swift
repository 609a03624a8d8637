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
  /// The size of the disk that its data is on; `nil` for that of its folder.
  private let diskSize: String?

  /// Starts a server and waits until it takes connections.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try Self.give(folder)
    diskSize = nil
    _ = try Program.output(
      Self.words("initdb", ["-D", data, "-U", "belfry", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]))
    let rules = "local all guarded scram-sha-256\nlocal all,replication all trust\nhost all all 127.0.0.0/8 trust\n"
    try Data(rules.utf8).write(to: URL(fileURLWithPath: "\(data)/pg_hba.conf"))
    try start()
    try run("CREATE ROLE guarded LOGIN PASSWORD 'right'")
  }

  /// A hot standby that follows a server, started.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(standbyOf primary: PostgresServer) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try Self.give(folder)
    diskSize = nil
    _ = try Program.output(
      Self.words(
        "pg_basebackup", ["-D", data, "-R", "-h", primary.folder.path, "-U", "belfry", "--no-sync", "-c", "fast"]))
    try start()
  }

  /// A copy of a server, started, whose data is on a disk of its own of this size, such as `100m`.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(of other: PostgresServer, onDiskOf size: String) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try Self.give(folder)
    diskSize = size
    _ = try Program.output(
      Self.words("pg_basebackup", ["-D", data, "-h", other.folder.path, "-U", "belfry", "--no-sync", "-c", "fast"]))
    _ = try Program.output(Self.asUser(["mkdir", folder.file("disk")]))
    try start()
  }

  private var data: String { folder.file("data") }

  var socketFolder: String { folder.path }

  /// The path of its socket.
  var socket: String { folder.file(".s.PGSQL.5432") }

  /// The URL of its database.
  ///
  /// - Parameters:
  ///   - user: a role, with its password after a colon if it needs one.
  ///   - options: further options, each with `&` before it.
  ///   - pooler: the pooler through which it goes.
  package func url(
    user: String = "belfry", database: String = "postgres", through pooler: PgBouncer? = nil, _ options: String = ""
  ) -> String {
    "postgresql://\(user)@/\(database)?host=\(pooler?.folder ?? folder.path)\(options)"
  }

  /// The URL of its database by a name and an address of this machine, on which it has to listen.
  package func url(host: String, address: String, _ options: String) -> String {
    "postgresql://belfry@\(host)/postgres?hostaddr=\(address)\(options)"
  }

  /// The URL of the database of whichever of two servers takes changes.
  package func url(or other: PostgresServer) -> String {
    "postgresql://belfry@/postgres?host=\(folder.path),\(other.folder.path)&target_session_attrs=read-write"
  }

  /// Starts it again after ``stop()``.
  ///
  /// - Parameter further: further settings, such as `ssl=on`.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package func start(_ further: [String] = []) throws {
    let settings = [
      "listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=400", "shared_buffers=32MB",
      "dynamic_shared_memory_type=mmap", "track_commit_timestamp=on", "lc_messages=C",
      "unix_socket_directories=\(folder.path)",
    ]
    let options = (settings + further).flatMap { ["-c", $0] }
    let words = diskSize.map { onDisk(of: $0, options) } ?? Self.words("postgres", ["-D", data] + options)
    let started = try ServerProcess("/usr/bin/env", words, in: folder)
    _ = try started.wait { try? Program.output(["pg_isready", "-q", "-h", folder.path, "-d", "postgres"]) }
    process.withLock { $0 = started }
  }

  // A file system that ends with the server, in a namespace where one who is not root mounts as root, and is himself
  // again afterwards.
  private func onDisk(of size: String, _ options: [String]) -> [String] {
    let disk = folder.file("disk")
    let isRoot = getuid() == 0
    let copy = "cp -a \(data)/. \(disk) && chmod 700 \(disk)"
    let again = isRoot ? "" : "unshare --user --map-user=\(getuid()) --map-group=\(getgid())"
    let owner = isRoot ? ",uid=postgres,gid=postgres" : ""
    let script = "mount -t tmpfs -o size=\(size)\(owner) belfry \(disk) && \(copy) && exec \(again) \"$@\""
    let words =
      isRoot
      ? Self.words("postgres", ["-D", disk] + options) : ["\(Self.folderOfPrograms)/postgres", "-D", disk] + options
    return ["unshare", "--mount"] + (isRoot ? [] : ["--user", "--map-root-user"]) + ["sh", "-c", script, "sh"]
      + (isRoot ? ["env"] : []) + words
  }

  /// Has a standby take changes from now on.
  ///
  /// - Throws: ``Program/Failure``.
  package func promote() throws { _ = try Program.output(Self.words("pg_ctl", ["-D", data, "-s", "-w", "promote"])) }

  /// Has it take connections by TLS on an address of this machine, with the certificate of an identity, or another one.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package func restart(on address: String, showing identity: TestAuthority.Identity) throws {
    for (file, name) in [(identity.certificate, "server.crt"), (identity.key, "server.key")] {
      let copy = "cat > \(data)/\(name); chmod 600 \(data)/\(name)"
      _ = try Program.output(
        Self.asUser(["sh", "-c", copy]), input: try Data(contentsOf: URL(fileURLWithPath: file)))
    }
    try stop()
    try start(["listen_addresses=\(address)", "ssl=on"])
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
