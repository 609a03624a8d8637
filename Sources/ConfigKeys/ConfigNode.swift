/// A value of a config file as written, in any file format.
public struct ConfigNode: Hashable, Sendable {
  /// The content of a value.
  public enum Content: Hashable, Sendable {
    /// A key without a value.
    case null
    /// A word, number or text.
    case scalar(ConfigScalar)
    case sequence([ConfigNode])
    /// Keys with their values, in the file's order; no key appears twice.
    case mapping([ConfigEntry])
    /// A value for which an error was reported already; no further error is reported for it.
    case invalid
  }

  /// The content: a scalar, a list or a section.
  public let content: Content
  /// The start of the value. For a list or section on the lines below its key, the start of the key.
  public let position: SourcePosition

  /// The text under a key of a section as written; `nil` if there is none.
  package func text(under name: String) -> String? {
    guard case .mapping(let entries) = content,
      case .scalar(let scalar)? = entries.first(where: { $0.key == name })?.value.content
    else { return nil }
    return scalar.text
  }

  /// A value at a position.
  package init(_ content: Content, at position: SourcePosition) {
    self.content = content
    self.position = position
  }
}

/// A single word, number or text of a config file.
public struct ConfigScalar: Hashable, Sendable {
  /// The type that the file's format gives a scalar.
  public enum Kind: Hashable, Sendable {
    /// Text: anything in quotes, and plain scalars of no other type.
    case text
    /// A boolean; in YAML also `yes`, `no`, `on` and `off` without quotes.
    case boolean
    case number
  }

  /// The characters without quotes and escapes.
  public let text: String
  /// The type in the file's format.
  public let kind: Kind

  /// A scalar with these characters.
  package init(_ text: String, kind: Kind = .text) {
    self.text = text
    self.kind = kind
  }
}

/// A key of a config file with its value.
public struct ConfigEntry: Hashable, Sendable {
  /// The key as the config writes it.
  public let key: String
  /// The start of the key.
  public let position: SourcePosition
  /// The value of the key.
  public let value: ConfigNode

  package init(_ key: String, at position: SourcePosition, value: ConfigNode) {
    self.key = key
    self.position = position
    self.value = value
  }
}
