import CivilTime
import ConfigKeys
import Glibc

/// The address that a server listens on.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// An IP address of this machine and a port; port 0 is any free one.
  case tcp(address: String, port: Int)
  /// A socket in the file system, by its absolute path.
  case unix(path: String)

  /// The longest path of a socket, in bytes (unix(7)).
  private static let maximumPath = 107

  /// The address that a config gives: `127.0.0.1:8787`, `[::1]:8787`, `localhost:8787` or `unix:/run/belfry.sock`.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard path.hasPrefix("/"), !path.hasSuffix("/"), path.utf8.count <= Self.maximumPath else { return nil }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
      return nil
    }
    let host = text[..<colon]
    if host == "localhost" {
      self = .tcp(address: "127.0.0.1", port: port)
    } else if host.hasPrefix("["), host.hasSuffix("]"), Self.isAddress(host.dropFirst().dropLast(), AF_INET6) {
      self = .tcp(address: String(host.dropFirst().dropLast()), port: port)
    } else if Self.isAddress(host, AF_INET) {
      self = .tcp(address: String(host), port: port)
    } else {
      return nil
    }
  }

  /// True if only programs of this machine can connect.
  public var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let address, _): address == "::1" || address.hasPrefix("127.")
    }
  }

  /// The address as a config gives it.
  public var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let address, let port): address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
  }

  private static func port(_ text: Substring) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text),
      port <= 65_535
    else { return nil }
    return port
  }

  /// True if a text is an IP address of a family.
  fileprivate static func isAddress(_ text: some StringProtocol, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, String(text), &address) == 1
  }
}

extension ConfigType where Value == String {
  static var ipAddress: ConfigType {
    textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      guard ListenAddress.isAddress(text, AF_INET) || ListenAddress.isAddress(text, AF_INET6) else {
        throw ConfigProblem("expected an IP address, found \(inQuotes(text))")
      }
      return text
    }
  }
}

extension ConfigType where Value == ListenAddress {
  /// An address to listen on.
  static var listenAddress: ConfigType {
    textual(.line, write: { ConfigText.write("\($0)") }) { text, _ throws(ConfigProblem) in
      guard let address = ListenAddress(text) else {
        throw ConfigProblem("expected 127.0.0.1:8787, [::1]:8787 or unix:/path, found \(inQuotes(text))")
      }
      return address
    }
  }
}
