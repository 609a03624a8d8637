import BelfryTestKit
import Foundation

/// A network between one client and a ``PostgresServer``, which fails when it is told to. Data in flight at a failure
/// arrives once the network works again, as with TCP.
package final class FaultyNetwork: Sendable {
  package enum State: String, Sendable, CaseIterable {
    /// It works.
    case open
    /// It ends every connection and refuses new ones.
    case refusing
    /// Nothing arrives on either side.
    case cut
    /// Only what the client sends arrives.
    case toServer
    /// Only what the server sends arrives.
    case toClient
    /// Everything arrives a seventh of a second late.
    case slow
    /// Nothing arrives on the connection over which a daemon renews its lease.
    case leaseless
    /// What the server replies to the commit of a change arrives two and a half seconds late.
    case lateCommits
  }

  private let process: ServerProcess

  /// A network that works, before a server's socket.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(to server: PostgresServer) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try Self.write(.open, in: folder)
    process = try ServerProcess.python(Self.program, [server.socket, "\(folder.path)/.s.PGSQL.5432"], in: folder)
    _ = try process.announcedPort()
  }

  /// The URL of the server's database through it.
  package var url: String { "postgresql://belfry@/postgres?host=\(process.folder.path)" }

  /// Makes it fail, or work again; within a fiftieth of a second.
  ///
  /// - Throws: errors of writing.
  package func set(_ state: State) throws { try Self.write(state, in: process.folder) }

  private static func write(_ state: State, in folder: TemporaryFolder) throws {
    try Data(state.rawValue.utf8).write(to: URL(fileURLWithPath: folder.file("state")), options: .atomic)
  }

  private static let program = #"""
    import collections, select, socket, sys, time

    class Way:
        """What one side sends to the other."""
        def __init__(self, source, target):
            self.source, self.target, self.parcels, self.ended = source, target, collections.deque(), False
            self.renews, self.reads, self.held_until = False, False, 0

        def take_in(self):
            data = self.source.recv(1 << 16)
            self.parcels.append((time.monotonic(), data))
            self.ended = not data
            return data

        def pass_on(self, delay):
            """Returns whether the connection goes on."""
            while self.parcels and max(self.held_until, self.parcels[0][0] + delay) <= time.monotonic():
                data = self.parcels[0][1]
                if not data:
                    return False
                self.target.sendall(data)
                self.parcels.popleft()
            return True

    def look_at(data, up, down, state):
        """Learns from what a client sends what its connection is for."""
        up.renews = up.renews or b"belfry lease" in data
        if b"BEGIN " in data:
            up.reads = b"READ ONLY" in data
        if state == "lateCommits" and b"COMMIT\0" in data and not up.reads and not up.renews:
            down.held_until = time.monotonic() + 2.5

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[2])
    listener.listen(64)
    print(1, flush=True)
    pairs = []
    while True:
        with open("state") as file:
            state = file.read()
        if state == "refusing":
            for up, down in pairs:
                up.source.close()
                down.source.close()
            pairs = []
        directions = {"cut": [], "toServer": [0], "toClient": [1]}.get(state, [0, 1])
        # A side that must not arrive is not read: the system holds what it sends.
        working = [pair for pair in pairs if state != "leaseless" or not pair[0].renews]
        heard = [pair[n] for pair in working for n in directions if not pair[n].ended and len(pair[n].parcels) < 64]
        accepts = [] if state in ("cut", "toClient") else [listener]
        ready, _, _ = select.select(accepts + [way.source for way in heard], [], [], 0.02)
        if listener in ready:
            client = listener.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            try:
                if state == "refusing":
                    raise ConnectionError
                server.connect(sys.argv[1])
                pairs.append((Way(client, server), Way(server, client)))
            except OSError:
                client.close()
                server.close()
        ready = set(ready)
        ended = []
        for pair in working:
            try:
                for n in directions:
                    if pair[n].source in ready:
                        data = pair[n].take_in()
                        if n == 0:
                            look_at(data, *pair, state)
                    if not pair[n].pass_on(0.15 if state == "slow" else 0):
                        raise ConnectionError
            except OSError:
                ended.append(pair)
        for pair in ended:
            pairs.remove(pair)
            pair[0].source.close()
            pair[1].source.close()

    """#
}
