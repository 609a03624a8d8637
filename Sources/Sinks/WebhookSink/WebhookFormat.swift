/// The format of a webhook's body.
package struct WebhookFormat: Hashable, Sendable {
  /// Belfry's own JSON, signed as in Standard Webhooks.
  package static let standard = WebhookFormat("standard")
  /// The user's template.
  package static let template = WebhookFormat("template")

  /// The word after `format:`.
  package let rawValue: String
  /// The service's dialect; `nil` for receivers of the user's own.
  let dialect: (any WebhookDialect)?

  init(_ name: String, _ dialect: (any WebhookDialect)? = nil) {
    rawValue = name
    self.dialect = dialect
  }

  /// True if receivers of this format check signatures.
  var isSigned: Bool { dialect == nil }

  /// True if receivers of this format accept updates. A user's own template only knows reminders.
  var takesUpdates: Bool { dialect.map { $0.replacesMessages || $0 is any AcknowledgedDialect } ?? (self == .standard) }

  /// True if both have the same name.
  package static func == (one: WebhookFormat, other: WebhookFormat) -> Bool { one.rawValue == other.rawValue }

  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
