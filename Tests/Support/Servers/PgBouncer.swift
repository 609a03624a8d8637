import BelfryModel
import BelfryTestKit
import Foundation

/// Debian's PgBouncer before a ``PostgresServer``, on a socket in a folder of its own.
package final class PgBouncer: Sendable {
  /// How long a client keeps its connection to the server.
  package enum Mode: String, Sendable {
    case session, transaction
  }

  private let process: ServerProcess

  /// Starts it and waits until it takes connections.
  ///
  /// - Parameter size: the number of its connections to the server.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(to server: PostgresServer, _ mode: Mode, size: Int = 20) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try PostgresServer.give(folder)
    let config = """
      [databases]
      * = host=\(server.socketFolder)
      [pgbouncer]
      listen_addr =
      unix_socket_dir = \(folder.path)
      listen_port = 5432
      pool_mode = \(mode.rawValue)
      default_pool_size = \(size)
      max_client_conn = 200
      server_login_retry = 1
      auth_type = trust
      auth_file = \(folder.file("users"))
      """
    try Data(config.utf8).write(to: URL(fileURLWithPath: folder.file("pgbouncer.ini")))
    try Data("\"belfry\" \"\"\n".utf8).write(to: URL(fileURLWithPath: folder.file("users")))
    let words = PostgresServer.asUser(["/usr/sbin/pgbouncer", folder.file("pgbouncer.ini")])
    process = try ServerProcess("/usr/bin/env", words, in: folder)
    _ = try process.wait { try? Program.output(["pg_isready", "-q", "-h", folder.path, "-d", "postgres"]) }
  }

  /// The URL of the server's database through it.
  package var url: String { "postgresql://belfry@/postgres?host=\(folder)" }

  /// The folder of its socket.
  var folder: String { process.folder.path }
}
