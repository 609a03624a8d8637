import Foundation

/// A store with a running web face, and requests to it in the name of an access token.
final class ServedStore {
  /// The port of the web face.
  let port: Int
  /// The folder of the store.
  let folder: String
  /// An access token for everything.
  let token: String
  /// The web face.
  let process: RunningProcess

  /// Serves a copy of a folder.
  init(_ bench: BenchRun, copyOf original: String, as name: String) throws {
    port = try Port.free()
    folder = try bench.copy(original, as: name)
    try bench.belfry.configure(folder, "web: { listen: \"127.0.0.1:\(port)\" }\nsinks: { screen: { type: stdout } }\n")
    token = try bench.belfry.addAccess(in: folder)
    process = try RunningProcess(bench.belfry.web(in: folder), log: "\(folder)/web", scratch: bench.scratch)
    try process.waitUntilListening(on: port)
  }

  deinit { process.stop() }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// A file with a request.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - body: a text of JSON; empty for none.
  func request(
    _ name: String, _ line: String, _ fields: [String: String] = [:], body: String = ""
  ) throws -> String {
    var fields = fields.merging(["Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(token)"]) { $1 }
    if !body.isEmpty { (fields["Content-Type"], fields["Content-Length"]) = ("application/json", "\(body.utf8.count)") }
    return try Self.file("\(folder)/\(name)", line, fields, body: body)
  }

  /// A file with a request to any server.
  static func file(_ path: String, _ line: String, _ fields: [String: String], body: String = "") throws -> String {
    let head = ["\(line) HTTP/1.1"] + fields.map { "\($0): \($1)" }
    try (head.joined(separator: "\r\n") + "\r\n\r\n" + body).write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  /// What curl gets.
  ///
  /// - Parameters:
  ///   - path: a path of the server.
  ///   - options: further options of curl.
  func get(_ path: String, _ options: [String] = []) throws -> String {
    let command = Command(
      program: try Surroundings.program("curl", package: "curl"),
      arguments: ["-sSf", "--noproxy", "*", "-H", "Authorization: Bearer \(token)"] + options + [url(path)],
      environment: Surroundings.variables(home: folder))
    return try command.output()
  }
}
