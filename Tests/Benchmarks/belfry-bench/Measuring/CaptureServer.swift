import Foundation

/// A server that records one HTTP request, so that other programs can send the same.
final class CaptureServer {
  /// The URL to post to.
  let url: String
  private let listener: Listener

  init() throws {
    listener = try Listener()
    url = "http://127.0.0.1:\(listener.port)/hook"
  }

  /// Waits for one request and answers 204.
  ///
  /// - Returns: the header fields set by the sender itself, one on each line, and the body.
  func request() throws -> (headers: String, body: [UInt8]) {
    var ready = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 30_000) > 0 else { throw BenchmarkError("no request came within 30 seconds") }
    let connection = accept(listener.descriptor, nil, nil)
    guard connection >= 0 else { throw BenchmarkError.system("cannot accept", errno) }
    defer { close(connection) }
    var bytes: [UInt8] = []
    while true {
      if let whole = Self.parsed(bytes) {
        let answer = Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        return whole
      }
      var part = [UInt8](repeating: 0, count: 65_536)
      let count = recv(connection, &part, part.count, 0)
      guard count > 0 else { throw BenchmarkError("a request ended before its end") }
      bytes += part.prefix(count)
    }
  }

  // The request, once it is complete.
  private static func parsed(_ bytes: [UInt8]) -> (headers: String, body: [UInt8])? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").dropFirst()
    let named = lines.map { line in (name: line.prefix { $0 != ":" }.lowercased(), line: line) }
    let length = named.first { $0.name == "content-length" }.flatMap { Int($0.line.split(separator: " ").last ?? "") }
    let body = Array(bytes[end.upperBound...])
    guard body.count >= length ?? 0 else { return nil }
    let own = named.filter { !["host", "content-length", "connection"].contains($0.name) }
    return (own.map { "\($0.line)\n" }.joined(), body)
  }
}

/// The files of one of Belfry's posts: its header fields, one on each line, and its body.
struct SamplePost {
  let headers: String
  let body: String

  /// Has Belfry post a reminder.
  ///
  /// - Parameters:
  ///   - sink: the sink that posts to a URL, for a config.
  ///   - prepare: what a folder needs besides, for a URL.
  init(
    _ bench: BenchRun, _ stores: DeliveryStores, sink: (_ url: String) -> String,
    prepare: (_ folder: String, _ url: String) throws -> Void = { _, _ in }
  ) throws {
    let server = try CaptureServer()
    let folder = try stores.fresh(1, sink: sink(server.url))
    try prepare(folder, server.url)
    let daemon = try RunningProcess(stores.delivering(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    let request = try server.request()
    _ = daemon.pipe.readToEnd()
    let files = try bench.scratch.folder("webhook")
    (headers, body) = ("\(files)/headers", "\(files)/body")
    try request.headers.write(toFile: headers, atomically: false, encoding: .utf8)
    try Data(request.body).write(to: URL(fileURLWithPath: body))
  }
}
