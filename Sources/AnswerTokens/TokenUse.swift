/// The place where a token is taken: a token of one use is worth nothing in another.
package enum TokenUse: String, CaseIterable, Sendable {
  /// Links, webhooks and `belfry answer`.
  case link = "belfry link"
  /// The reply topic of ntfy.
  case ntfy = "belfry ntfy"
  /// The buttons of Telegram.
  case telegram = "belfry telegram"
}
