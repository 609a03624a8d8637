import BelfryTestKit
import Foundation

/// A network between a client and a ``PostgresServer`` that fails at the worst moment.
package final class PostgresProxy: Sendable {
  private let process: ServerProcess

  /// A proxy before a server's socket.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(to server: PostgresServer) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    process = try ServerProcess.python(Self.program, [server.socket, "\(folder.path)/.s.PGSQL.5432"], in: folder)
    _ = try process.announcedPort()
  }

  /// The URL of the server's database through the proxy.
  package var url: String { url(times: 1) }

  /// The URL of the server's database through the proxy, which it names as this many hosts.
  package func url(times count: Int) -> String {
    let hosts = Array(repeating: process.folder.path, count: count).joined(separator: ",")
    return "postgresql://belfry@/postgres?host=\(hosts)"
  }

  /// Loses the server's answer to the next COMMIT, after it has come, and the connection with it.
  ///
  /// - Throws: errors of writing.
  package func loseNextAnswerToCommit() throws {
    try Data().write(to: URL(fileURLWithPath: process.folder.file("lose")))
  }

  /// Leaves every later connection without an answer, as a server does whose machine hangs.
  ///
  /// - Throws: errors of writing.
  package func fallSilent() throws { try Data().write(to: URL(fileURLWithPath: process.folder.file("silent"))) }

  /// The number of connections that were made to it.
  package var connections: Int {
    (try? Data(contentsOf: URL(fileURLWithPath: process.folder.file("connections"))))?.count ?? 0
  }

  private static let program = #"""
    import os, select, socket, sys, threading

    def carry(client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(sys.argv[1])
        losing = False
        while True:
            for end in select.select([client, server], [], [])[0]:
                data = end.recv(1 << 16)
                if end is client and b"COMMIT\0" in data and os.path.exists("lose"):
                    os.remove("lose")
                    losing = True
                if not data or (losing and end is server):
                    client.close()
                    server.close()
                    return
                (server if end is client else client).sendall(data)

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[2])
    listener.listen()
    print(1, flush=True)
    held = []
    while True:
        client = listener.accept()[0]
        with open("connections", "a") as file:
            file.write("x")
        if os.path.exists("silent"):
            held.append(client)
            continue
        threading.Thread(target=carry, args=(client,), daemon=True).start()

    """#
}
