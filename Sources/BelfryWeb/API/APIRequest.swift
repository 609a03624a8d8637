import BelfryEngine
import BelfryModel
import FoundationEssentials
import HTTPTypes
import Hummingbird
import ItemEntry
import OrderedJSON
import WebAccess

/// A request to an operation, checked against its declaration.
struct APIRequest: Sendable {
  /// The deepest nesting of a body.
  private static let depth = 16

  let head: HTTPRequest
  /// The body of an operation that takes a file.
  let upload: TransferFile?
  let visitor: Access
  let query: APIQuery
  let body: JSONObject
  let elements: [JSONValue]
  let bytes: [UInt8]
  let services: APIServices
  /// The ticket by which its changes take effect once; `nil` without an idempotency key.
  private(set) var ticket: OnceTicket?
  private let path: Parameters
  private let status: HTTPResponse.Status

  /// Reads a request.
  ///
  /// - Throws: ``Problem`` for parts that its operation does not take.
  init(
    _ request: Request, _ context: WebContext, to operation: APIOperation, _ services: APIServices
  ) async throws {
    (head, path, self.services) = (request.head, context.parameters, services)
    status = operation.status
    visitor = try context.signedIn()
    query = try APIQuery(request.uri.query ?? "", names: operation.query.map(\.name))
    switch operation.body {
    case .none: bytes = try await Self.bytes(request, [], isRequired: false, services)
    case .object(_, let isRequired):
      bytes = try await Self.bytes(request, ["application/json"], isRequired: isRequired, services)
    case .array: bytes = try await Self.bytes(request, ["application/json"], isRequired: true, services)
    case .objectOrText:
      bytes = try await Self.bytes(request, ["application/json", Self.plainText], isRequired: true, services)
    case .patch:
      let types = ["application/merge-patch+json", "application/json"]
      bytes = try await Self.bytes(request, types, isRequired: true, services)
    case .file: bytes = []
    }
    upload =
      if case .file = operation.body { try await TransferFile(request.body, upTo: services.limits.upload) } else { nil }
    switch operation.body {
    case .array: (body, elements) = ([:], try Self.array(bytes))
    case .objectOrText(_, let member) where Self.type(of: request) == Self.plainText:
      (body, elements) = ([member: .string(try Self.text(bytes))], [])
    default: (body, elements) = (bytes.isEmpty ? [:] : try Self.object(bytes), [])
    }
    if case .none = operation.body, body.count > 0 {
      throw Problem(.unprocessableContent, "this takes no body", hint: "send it without a body, or with {}")
    }
  }

  private static func bytes(
    _ request: Request, _ types: [String], isRequired: Bool, _ services: APIServices
  ) async throws -> [UInt8] {
    let bytes = [UInt8](buffer: try await request.body.collect(upTo: services.limits.body))
    guard !bytes.isEmpty else {
      guard !isRequired else { throw Problem(.badRequest, "the request has no body", hint: "send a JSON object") }
      return []
    }
    let accepted = types.isEmpty ? ["application/json"] : types
    guard let type = type(of: request), accepted.contains(type) else {
      throw Problem(
        .unsupportedMediaType, "the body is not \(accepted.joined(separator: " or "))",
        hint: "name its media type in Content-Type")
    }
    return bytes
  }

  private static let plainText = "text/plain"

  private static func type(of request: Request) -> String? {
    request.headers[.contentType].map { String($0.lowercased().prefix { $0 != ";" && $0 != " " }) }
  }

