import HTTPTypes
import Hummingbird
import NIOCore
import OrderedJSON
import WebAccess

/// The reply to a request that was carried out.
struct APIReply: Sendable {
  enum Content: Sendable {
    case json(String)
    case file(TransferFile, type: String)
  }

  var status = HTTPResponse.Status.ok
  let content: Content
  /// The cursor of the next page.
  var next: String?
  /// Header fields in addition to those of every reply.
  var fields: HTTPFields = [:]

  /// A reply with a value.
  init(_ value: JSONValue) { content = .json(value.sent) }

  /// A reply with the errors of one part of a request, and with the items that the rest changed.
  init(_ problem: Problem, besides items: [JSONValue]) {
    var problem = problem
    problem.detail += "; the rest was carried out"
    problem.items = items
    self.init(problem.json)
    status = problem.status
  }

  /// A reply with a page of values.
  init(_ page: Page) {
    self.init(.array(page.elements))
    next = page.next
  }

  /// A reply with a file.
  init(_ file: TransferFile, type: String) { content = .file(file, type: type) }

  /// Restores a kept reply.
  ///
  /// - Throws: ``Problem`` 409 if its body was too long to keep, or the program ended before it was kept.
  init(_ kept: KeptReply?) throws(Problem) {
    guard let kept, let body = kept.body else {
      throw Problem(
        .conflict, "this request was already carried out", hint: "its response was not kept: read the current state")
    }
    (status, content) = (HTTPResponse.Status(code: kept.status), .json(body))
    for line in kept.fields.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      if parts.count == 2 { fields.set(parts[0], parts[1]) }
    }
  }

  /// The most bytes of a file in a kept reply.
  private static let mostKept = 1 << 20

  /// The reply in the form that is kept for a repeat of its request.
  var kept: KeptReply {
    let body: String? =
      switch content {
      case .json(let text): text
      case .file(let file, _): file.text(upTo: Self.mostKept)
      }
    let fields = fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    return KeptReply(status: status.code, fields: fields, body: body)
  }

  func response(to head: HTTPRequest) -> Response {
    var fields = fields
    if let next { fields.set("Link", "<\(Self.path(of: head, at: next))>; rel=\"next\"") }
    switch content {
    case .json(let text):
      let tag = EntityTag(text)
      fields[.eTag] = tag.description
      if [.get, .head].contains(head.method), let known = head.headerFields[.ifNoneMatch],
        EntityTag.Expected(known, isWeak: true).includes(tag)
      {
        return Response(status: .notModified, headers: fields)
      }
      fields[.contentType] = status.code < 400 ? "application/json" : Problem.mediaType
      return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    case .file(let file, let type):
      fields[.contentType] = type
      return Response(status: status, headers: fields, body: file.body)
    }
  }

  private static func path(of head: HTTPRequest, at cursor: String) -> String {
    let parts = (head.path ?? "").split(separator: "?", maxSplits: 1)
    let query = parts.count == 2 ? parts[1].split(separator: "&").filter { !$0.hasPrefix("cursor=") } : []
    return "\(parts.first ?? "")?" + (query.map(String.init) + ["cursor=\(cursor)"]).joined(separator: "&")
  }
}
