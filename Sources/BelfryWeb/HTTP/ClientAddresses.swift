import HTTPTypes

/// Finds the address of a client behind proxies.
struct ClientAddresses: Sendable {
  /// The addresses of trusted proxies.
  let trusted: Set<String>
  /// True if the socket is in the file system, where only a proxy connects.
  let isLocalSocket: Bool

  /// The address of the client: the last one in X-Forwarded-For that does not belong to a trusted proxy.
  func client(of head: HTTPRequest, from peer: String?) -> String {
    guard peer.map(trusted.contains) ?? isLocalSocket else { return peer ?? "" }
    let told = (head.headerFields[named: "X-Forwarded-For"] ?? "").split(separator: ",").map {
      $0.filter { $0 != " " && $0 != "\t" }
    }
    return told.last { !trusted.contains($0) } ?? peer ?? ""
  }
}
