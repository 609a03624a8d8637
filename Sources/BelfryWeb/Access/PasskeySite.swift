import HTTPTypes

/// The name under which browsers keep passkeys for this server (the relying party of Web Authentication).
struct PasskeySite: Sendable {
  /// The host by which a request came.
  let id: String

  /// The name for a request; `nil` where browsers permit no passkeys: by an IP address, and without https except for
  /// `localhost`.
  init?(_ head: HTTPRequest, _ visitors: Visitors) {
    let name = HostRule.name(of: head.authority?.lowercased() ?? "")
    guard name == "localhost" || visitors.isSecure(head) else { return nil }
    id = name
  }
}
