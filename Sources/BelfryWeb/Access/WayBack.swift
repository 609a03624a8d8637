import HTTPTypes
import Hummingbird

/// The page to which a form, or a sign-in, returns: always one of this server.
enum WayBack {
  private static let longest = 500
  private static let cookieTime = 900.0

  /// The path that a form names in `back`, if it is one of this server; otherwise another.
  static func path(_ fields: FormFields, or other: String) throws(Problem) -> String {
    guard let path = try fields.text("back"), isOwn(path) else { return other }
    return path
  }

  private static func isOwn(_ path: String) -> Bool {
    path.utf8.count <= longest && path.utf8.first == UInt8(ascii: "/") && !path.hasPrefix("//")
      && path.utf8.allSatisfy { 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "\\") }
  }

  /// The cookie that keeps the requested page until sign-in; `nil` unless a browser requests a page for a person.
  static func cookie(of request: Request, isSecure: Bool) -> String? {
    let head = request.head
    guard head.method == .get, AcceptedForms(head).namesHTML, head.headerFields[named: "Fragment"] == nil,
      !head.showsToken, !isAhead(head), let path = head.path, isOwn(path)
    else { return nil }
    return SecretCookie.page.setting(FormFields.encoded(path), lasting: cookieTime, isSecure: isSecure)
  }

  // True if a script or a browser prefetches the page.
  private static func isAhead(_ head: HTTPRequest) -> Bool {
    ["Purpose", "Sec-Purpose"].contains { head.headerFields[named: $0]?.hasPrefix("prefetch") == true }
  }

  /// The path in the cookie of a request; `nil` without one.
  static func page(_ head: HTTPRequest, isSecure: Bool) -> String? {
    SecretCookie.page.secret(in: head, isSecure: isSecure).flatMap { RequestTarget.decoded($0[...]) }
      .flatMap { isOwn($0) ? $0 : nil }
  }
}
