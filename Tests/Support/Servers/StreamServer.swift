import BelfryTestKit
import Foundation

/// An HTTP/1.1 server whose responses arrive piece by piece, as the test has it say something.
///
/// `GET /stream` answers with the head of a chunked body at once, and then with what is posted to `/say`, to all open
/// streams. A post to `/finish` ends their bodies, one to `/cut` closes their connections in the middle of a chunk.
/// `GET /flood` answers with 1 GiB, as fast as it is read. `GET /refused` answers 403 with 100 kB, `GET /moved` 302 to
/// `/stream`. Responses repeat the header field `X-Echo`.
package final class StreamServer: Sendable {
  /// What happened to a stream.
  package enum Event: Hashable, Sendable {
    /// A stream was opened, with this path.
    case opened(path: String)
    /// The client closed a stream.
    case closed
    /// A flood is blocked: nobody has read for four seconds, and so much has been sent.
    case heldUp(bytes: Int)
  }

  private struct Record: Decodable {
    var opened: String?
    var heldUp: Int?
  }

  /// The URL without a path, such as `http://127.0.0.1:8080`.
  package let url: String
  private let process: ServerProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init() throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    process = try ServerProcess.python(Self.program, [], in: folder)
    url = "http://127.0.0.1:\(try process.announcedPort())"
  }

  /// What has happened so far.
  ///
  /// - Throws: errors of reading and decoding.
  package func events() throws -> [Event] {
    try process.records(Record.self).map { record in
      record.opened.map { .opened(path: $0) } ?? record.heldUp.map { .heldUp(bytes: $0) } ?? .closed
    }
  }

  private static let program = #"""
    import http.server, json, select, socket, threading

    lock = threading.Lock()
    records = open("records.jsonl", "a")
    streams = []

    def record(**event):
        with lock:
            records.write(json.dumps(event) + "\n")
            records.flush()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def head(self, status, **fields):
            self.send_response(status)
            if self.headers["X-Echo"]:
                self.send_header("X-Echo", self.headers["X-Echo"])
            for name, value in fields.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()

        def say(self, text):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))

        def stream(self):
            # Together, so that whoever has the head is among the listeners.
            with lock:
                self.head(200, Transfer_Encoding="chunked")
                streams.append(self)
            record(opened=self.path)
            poller = select.poll()
            poller.register(self.connection, select.POLLIN | select.POLLRDHUP)
            poller.poll()
            with lock:
                # A finished or cut stream is no longer among them.
                if self in streams:
                    streams.remove(self)
            record()
            self.close_connection = True

        def flood(self):
            self.head(200, Content_Length=str(1 << 30))
            block = memoryview(bytes(range(256)) * 256)
            self.connection.setblocking(False)
            count = 0
            while count < 1 << 30:
                if not select.select([], [self.connection], [], 4)[1]:
                    record(heldUp=count)
                    select.select([], [self.connection], [])
                try:
                    count += self.connection.send(block[count % len(block):])
                except OSError:
                    self.close_connection = True
                    return record()

        def do_GET(self):
            if self.path == "/flood":
                self.flood()
            elif self.path == "/refused":
                self.head(403, Content_Length="100000", Retry_After="7")
                self.wfile.write(b"n" * 100000)
            elif self.path == "/moved":
                self.head(302, Content_Length="0", Location="/stream")
            else:
                self.stream()

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with lock:
                listeners = list(streams)
                if self.path != "/say":
                    streams.clear()
            for listener in listeners:
                if self.path == "/say":
                    listener.say(body)
                elif self.path == "/finish":
                    listener.say(b"")
                else:
                    listener.wfile.write(b"400\r\nhalf a chu")
                    listener.connection.shutdown(socket.SHUT_RDWR)
            self.head(204)

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request, address):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#
}
