import CivilTime
import ConfigKeys
import Transport

/// The user's header fields, without those that Belfry or the connection sets.
enum HeaderFields {
  /// The names that users may not set, in lower case.
  private static let reserved: Set<String> = [
    "authorization", "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
    "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "user-agent",
  ]
  /// The longest value, in bytes.
  private static let longestValue = 4_096

  /// The config section `headers`.
  static let configType = ConfigType<[HTTPField]>(shape: .map(.line)) { node, report in
    guard case .mapping(let entries) = node.content else {
      if node.content != .invalid { report.error("expected a section of header names and values", at: node.position) }
      return nil
    }
    var seen: Set<String> = []
    return entries.compactMap { entry in
      let problem = problem(ofName: entry.key)
      if let problem { report.error(problem, at: entry.position) }
      if !seen.insert(entry.key.lowercased()).inserted {
        report.error("the header \(inQuotes(entry.key)) is given twice", at: entry.position)
      }
      guard case .scalar(let scalar) = entry.value.content else {
        if entry.value.content != .invalid { report.error("expected text", at: entry.value.position) }
        return nil
      }
      guard isValue(scalar.text) else {
        report.error("a header's value is one line of printable ASCII", at: entry.value.position)
        return nil
      }
      return problem == nil ? HTTPField(entry.key, scalar.text) : nil
    }
  }

  private static func problem(ofName name: String) -> String? {
    guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy(isTokenCharacter) else {
      return "\(inQuotes(name)) is not a valid name of a header"
    }
    let key = name.lowercased()
    if key == "authorization" {
      return "the header 'Authorization' has keys of its own: username and password, token, or authorization"
    }
    guard !reserved.contains(key), !key.hasPrefix("webhook-") else {
      return "the header \(inQuotes(name)) cannot be set in the config"
    }
    return nil
  }

  /// True if a text is a valid field value (RFC 9110, section 5.5), without obs-text and obs-fold.
  static func isValue(_ text: String) -> Bool {
    let utf8 = text.utf8
    return utf8.count <= longestValue && utf8.allSatisfy { (0x20...0x7e).contains($0) } && utf8.first != 0x20
      && utf8.last != 0x20
  }

  /// Refuses a secret that is invalid in a header field.
  static func check(_ secret: Secret) throws(ConfigProblem) {
    guard isValue(secret.revealed) else { throw ConfigProblem("it has a character that a header cannot have") }
  }

  /// A character of a token (RFC 9110, section 5.6.2).
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
