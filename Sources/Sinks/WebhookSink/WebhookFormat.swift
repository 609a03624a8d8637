/// The format of a webhook's body.
package enum WebhookFormat: String, CaseIterable, Hashable, Sendable {
  /// Belfry's own JSON, signed as in Standard Webhooks.
  case standard
  /// A message of Slack's incoming webhooks.
  case slack
  /// A message of Discord's webhooks.
  case discord
  /// A message published to an ntfy server as JSON.
  case ntfy
  /// The user's template.
  case template

  /// Whether receivers of this format check signatures.
  var isSigned: Bool { self == .standard || self == .template }
}
