import BelfryTestKit
import Foundation

/// An HTTP/1.1 server that records every request and sends configured answers.
package final class HTTPCollector: Sendable {
  /// An answer to a request.
  package struct Answer: Codable, Hashable, Sendable {
    package var status: Int
    /// The header fields; `Content-Length` is added.
    package var fields: [[String]]
    /// The body, in which `{{request}}` stands for that of the request.
    package var body: String

    /// An answer, empty by default.
    package init(_ status: Int, fields: [String: String] = [:], body: String = "") {
      self.status = status
      self.fields = fields.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
      self.body = body
    }
  }

  package struct Request: Decodable, Hashable, Sendable {
    package let method: String
    /// The path with its query.
    package let path: String
    /// The header fields: name and value of each, in order.
    package let fields: [[String]]
    /// The number of the connection, from 1.
    package let connection: Int
    package let body: Data

    /// The first field of a name, in any case.
    package func field(_ name: String) -> String? {
      fields.first { $0.first?.lowercased() == name.lowercased() }?.last
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The URL, `http://127.0.0.1:8080/hook` or with TLS `https://localhost:8443/hook`.
  package let url: String
  private let process: ServerProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - answers: the answers in order; the last one is repeated.
  ///   - authority: the issuer of its certificate for `localhost`; `nil` for plain HTTP.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(answers: [Answer] = [Answer(204)], authority: TestAuthority? = nil) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try JSONEncoder().encode(answers).write(to: URL(fileURLWithPath: folder.file("answers.json")))
    let identity = try authority?.identity()
    process = try ServerProcess.python(Self.program, identity.map { [$0.certificate, $0.key] } ?? [], in: folder)
    let port = try process.announcedPort()
    url = identity == nil ? "http://127.0.0.1:\(port)/hook" : "https://localhost:\(port)/hook"
  }

  /// Every request so far, in the order in which they were answered.
  ///
  /// - Throws: errors of reading and decoding.
  package func received() throws -> [Request] { try process.records(Request.self) }

  package func stop() { process.stop() }

  private static let program = #"""
    import base64, http.server, itertools, json, socket, ssl, sys, threading

    answers = json.load(open("answers.json"))
    lock = threading.Lock()
    records = open("records.jsonl", "a")
    numbers = itertools.count(1)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True

        def setup(self):
            if len(sys.argv) > 1:
                self.request = context.wrap_socket(self.request, server_side=True)
            super().setup()
            self.number = next(numbers)

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with lock:
                record = dict(method=self.command, path=self.path, fields=self.headers.items(),
                              connection=self.number, body=base64.b64encode(body).decode())
                records.write(json.dumps(record) + "\n")
                records.flush()
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
            content = answer["body"].encode().replace(b"{{request}}", body)
            self.send_response(answer["status"])
            for name, value in answer["fields"]:
                self.send_header(name, value)
            if answer["status"] not in (204, 304):
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if answer["status"] not in (204, 304):
                self.wfile.write(content)
            self.wfile.flush()

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_CONNECT = answer

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request, address):
            pass

    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#
}

extension ServerProcess {
  /// Starts a Python program with a folder as its working folder.
  static func python(_ program: String, _ arguments: [String], in folder: TemporaryFolder) throws -> ServerProcess {
    try Data(program.utf8).write(to: URL(fileURLWithPath: folder.file("server.py")))
    return try python(script: "server.py", arguments, in: folder)
  }

  /// Starts a Python script with a folder as its working folder.
  static func python(script: String, _ arguments: [String], in folder: TemporaryFolder) throws -> ServerProcess {
    let words = ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.path, python, "-B", script]
    return try ServerProcess("/bin/sh", words + arguments, in: folder)
  }

  /// The records written by the program so far: one JSON document on each line of `records.jsonl`.
  func records<Record: Decodable>(_ type: Record.Type) throws -> [Record] {
    guard let data = FileManager.default.contents(atPath: folder.file("records.jsonl")) else { return [] }
    // The last line may be incomplete.
    let end = data.lastIndex(of: UInt8(ascii: "\n")) ?? data.startIndex
    return try data[..<end].split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(type, from: $0) }
  }
}
