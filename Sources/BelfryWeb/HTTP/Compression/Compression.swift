import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses replies that are texts, for clients that accept gzip.
///
/// A strong tag belongs to the bytes of one form (RFC 9110, section 8.8.3.3): that of the compressed one has an ending of
/// its own, which the routes never see.
struct Compression: RouterMiddleware {
  /// The bytes below which compressing gains less than it costs.
  private static let least = 1_024
  private static let types: Set = [
    "application/json", "application/manifest+json", "application/problem+json", "image/svg+xml", "text/calendar",
    "text/css", "text/csv", "text/html", "text/javascript", "text/plain",
  ]

  /// The proxy that signs people in.
  let proxy: SigningProxy?

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let isAccepted = isAccepted(for: request.head)
    var head = request.head
    head.headerFields[.ifMatch] = head.headerFields[.ifMatch].map(CompressedTag.plain)
    if isAccepted { head.headerFields[.ifNoneMatch] = head.headerFields[.ifNoneMatch].map(CompressedTag.plain) }
    var response = try await next(Request(head: head, body: request.body), context)
    if Self.isText(response) || response.headers[.eTag] != nil { response.headers[.vary] = "Accept-Encoding" }
    guard isAccepted else { return response }
    if response.status == .notModified {
      let (known, tag) = (request.headers[.ifNoneMatch], response.headers[.eTag].map(CompressedTag.of))
      if let known, let tag, known.contains(tag) { response.headers[.eTag] = tag }
    } else if Self.isText(response), response.body.contentLength ?? Self.least >= Self.least,
      response.headers[.contentEncoding] == nil
    {
      response.compress()
    }
    return response
  }

  // The length of a compressed reply reveals repetitions in it. An attacker who can make a browser send chosen
  // requests, and sees the length of the replies, could guess a page letter by letter (BREACH). So a reply is not
  // compressed if a page of another site may have requested it with the visitor's credentials: browsers say what
  // initiated a request; a request that does not say it must carry nothing that browsers add by themselves, unlike a
  // token. A reply to HEAD has the fields of the plain form, whose length is known.
  private func isAccepted(for head: HTTPRequest) -> Bool {
    guard head.method != .head, AcceptedCodings(head.headerFields[.acceptEncoding]).prefersGzip else { return false }
    if let site = head.headerFields[named: "Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
    return head.headerFields[.cookie] == nil && proxy?.names(head) != true
  }

  private static func isText(_ response: Response) -> Bool {
    guard let type = response.headers[.contentType] else { return false }
    return types.contains(String(type.prefix { $0 != ";" }))
  }
}

/// The tag of a compressed form: that of the plain one, with an ending that no digest has.
private enum CompressedTag {
  private static let ending = ".gzip\""

  static func of(_ tag: String) -> String { tag.dropLast() + ending }

  /// A field with all its tags replaced by those of the plain forms.
  static func plain(_ field: String) -> String { field.replacing(ending, with: "\"") }
}

extension Response {
  /// Compresses the body while it is sent.
  fileprivate mutating func compress() {
    let plain = body
    body = ResponseBody { writer in try await plain.write(GzipWriter(parent: writer)) }
    headers[.contentEncoding] = "gzip"
    headers[.eTag] = headers[.eTag].map(CompressedTag.of)
  }
}

private struct GzipWriter: ResponseBodyWriter {
  var parent: any ResponseBodyWriter
  private let gzip = Gzip()

  init(parent: any ResponseBodyWriter) { self.parent = parent }

  mutating func write(_ buffer: ByteBuffer) async throws {
    let bytes = gzip.compress(buffer.readableBytesView)
    if !bytes.isEmpty { try await parent.write(ByteBuffer(bytes: bytes)) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await parent.write(ByteBuffer(bytes: gzip.compress([], isLast: true)))
    try await parent.finish(trailingHeaders)
  }
}
