import BelfryModel

/// The way by which a token comes back: a token of one is worth nothing in another.
package struct TokenUse: Hashable, Sendable {
  /// The words from which its keys are derived.
  let words: String

  /// The tokens of a channel.
  package init(_ channel: Answer.Channel) { words = "belfry \(channel.name)" }

  /// Links, webhooks and `belfry answer`.
  package static let link = TokenUse(.link)
}
