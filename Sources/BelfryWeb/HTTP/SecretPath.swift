import WebAccess

/// A path that is a secret: anyone who knows it may use it.
enum SecretPath {
  /// The beginning of the links in messages.
  static let answers = "/a/"
  /// The beginning of the links by which people sign in.
  static let signIn = "/sign-in/"

  /// True if a path is one; pages under it must not reveal their URL to other sites.
  static func isOne(_ path: String) -> Bool {
    // The router ignores empty parts as well.
    let path = path.split(separator: "/").map { "/\($0)" }.joined()
    return [answers, FeedPath.prefix, signIn].contains { path.hasPrefix($0) }
  }
}
