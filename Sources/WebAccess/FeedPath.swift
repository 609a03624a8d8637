/// The path of the calendar to subscribe to, which holds its token: calendar programs show no other.
package enum FeedPath {
  /// What comes before the token.
  package static let prefix = "/agenda/"
  /// What comes after the token.
  package static let suffix = ".ics"

  /// The path with a token.
  package static func path(_ token: String) -> String { prefix + token + suffix }
}
