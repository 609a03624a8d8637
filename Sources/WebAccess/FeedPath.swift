/// The path of the calendar to subscribe to, which holds its token: calendar programs show no other.
package enum FeedPath {
  /// The beginning of each.
  package static let prefix = "/agenda/"
  /// The end of each.
  package static let suffix = ".ics"

  /// The path with a token.
  package static func path(_ token: String) -> String { prefix + token + suffix }
}