  // Programs may end the text with a line break, which is not part of it.
  private static func text(_ bytes: [UInt8]) throws(Problem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(.badRequest, "the body is not UTF-8", hint: "convert it with iconv")
    }
    return text.trimmingWhitespace()
  }

  private static func object(_ bytes: [UInt8]) throws(Problem) -> JSONObject {
    guard let object = try value(bytes).objectValue else {
      throw Problem(.unprocessableContent, "the body is not an object", hint: "send members in braces")
    }
    return object
  }

  private static func array(_ bytes: [UInt8]) throws(Problem) -> [JSONValue] {
    guard let elements = try value(bytes).arrayValue else {
      throw Problem(.unprocessableContent, "the body is not an array", hint: "send elements in brackets")
    }
    return elements
  }

  private static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes, maximumDepth: depth)
    } catch {
      throw Problem(.badRequest, "the body is not JSON: \(error)", hint: "the place is LINE:COLUMN")
    }
  }

  /// A number in the path.
  ///
  /// - Throws: ``Problem`` 404 for another text, as for an unknown number.
  func number(_ name: String = "id") throws(Problem) -> Int64 {
    let text = try word(name)
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text) else {
      throw Problem(.notFound, "there is no '\(text)' here", hint: "write a number")
    }
    return number
  }

  /// A word in the path.
  func word(_ name: String) throws(Problem) -> String {
    guard let part = path.get(name), let text = RequestTarget.decoded(part[...]) else {
      throw Problem(.notFound, "there is nothing at this path")
    }
    return text
  }

  /// The entity tags, one of which the resource must have to be changed.
  ///
  /// - Throws: ``Problem`` 428 if the request has no `If-Match`.
  func expectedTag() throws(Problem) -> EntityTag.Expected {
    guard let field = head.headerFields[.ifMatch] else {
      throw Problem(
        .preconditionRequired, "the request does not say which version it changes",
        hint: "send If-Match with the ETag of the version that you read, or *")
    }
    return EntityTag.Expected(field)
  }

  /// The same request with a ticket, so that its changes take effect once.
  func once(_ ticket: OnceTicket) -> APIRequest {
    var request = self
    request.ticket = ticket
    return request
  }

  /// Reads one consistent state, as far as the visitor may see it.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Sight) throws -> Result) async throws -> Result {
    try await services.calls.read(for: visitor, body)
  }

  /// Reads one consistent state at the time in the query's `now`, if present.
  func readAtNamedTime<Result: Sendable>(
    _ body: @escaping @Sendable (Sight) throws -> Result
  ) async throws -> Result {
    try await read { try body(atNamedTime($0)) }
  }

  /// The same state at the time in the query's `now`, if present.
  func atNamedTime(_ sight: Sight) throws -> Sight { try sight.at(query["now"], services.calls.belfry) }

  /// Makes a change in the visitor's name, and returns the reply to it; see
  /// ``StoreCalls/change(by:once:isLong:keeping:requiring:_:)``.
  ///
  /// - Parameter isLong: true for a change with a transaction of its own.
  /// - Throws: ``RequestWasDone`` if a request with the same ticket took effect before.
  func change(
    isLong: Bool = false, requiring check: @escaping @Sendable (Sight) throws -> Void,
    _ body: @escaping @Sendable (Belfry) throws -> APIReply
  ) async throws -> APIReply {
    try await services.calls.change(
      by: visitor, once: ticket, isLong: isLong, keeping: \.kept, requiring: check
    ) { [status] belfry in
      var reply = try body(belfry)
      if reply.status == .ok { reply.status = status }
      return reply
    }
  }
}

extension APIRequest {
  /// A reader of the fields of an item in a request.
  func reader(_ reading: Reading) -> EntryReader {
    let belfry = services.calls.belfry
    return EntryReader(reading: reading, settings: belfry.settings, zones: belfry.zones)
  }

  /// The texts of a body that may have only these members; `null` counts as absent.
  ///
  /// - Throws: ``Problem`` 422 for any other member, and for a member that is not a text.
  func texts(_ names: String...) throws(Problem) -> [String: String] {
    var texts: [String: String] = [:]
    var faults: [FieldFault] = []
    for member in body.members {
      switch member.value {
      case _ where !names.contains(member.key): faults.append(.unknown(member.key, among: names))
      case .string(let text): texts[member.key] = text
      case .null: break
      default: faults.append(FieldFault(member.key, "'\(member.key)' is not a text"))
      }
    }
    if let problem = Problem(faults) { throw problem }
    return texts
  }
}

/// The services of the web face that operations use.
struct APIServices: Sendable {
  let calls: StoreCalls
  let setup: WebSetup
  let once: OnceRequests
  let limits: WebLimits
  let sinkTests: SinkTestTurn
  let sealing: SealingKey
}
