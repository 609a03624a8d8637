import BelfryModel
import BelfryTestKit
import Foundation
import OrderedJSON

/// A server of `Tests/Support/Services`, with a socket over which the test tells it what to do.
package final class ServiceProcess: Sendable {
  /// An order that the server could not carry out, with its words.
  package struct Failure: Error, CustomStringConvertible {
    /// The order and the reason.
    package let description: String
  }

  /// The URL without a path: `http://127.0.0.1:8080`, or with TLS `https://localhost:8443`.
  let url: String
  private let process: ServerProcess

  /// Starts a script and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  init(_ script: String, _ configuration: JSONObject, authority: TestAuthority?) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let text = JSONValue.object(configuration).serialized()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("configuration.json")))
    let identity = try authority?.identity()
    process = try ServerProcess.python(
      script: Checkout.file("Tests/Support/Services/\(script)").path,
      identity.map { [$0.certificate, $0.key] } ?? [], in: folder)
    let port = try process.announcedPort()
    url = identity == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)"
  }

  /// Has the server carry out an order.
  ///
  /// - Throws: ``Failure``.
  @discardableResult
  func order(_ name: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
    var order = parameters
    order["do"] = .string(name)
    let reply = try JSONValue(parsing: exchange(JSONValue.object(order).serialized() + "\n"))
    if let reason = reply["error"]?.stringValue { throw Failure(description: "\(name): \(reason)") }
    return reply["result"] ?? .null
  }

  /// Has the server carry out an order, and decodes its result.
  ///
  /// - Throws: ``Failure``, and errors of decoding.
  func order<Result: Decodable>(_ name: String, _ parameters: JSONObject = [:], as type: Result.Type) throws -> Result {
    try JSONDecoder().decode(type, from: Data(order(name, parameters).serialized().utf8))
  }

  func stop() { process.stop() }

  /// The server's complaints, such as faults of its own.
  var log: String { process.log }

  private func exchange(_ line: String) throws -> Data {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let stream = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: process.folder.file("control").utf8) }
    let status = withUnsafePointer(to: name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw Failure(description: "the server is gone: \(process.log)") }
    var unsent = Array(line.utf8)[...]
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure(description: "the server hung up: \(process.log)") }
      unsent.removeFirst(count)
    }
    shutdown(descriptor, Int32(SHUT_WR))
    return try stream.readToEnd() ?? Data()
  }
}
