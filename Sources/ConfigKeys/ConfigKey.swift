/// The name, meaning and shape of a config key, for a schema or a reference.
public struct ConfigKey: Sendable {
  /// The key as the config writes it.
  public let name: String
  /// The meaning on one line.
  public let summary: String
  /// The shape of the value.
  public let shape: ConfigShape
  /// True if its section is refused without it.
  public let isRequired: Bool
  /// The default in the syntax of the config; `nil` for none.
  public let defaultText: String?
  /// The file in the user's data folder that is the default.
  let dataFile: String?

  init(
    _ name: String, _ shape: ConfigShape, _ summary: String, isRequired: Bool = false, defaultText: String? = nil,
    dataFile: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.shape = shape
    self.isRequired = isRequired
    self.defaultText = defaultText
    self.dataFile = dataFile
  }

  /// The key's names. Several if the value can be given in several ways; the main one comes first.
  public var names: [String] {
    if case .secret = shape { SecretForm.allCases.map { $0.key(name) } } else { [name] }
  }

  /// The shape of the value under one of the names.
  public func shape(of other: String) -> ConfigShape {
    guard case .secret = shape else { return shape }
    // Only the secret itself is secret, not its place.
    return switch SecretForm.allCases.first(where: { $0.key(name) == other }) {
    case .file: .path
    case .variable, .credential: .line
    case .config, nil: shape
    }
  }

  /// The default in a context, for defaults that depend on it.
  public func defaultText(in context: ConfigContext) -> String? {
    guard let dataFile else { return defaultText }
    return context.dataFile(dataFile).map(ConfigText.write)
  }
}

/// The position of a key in a section.
public struct KeyPlace: Sendable {
  /// The name that help and messages use; others are read as well.
  public let name: String
  /// True if the section has the key.
  public let isGiven: Bool
  /// The position of the key; that of the section if the key is absent.
  public let key: SourcePosition
  /// The position of the value; that of the section if the key is absent.
  public let value: SourcePosition
}
