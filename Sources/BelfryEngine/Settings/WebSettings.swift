import CivilTime
import ConfigKeys
import Transport

/// The section `web`: the address that the web face listens on, and the name under which people reach it.
public struct WebSettings: Hashable, Sendable {
  /// The users who may connect to a socket in the file system.
  public enum SocketMode: String, CaseIterable, Hashable, Sendable {
    /// Only its user.
    case user
    /// The users of its group too, as a proxy is.
    case group

    /// The mode as a number.
    public var number: UInt32 {
      switch self {
      case .user: 0o600
      case .group: 0o660
      }
    }
  }

  /// The address that it listens on.
  public var listen: ListenAddress
  /// The users who may connect, if `listen` is a socket in the file system.
  public var socketMode: SocketMode
  /// The start of links in messages; `nil` if the web face is not reachable from elsewhere.
  public var publicURL: ServerURL?
  /// The IP addresses of proxies whose X-Forwarded-For counts.
  public var trustedProxies: [String]
  /// The header in which a proxy names the person who sends the request; `nil` for none.
  public var userHeader: String?
  /// The secret that this proxy sends; `nil` if only the proxy can connect.
  public var proxySecret: SecretSource?

  /// Settings; the defaults are those of an empty config.
  public init(
    listen: ListenAddress = .tcp(address: "127.0.0.1", port: 8_787), socketMode: SocketMode = .user,
    publicURL: ServerURL? = nil, trustedProxies: [String] = [], userHeader: String? = nil,
    proxySecret: SecretSource? = nil
  ) {
    self.listen = listen
    self.socketMode = socketMode
    self.publicURL = publicURL
    self.trustedProxies = trustedProxies
    self.userHeader = userHeader
    self.proxySecret = proxySecret
  }
}

extension WebSettings {
  /// The names by which programs of this machine reach it.
  public static let loopbackNames = ["localhost", "127.0.0.1", "[::1]"]

  /// The section `web`.
  static let configType = ConfigType<WebSettings>.section { section in
    var settings = WebSettings()
    let listen = section.read(
      "listen", &settings.listen, .listenAddress, "The address to listen on, or unix: and a path.")
    section.read(
      "socket_mode", &settings.socketMode, .choice,
      "Who may connect to a unix: socket: its user, or its group too.")
    section.read(
      "public_url", &settings.publicURL, .publicURL,
      "The scheme and host of links in messages; https, except on this machine.")
    section.read(
      "trusted_proxies", &settings.trustedProxies, .list(of: .ipAddress),
      "The addresses of proxies whose X-Forwarded-For header is trusted.")
    let user = section.read(
      "user_header", &settings.userHeader, .fieldName,
      "The header in which a proxy names the person who has signed in, one of `people`; only on a unix: socket, or with `proxy_secret`."
    )
    let secret = section.secret(
      "proxy_secret", &settings.proxySecret, "The secret that this proxy sends in the header `X-Belfry-Proxy-Secret`.")
    if !secret.isGiven, let fault = settings.forgery(at: settings.listen) { section.error(fault, at: user.key) }
    if secret.isGiven, !user.isGiven {
      section.warning("'proxy_secret' has no effect without 'user_header'", at: secret.key)
    }
    if let fault = settings.exposure(of: settings.listen) { section.error(fault, at: listen.value) }
    return settings
  }

  /// The reason why `userHeader` could not be trusted at an address; `nil` if it can.
  public func forgery(at address: ListenAddress) -> String? {
    guard userHeader != nil, proxySecret == nil, case .tcp = address else { return nil }
    return
      "every program of this machine could send 'user_header': listen on a unix: socket, or set 'proxy_secret_file'"
  }

  /// The origin of its URLs at an address; `nil` if it cannot be known.
  public func origin(at address: ListenAddress) -> String? {
    if let publicURL { return publicURL.origin }
    if case .tcp(_, let port) = address, port != 0 { return "http://\(address)" }
    return nil
  }

  /// The reason why it must not listen on an address; `nil` if it may.
  public func exposure(of address: ListenAddress) -> String? {
    guard !address.isLocal, publicURL?.scheme != "https" else { return nil }
    return "listening on \(address) needs a 'public_url' with https, and a proxy that provides it"
  }
}

extension ConfigType where Value == ServerURL {
  /// The URL under which people reach the web face.
  fileprivate static var publicURL: ConfigType {
    textual(.line, write: { ConfigText.write($0.origin) }) { text, _ throws(ConfigProblem) in
      let url = try ServerURL(text, schemes: ["https", "http"])
      guard url.target == "/" else {
        throw ConfigProblem("the URL has a path: write only its scheme and host")
      }
      guard url.scheme == "https" || WebSettings.loopbackNames.contains(url.host) else {
        throw ConfigProblem("expected https://: others on the network could read the links")
      }
      return url
    }
  }
}

extension ConfigType where Value == String {
  /// The name of a header field (RFC 9110, section 5.1).
  fileprivate static var fieldName: ConfigType {
    textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      let isName =
        (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "-")
        }
      guard isName else {
        throw ConfigProblem("expected a header of letters, digits and hyphens, found \(inQuotes(text))")
      }
      guard !reservedFields.contains(text.lowercased()) else {
        throw ConfigProblem("\(inQuotes(text)) has a meaning of its own in HTTP: use a header such as Remote-User")
      }
      return text
    }
  }

  private static var reservedFields: Set<String> {
    [
      "authorization", "connection", "content-length", "content-type", "cookie", "host", "origin", "sec-fetch-site",
      "transfer-encoding", "x-belfry-proxy-secret", "x-forwarded-for",
    ]
  }
}
