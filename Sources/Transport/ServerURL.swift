import ConfigKeys

/// A validated URL of a server (RFC 3986).
///
/// No error message quotes it, since the URL of a webhook is a secret.
public struct ServerURL: Hashable, Sendable {
  /// The scheme, in lower case.
  public let scheme: String
  /// The host in ASCII; an IPv6 address in brackets.
  public let host: String
  /// The port, if the URL names one.
  public let port: Int?
  /// The path and query from the first slash; `/` for a URL without a path.
  public let target: String

  /// The URL up to its path.
  public let origin: String
  /// The whole URL in ASCII; error messages leave it out.
  public let text: String

  /// The path without the query.
  public var path: Substring { target.prefix { $0 != "?" } }

  /// The URL with `suffix`, which begins with a slash, at the end of its path and before its query.
  package func text(appending suffix: String) -> String {
    let start = path.hasSuffix("/") ? path.dropLast() : path
    return "\(origin)\(start)\(suffix)\(target.dropFirst(path.count))"
  }

  /// Parses a URL with one of these schemes.
  ///
  /// - Throws: ``ConfigProblem`` for user info, another scheme, and invalid URLs.
  public init(_ text: String, schemes: [String]) throws(ConfigProblem) {
    guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || (0x7f...0x9f).contains($0.value) }) else {
      throw ConfigProblem("the URL holds a space or a control character")
    }
    let wanted = schemes.map { "\($0)://" }.joined(separator: " or ")
    guard let colon = text.firstRange(of: "://") else { throw ConfigProblem("the URL does not start with \(wanted)") }
    scheme = text[..<colon.lowerBound].lowercased()
    guard schemes.contains(scheme) else { throw ConfigProblem("the URL does not start with \(wanted)") }
    let rest = text[colon.upperBound...]
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let tail = rest[authority.endIndex...]
    guard !authority.contains("@") else {
      throw ConfigProblem("the URL holds a user name or password: use the keys for them")
    }
    guard !tail.contains("#") else { throw ConfigProblem("the URL has a fragment (#), which is never sent") }
    guard tail.utf8.allSatisfy({ $0 < 0x80 }), !tail.contains("\\") else {
      throw ConfigProblem("the URL's path holds a character that must be percent-encoded")
    }
    (host, port) = try Self.hostAndPort(authority)
    target = tail.hasPrefix("/") ? String(tail) : "/" + tail
    origin = "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
    self.text = origin + target
  }

  private static func hostAndPort(_ authority: Substring) throws(ConfigProblem) -> (String, Int?) {
    let host: Substring
    if authority.hasPrefix("[") {
      host = authority.prefix { $0 != "]" }
      let address = host.dropFirst()
      guard host.endIndex < authority.endIndex, address.contains(":"),
        address.utf8.allSatisfy({ isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
      else { throw ConfigProblem("the URL's IPv6 address is invalid") }
      let after = authority[authority.index(after: host.endIndex)...]
      return ("\(host)]", try port(after))
    }
    host = authority.prefix { $0 != ":" }
    guard !host.isEmpty else { throw ConfigProblem("the URL names no host") }
    return (try DomainName(String(host)).ascii, try port(authority[host.endIndex...]))
  }

  private static func port(_ text: Substring) throws(ConfigProblem) -> Int? {
    guard !text.isEmpty else { return nil }
    guard text.first == ":", let port = Int(text.dropFirst()), text.utf8.count <= 6, (1...65_535).contains(port),
      text.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw ConfigProblem("the URL's port is not a number from 1 to 65535") }
    return port
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

extension ServerURL {
  /// The parts to mask: the whole URL, and each part of its path and query that may be a token.
  public var secrets: [Secret] {
    let parts = [target.dropFirst(), path.dropFirst()] + target.split { "/?&=;,".contains($0) }
    // Shorter parts are not secret, and occur in ordinary words, such as `hook` in the name of a header field.
    let tokens = parts.filter { $0.utf8.count >= 8 }.map { String($0) }
    return Set([text, target, String(path)] + tokens).filter { $0.utf8.count >= 4 }.map { Secret($0) }
  }
}
