/// A value of a config file as it was written, whatever the file's format.
public struct ConfigNode: Hashable, Sendable {
  /// What a value can be.
  public enum Content: Hashable, Sendable {
    /// Nothing: a key without a value.
    case null
    /// One word, number or text.
    case scalar(ConfigScalar)
    /// A list.
    case sequence([ConfigNode])
    /// Keys with their values, in the order of the file; no key stands twice.
    case mapping([ConfigEntry])
    /// Something that was reported already and has no value; nothing more is reported about it.
    case invalid
  }

  /// What it is.
  public let content: Content
  /// Where it starts; for a list or section that is indented below its key, where that key starts.
  public let position: SourcePosition

  /// A value at a place.
  public init(_ content: Content, at position: SourcePosition) {
    self.content = content
    self.position = position
  }
}

/// A single word, number or text of a config file.
public struct ConfigScalar: Hashable, Sendable {
  /// What the file's format takes a scalar for.
  public enum Kind: Hashable, Sendable {
    /// Text: anything in quotes, and what looks like nothing else.
    case text
    /// A truth value; in YAML also `yes`, `no`, `on` and `off` without quotes.
    case boolean
    /// A number.
    case number
  }

  /// The characters as they were written, without quotes and escapes.
  public let text: String
  /// What the format takes it for.
  public let kind: Kind

  /// A scalar with these characters.
  public init(_ text: String, kind: Kind = .text) {
    self.text = text
    self.kind = kind
  }
}

/// A key of a config file with its value.
public struct ConfigEntry: Hashable, Sendable {
  /// The key.
  public let key: String
  /// Where the key starts.
  public let position: SourcePosition
  /// The value.
  public let value: ConfigNode

  /// A key at a place, with its value.
  public init(_ key: String, at position: SourcePosition, value: ConfigNode) {
    self.key = key
    self.position = position
    self.value = value
  }
}
