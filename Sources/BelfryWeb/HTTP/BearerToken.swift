import HTTPTypes

extension HTTPRequest {
  /// True if it shows a token (RFC 6750). A password for a proxy, which passes it on, is ignored.
  var showsToken: Bool {
    headerFields[.authorization]?.split(separator: " ").first?.lowercased() == "bearer"
  }
}
