import ConfigKeys

/// The section `answers`: how long answers by link or button are accepted, and the keys that sign them.
public struct AnswerSettings: Hashable, Sendable {
  /// The time for which links and buttons work, in seconds from the claim; longer if a delivery is tried for longer.
  public var validFor: Int
  /// True if messages carry links, provided that the web face has a public URL.
  public var links: Bool
  /// The file of the keys that sign links and buttons; `nil` if the config names none.
  public var keyFile: String?

  /// Settings; the defaults are those of an empty config.
  public init(validFor: Int = 604_800, links: Bool = true, keyFile: String? = nil) {
    self.validFor = validFor
    self.links = links
    self.keyFile = keyFile
  }
}

extension AnswerSettings {
  /// The section `answers`.
  static let configType = ConfigType<AnswerSettings>.section { section in
    var settings = AnswerSettings()
    section.read(
      "valid_for", &settings.validFor, .duration(atLeast: 3_600),
      "How long links and buttons work; at least a day longer than a delivery is retried.")
    section.read(
      "links", &settings.links, .boolean, "Whether messages carry links; they begin with web.public_url.")
    section.read(
      "key_file", &settings.keyFile, .path,
      "The file of the keys that sign links and buttons; by default `$XDG_STATE_HOME/belfry/answer-keys`.")
    return settings
  }
}

extension Configuration {
  /// True if messages carry links.
  public var hasLinks: Bool { settings.answers.links && settings.web.publicURL != nil }

  /// The file of the keys that sign links and buttons; `nil` if it is not named and the home folder is unknown.
  public var answerKeyFile: String? { settings.answers.keyFile ?? context.stateFile("answer-keys") }
}
