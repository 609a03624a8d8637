extension WebhookFormat: CaseIterable, RawRepresentable {
  /// The formats for the config. A new dialect is a file and a word here.
  package static let allCases: [WebhookFormat] = [
    .standard, .slack, .discord, .ntfy, .gotify, .pushover, .matrix, .apprise, .homeAssistant, .template,
  ]

  /// The format with this name.
  package init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }
}
