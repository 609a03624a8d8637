import HTTPTypes
import Hummingbird
import Transport

/// The cookie by which a browser that signs in gets back the page that it came from.
struct DestinationCookie {
  /// Makes the cookie of a request by the way that it came.
  struct Maker: Sendable {
    let publicURL: ServerURL?

    func cookie(for request: Request) -> DestinationCookie {
      DestinationCookie(isSecure: request.isSecure(to: publicURL))
    }
  }

  /// The name over https, and the one over plain HTTP on this machine.
  static let names = ["__Host-belfry-next", "belfry-next"]

  /// Whether the browser came over https.
  let isSecure: Bool

  /// The field that gives it to a browser for some seconds.
  func setting(_ secret: String, lasting time: Double) -> String { text(secret, Int(time)) }

  /// The field that takes it away.
  var removing: String { text("", 0) }

  private func text(_ secret: String, _ time: Int) -> String {
    isSecure
      ? "\(Self.names[0])=\(secret); Path=/; Max-Age=\(time); Secure; HttpOnly; SameSite=Lax"
      : "\(Self.names[1])=\(secret); Path=/; Max-Age=\(time); HttpOnly; SameSite=Strict"
  }
}

extension HTTPRequest {
  /// The value of the one cookie that has one of these names; `nil` where there is none, or more than one.
  func cookie(named names: [String]) -> String? {
    let values = (headerFields[.cookie] ?? "").split(separator: ";").compactMap { pair -> Substring? in
      let text = pair.drop { $0 == " " }
      return names.lazy.compactMap { text.hasPrefix($0 + "=") ? text.dropFirst($0.count + 1) : nil }.first
    }
    return values.count == 1 ? values.first.map(String.init) : nil
  }
}

extension Request {
  /// Whether it came over https: the proxy that provides that passes the Host on.
  func isSecure(to publicURL: ServerURL?) -> Bool {
    guard let publicURL, publicURL.scheme == "https", let host = head.authority?.lowercased() else { return false }
    return HostRule.name(of: host) == publicURL.host
  }
}
