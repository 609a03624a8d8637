import HTTPTypes

/// A cookie in which a browser keeps a secret of this server, or the page that it asked for.
enum SecretCookie: String {
  /// The session of a browser that has signed in.
  case session = "belfry"
  /// The page from which a browser came to sign in.
  case destination = "belfry-next"
  /// The page that a browser asked for before it signed in, see ``WayBack/cookie(of:isSecure:)``.
  case page = "belfry-page"
  /// The holder of a challenge for a passkey, of a browser that is about to sign in.
  case passkey = "belfry-passkey"

  /// The field that makes a browser delete the data of a session.
  static let clearing = (name: "Clear-Site-Data", value: "\"cache\", \"storage\"")

  /// The field that sets it in a browser for some seconds. Plain HTTP is used on this machine only.
  func setting(_ secret: String, lasting time: Double, isSecure: Bool) -> String {
    "\(name(isSecure))=\(secret); Path=/; Max-Age=\(Int(time)); "
      + (isSecure ? "Secure; HttpOnly; SameSite=Lax" : "HttpOnly; SameSite=Strict")
  }

  /// The field that deletes it.
  func removing(isSecure: Bool) -> String { setting("", lasting: 0, isSecure: isSecure) }

  /// The secret that a request shows; `nil` if it shows none, or more than one.
  func secret(in head: HTTPRequest, isSecure: Bool) -> String? {
    let start = name(isSecure) + "="
    let secrets = (head.headerFields[.cookie] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
    return secrets.count == 1 ? secrets.first.map(String.init) : nil
  }

  /// True if a request shows one under either name, valid or not.
  func isShown(in head: HTTPRequest) -> Bool {
    (head.headerFields[.cookie] ?? "").split(separator: ";").contains { pair in
      let name = pair.drop { $0 == " " }.prefix { $0 != "=" }
      return [self.name(true), self.name(false)].contains { $0 == name }
    }
  }

  // Browsers take a cookie of this prefix only over https, and only from this host (RFC 6265bis, section 4.1.3.2):
  // one without it may have been set by another host of the domain.
  private func name(_ isSecure: Bool) -> String { (isSecure ? "__Host-" : "") + rawValue }
}

extension HTTPRequest {
  /// True if it shows a token (RFC 6750). A password for a proxy, which passes it on, is ignored.
  var showsToken: Bool {
    headerFields[.authorization]?.split(separator: " ").first?.lowercased() == "bearer"
  }
}
