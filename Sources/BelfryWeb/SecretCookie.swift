import HTTPTypes
import Hummingbird
import Transport

/// A cookie in which a browser keeps a secret of this server.
enum SecretCookie: String {
  /// The session of a browser that has signed in.
  case session = "belfry"
  /// The page that a browser which signs in came from.
  case destination = "belfry-next"

  /// The field that gives it to a browser for some seconds. Plain HTTP is for this machine alone.
  func setting(_ secret: String, lasting time: Double, isSecure: Bool) -> String {
    isSecure
      ? "\(secureName)=\(secret); Path=/; Max-Age=\(Int(time)); Secure; HttpOnly; SameSite=Lax"
      : "\(rawValue)=\(secret); Path=/; Max-Age=\(Int(time)); HttpOnly; SameSite=Strict"
  }

  /// The field that takes it away.
  func removing(isSecure: Bool) -> String { setting("", lasting: 0, isSecure: isSecure) }

  /// The secret that a request shows; `nil` where it shows none, or more than one.
  func secret(in head: HTTPRequest) -> String? {
    let secrets = (head.headerFields[.cookie] ?? "").split(separator: ";").compactMap { pair -> Substring? in
      let text = pair.drop { $0 == " " }
      let name = [secureName, rawValue].first { text.hasPrefix($0 + "=") }
      return name.map { text.dropFirst($0.count + 1) }
    }
    return secrets.count == 1 ? secrets.first.map(String.init) : nil
  }

  // Browsers take a cookie of this prefix only over https, and only for this host (RFC 6265bis, section 4.1.3.2).
  private var secureName: String { "__Host-" + rawValue }
}

extension Request {
  /// True if it came over https: the proxy that provides that passes the Host on.
  func isSecure(to publicURL: ServerURL?) -> Bool {
    guard let publicURL, publicURL.scheme == "https", let host = head.authority?.lowercased() else { return false }
    return HostRule.name(of: host) == publicURL.host
  }
}
