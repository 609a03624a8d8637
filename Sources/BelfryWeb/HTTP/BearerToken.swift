import HTTPTypes

extension HTTPRequest {
  /// True if it shows a token (RFC 6750). A password that a proxy asked for, and passes on, is nothing to this server.
  var showsToken: Bool {
    headerFields[.authorization]?.split(separator: " ").first?.lowercased() == "bearer"
  }
}
