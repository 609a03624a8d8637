import ConfigKeys
import FoundationEssentials
import Glibc
import Transport

/// The URL of a browser at its push service.
struct PushEndpoint: Sendable {
  let url: ServerURL

  /// The longest URL, in bytes.
  private static let longest = 2_048

  /// The endpoint at a URL that a browser named. A subscriber can name any URL, so it must not lead to a host of this
  /// machine's own network.
  ///
  /// - Parameter origins: the origins that the config permits, whatever their hosts.
  /// - Throws: ``ConfigProblem``, which does not quote the URL.
  init(_ text: String, permitting origins: [String]) throws(ConfigProblem) {
    guard text.utf8.count <= Self.longest else { throw ConfigProblem("the URL is longer than \(Self.longest) bytes") }
    url = try ServerURL(text, schemes: ["https", "http"])
    guard !origins.contains(url.origin) else { return }
    guard url.scheme == "https", url.port.map({ $0 == 443 }) ?? true, Self.isPublic(url.host) else {
      throw ConfigProblem("the push service is not a public host by https; 'origins' can permit it")
    }
  }

  // Names that no public resolver knows (RFC 6761, section 6; RFC 6762, appendix G).
  private static let privateDomains: Set = [
    "local", "localhost", "localdomain", "intranet", "internal", "private", "corp", "lan", "home", "arpa", "test",
    "invalid", "example",
  ]

  // The transport checks the addresses of the name with each message.
  private static func isPublic(_ host: String) -> Bool {
    let labels = host.split(separator: ".")
    // A last label that begins with a digit is part of an IPv4 address, which may be hexadecimal: 0x7f.0x1.
    guard labels.count > 1, let last = labels.last, last.first?.isLetter == true, !host.hasPrefix("[") else {
      return false
    }
    return !privateDomains.contains(String(last))
  }
}
