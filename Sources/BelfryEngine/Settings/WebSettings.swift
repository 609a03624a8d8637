import ConfigKeys
import Transport

/// The section `web`: the address that the web face listens on, and the name under which people reach it.
public struct WebSettings: Hashable, Sendable {
  /// The users who may connect to a socket in the file system.
  public enum SocketMode: String, CaseIterable, Hashable, Sendable {
    /// Its user alone.
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
  /// The beginning of links in messages; `nil` where nobody reaches it from elsewhere.
  public var publicURL: ServerURL?
  /// The IP addresses of proxies whose X-Forwarded-For counts.
  public var trustedProxies: [String]

  /// Settings; the defaults are those of an empty config.
  public init(
    listen: ListenAddress = .tcp(address: "127.0.0.1", port: 8_787), socketMode: SocketMode = .user,
    publicURL: ServerURL? = nil, trustedProxies: [String] = []
  ) {
    self.listen = listen
    self.socketMode = socketMode
    self.publicURL = publicURL
    self.trustedProxies = trustedProxies
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
      "How links in messages begin: https unless of this machine, without a path.")
    section.read(
      "trusted_proxies", &settings.trustedProxies, .list(of: .ipAddress),
      "The addresses of proxies whose X-Forwarded-For tells who asks.")
    if let fault = settings.exposure(of: settings.listen) { section.error(fault, at: listen.value) }
    return settings
  }

  /// The reason why it must not listen on an address; `nil` where it may.
  public func exposure(of address: ListenAddress) -> String? {
    guard !address.isLocal, publicURL?.scheme != "https" else { return nil }
    return "listening on \(address) needs a 'public_url' with https, and a proxy that provides it"
  }
}

extension ConfigType where Value == ServerURL {
  /// The URL of the web face as people reach it.
  fileprivate static var publicURL: ConfigType {
    textual(.line, write: { ConfigText.write($0.origin) }) { text, _ throws(ConfigProblem) in
      let url = try ServerURL(text, schemes: ["https", "http"])
      guard url.target == "/" else {
        throw ConfigProblem("the URL has a path, where links begin with scheme and host alone")
      }
      guard url.scheme == "https" || WebSettings.loopbackNames.contains(url.host) else {
        throw ConfigProblem("expected https://, since links would be read on the way")
      }
      return url
    }
  }
}
