import OrderedJSON

/// A server that imitates a service on the net, and fails as the test says.
package protocol TestService: Sendable {
  var process: ServiceProcess { get }
}

/// A request that a service has received.
package struct ServiceRequest: Hashable, Sendable {
  /// The operation: a method of Telegram, or the name of a ``NtfyServer/Operation``; empty if the request was refused
  /// earlier.
  package let operation: String
  /// Telegram: its parameters. ntfy: `path`, `query` and `body`.
  package let parameters: JSONValue
  /// The status of the whole reply that it sent; `nil` while there is none, and for a stream.
  package let status: Int?
  /// The moment of its arrival on the server's clock, in seconds since 1970.
  package let time: Double
}

/// A way in which a service answers a request wrongly, or not at all.
package enum ServiceFault: Hashable, Sendable {
  /// The service's own error with a status, and with seconds to wait.
  case status(Int, retryAfter: Int? = nil)
  /// Any reply; the request takes no effect.
  case reply(Int, fields: [String: String] = [:], body: String = "")
  /// The connection ends without a reply, before or after the request takes effect.
  case drop(afterEffect: Bool = false)
  /// No reply at all, before or after the request takes effect; the connection stays open.
  case silence(afterEffect: Bool = false)
  /// The request takes effect, and the connection ends in the middle of the reply's body.
  case cut
  /// Something that is no HTTP; the request takes no effect.
  case garbage
  /// Each update or message is twice in the reply.
  case duplicate

  var json: JSONValue {
    switch self {
    case .status(let status, let seconds):
      ["kind": "status", "status": .integer(Int64(status)), "retryAfter": seconds.map { .integer(Int64($0)) } ?? .null]
    case .reply(let status, let fields, let body):
      [
        "kind": "reply", "status": .integer(Int64(status)), "body": .string(body),
        "fields": .array(fields.sorted { $0.key < $1.key }.map { [.string($0.key), .string($0.value)] }),
      ]
    case .drop(let afterEffect): ["kind": "drop", "afterEffect": .bool(afterEffect)]
    case .silence(let afterEffect): ["kind": "silence", "afterEffect": .bool(afterEffect)]
    case .cut: ["kind": "cut"]
    case .garbage: ["kind": "garbage"]
    case .duplicate: ["kind": "duplicate"]
    }
  }
}

extension TestService {
  /// The URL without a path: `http://127.0.0.1:8080`, or with TLS `https://localhost:8443`.
  package var url: String { process.url }

  /// The server's complaints, such as faults of its own.
  package var log: String { process.log }

  /// The requests so far, in order of arrival; of one operation, or all.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func requests(of operation: String? = nil) throws -> [ServiceRequest] {
    let all = try process.order("requests").arrayValue ?? []
    return all.map { value in
      ServiceRequest(
        operation: value["operation"]?.stringValue ?? "", parameters: value["parameters"] ?? .null,
        status: (value["status"]?.integerValue).map { Int($0) }, time: value["time"]?.doubleValue ?? 0)
    }.filter { operation == nil || $0.operation == operation }
  }

  /// Moves the server's clock forward; whatever waits for a time that has now come continues.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func advance(seconds: Double) throws { try process.order("advance", ["seconds": .number(seconds)]) }

  /// Ends all faults.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func heal() throws { try process.order("heal") }

  /// Drops every connection; new ones are accepted.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func disconnect() throws { try process.order("disconnect") }

  /// Drops every connection, and refuses new ones until ``comeUp(keepingState:)``.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func goDown() throws { try process.order("go_down") }

  /// Accepts connections again, at the same URL.
  ///
  /// - Parameter keepingState: false if it has lost its messages and updates.
  /// - Throws: ``ServiceProcess/Failure``.
  package func comeUp(keepingState: Bool = true) throws {
    try process.order("come_up", ["keepingState": .bool(keepingState)])
  }

  /// Stops and starts it.
  ///
  /// - Parameter keepingState: false if it has lost its messages and updates.
  /// - Throws: ``ServiceProcess/Failure``.
  package func restart(keepingState: Bool = true) throws {
    try goDown()
    try comeUp(keepingState: keepingState)
  }

  package func stop() { process.stop() }

  func fail(_ operation: String, _ fault: JSONValue, times: Int) throws {
    try process.order(
      "fail", ["operation": .string(operation), "fault": fault, "times": .integer(Int64(times))])
  }
}
