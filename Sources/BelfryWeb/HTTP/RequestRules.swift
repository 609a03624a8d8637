import BelfryEngine
import HTTPTypes
import Hummingbird
import Transport

/// The rules that every request must follow before it reaches a route.
struct RequestRules: RouterMiddleware {
  let host: HostRule
  let origin: OriginRule
  let limits: WebLimits
  /// The proxy that signs people in.
  let proxy: SigningProxy?

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    try host.check(request.head)
    try checkSize(request.head)
    try RequestTarget.check(request.head.path ?? "")
    try proxy?.check(request.head)
    // Links in messages ignore cookies, so they need no such check.
    if request.head.path?.hasPrefix(SecretPath.answers) != true { try origin.check(request.head) }
    return try await next(request, context)
  }

  private func checkSize(_ head: HTTPRequest) throws(Problem) {
    let target = (head.path?.utf8.count ?? 0) + (head.authority?.utf8.count ?? 0)
    let size = head.headerFields.reduce(target) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
    guard size <= limits.head else {
      throw Problem(.requestHeaderFieldsTooLarge, "the request's head is longer than \(limits.head) bytes")
    }
    let most = limits.isUpload(head) ? limits.upload : limits.body
    if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > most {
      throw Problem(.contentTooLarge, "the request's body is longer than \(most) bytes")
    }
  }
}

/// The host names under which requests may address this server, so that no other site can make a browser treat it as
/// its own (DNS rebinding).
struct HostRule: Sendable {
  /// The URL by which people reach it.
  let publicURL: ServerURL?

  /// - Throws: ``Problem``, 400 if no single host is named, 421 for a foreign one.
  func check(_ head: HTTPRequest) throws(Problem) {
    // The first Host becomes the authority, a second one stays among the fields.
    guard let host = head.authority, !host.isEmpty, head.headerFields[named: "Host"] == nil else {
      throw Problem(.badRequest, "the request must have exactly one Host")
    }
    guard permits(host.lowercased()) else {
      throw Problem(
        .misdirectedRequest, "the request is for another host than this server",
        hint: "use the URL in web.public_url")
    }
  }

  private func permits(_ host: String) -> Bool {
    let (name, port) = Self.parts(host)
    if WebSettings.loopbackNames.contains(name) { return port != .wrong }
    guard let publicURL, name == publicURL.host else { return false }
    let standard = publicURL.scheme == "https" ? 443 : 80
    return port == .none ? (publicURL.port ?? standard) == standard : port == .number(publicURL.port ?? standard)
  }

  private enum Port: Equatable {
    case none
    case number(Int)
    case wrong
  }

  /// The name in a Host, without its port.
  static func name(of host: String) -> String { parts(host).name }

  private static func parts(_ host: String) -> (name: String, port: Port) {
    let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
    guard let end, end < host.endIndex else { return (host, .none) }
    let digits = host[end...].dropFirst()
    let isPort = host[end] == ":" && (1...5).contains(digits.utf8.count) && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    return (String(host[..<end]), isPort ? Int(digits).map(Port.number) ?? .wrong : .wrong)
  }
}

extension HTTPFields {
  /// The values of a field, together; `nil` if there is none.
  subscript(named name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

  /// Sets a field by its name.
  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { self[name] = value }
  }
}

/// The rule that a request with a browser's cookie, or with the name that a proxy adds, changes something only if a
/// page of this server sent it.
struct OriginRule: Sendable {
  /// The schemes, hosts and ports of its pages.
  let origins: Set<String>
  /// The proxy that adds a name to every request which a browser sends.
  private let proxy: SigningProxy?

  /// The origins of a server.
  init(publicURL: ServerURL?, address: ListenAddress, proxy: SigningProxy? = nil) {
    self.proxy = proxy
    var origins = Set([publicURL?.origin].compactMap(\.self))
    if case .tcp(_, let port) = address {
      for name in WebSettings.loopbackNames { origins.insert("http://\(name)\(port == 80 ? "" : ":\(port)")") }
    }
    self.origins = origins
  }

  /// - Throws: ``Problem`` 403.
  func check(_ head: HTTPRequest) throws(Problem) {
    guard ![.get, .head, .options].contains(head.method) else { return }
    guard head.headerFields[.cookie] != nil || proxy?.names(head) == true else { return }
    guard isOurs(head) == true else { throw Self.foreign }
  }

  /// Checks a request that has no cookie yet, and gets one.
  ///
  /// - Throws: ``Problem`` 403 if a page of another site initiated it.
  func checkSignIn(_ head: HTTPRequest) throws(Problem) {
    // Every browser says where such a request comes from; programs do not.
    if isOurs(head) == false { throw Self.foreign }
  }

  // Nil if the request does not say. Sec-Fetch-Site takes precedence; older browsers send only the origin.
  private func isOurs(_ head: HTTPRequest) -> Bool? {
    if let site = head.headerFields[named: "Sec-Fetch-Site"] { return site == "same-origin" }
    return head.headerFields[.origin].map(origins.contains)
  }

  private static let foreign = Problem(
    .forbidden, "the request was not made by a page of this server",
    hint: "programs use an access token: belfry access add")
}

/// The path and query that a request asks for.
enum RequestTarget {
  /// - Throws: ``Problem`` 400 if it is not a path, or one that could be read in two ways.
  static func check(_ target: String) throws(Problem) {
    guard target.hasPrefix("/"), target.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw Problem(.badRequest, "the request's target is not a path")
    }
    for segment in target.prefix(while: { $0 != "?" }).split(separator: "/") {
      guard let text = decoded(segment), text != ".", text != "..",
        !text.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7f })
      else {
        throw Problem(
          .badRequest,
          "the path is ambiguous: a part is . or .., or has an encoded slash, a control character or invalid encoding")
      }
    }
  }

  /// A part of a path or query with its percent-encoding decoded; `nil` for invalid encoding or text that is not UTF-8.
  static func decoded(_ segment: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
