/// The name, meaning and shape of a config key: enough to check it and to document it.
public protocol ConfigKeyDescription: Sendable {
  /// The key's names. Several if the value can be given in several ways; the main one comes first.
  var names: [String] { get }
  /// The meaning on one line.
  var summary: String { get }
  /// The shape of the value.
  var shape: ConfigShape { get }
  /// The shape of the value under one of the names.
  func shape(of name: String) -> ConfigShape
  /// Whether its section is refused without it.
  var isRequired: Bool { get }
  /// The default in the syntax of the config; `nil` for none.
  var defaultText: String? { get }

  /// The default in a context, for defaults that depend on it.
  func defaultText(in context: ConfigContext) -> String?

  /// Reads the value from a section; `nil` if the key is absent or an error was reported.
  func read(from section: inout ConfigSection) -> (any Sendable)?
}

extension ConfigKeyDescription {
  /// By default, the same shape under every name.
  public func shape(of name: String) -> ConfigShape { shape }

  /// By default, the same text in every context.
  public func defaultText(in context: ConfigContext) -> String? { defaultText }
}

/// An optional key.
public struct ConfigKey<Value: Sendable>: ConfigKeyDescription {
  /// The key.
  public let name: String
  /// The type of the value.
  public let type: ConfigType<Value>
  /// The value if the key is absent.
  public let defaultValue: Value
  /// The meaning of the key, on one line.
  public let summary: String

  /// A key with a default.
  public init(_ name: String, _ type: ConfigType<Value>, default value: Value, _ summary: String) {
    self.name = name
    self.type = type
    self.defaultValue = value
    self.summary = summary
  }

  /// A key without a default; its value is `nil` if it is absent.
  public init<Present>(_ name: String, optional type: ConfigType<Present>, _ summary: String)
  where Value == Present? {
    let type = ConfigType<Present?>(shape: type.shape, write: { $0.flatMap(type.write) }) { node, report in
      type.decode(node, &report).map(Optional.some)
    }
    self.init(name, type, default: nil, summary)
  }

  /// The one name.
  public var names: [String] { [name] }
  /// The shape of the value.
  public var shape: ConfigShape { type.shape }
  /// `false`.
  public var isRequired: Bool { false }
  /// The default in the syntax of the config; `nil` for none.
  public var defaultText: String? { type.write(defaultValue) }

  /// Reads the value if the section has the key.
  public func read(from section: inout ConfigSection) -> (any Sendable)? { section.decode(name, as: type) }
}

/// A required key.
public struct RequiredConfigKey<Value: Sendable>: ConfigKeyDescription {
  /// The key.
  public let name: String
  /// The type of the value.
  public let type: ConfigType<Value>
  /// The meaning of the key, on one line.
  public let summary: String

  /// A key without a default.
  public init(_ name: String, _ type: ConfigType<Value>, _ summary: String) {
    self.name = name
    self.type = type
    self.summary = summary
  }

  /// The one name.
  public var names: [String] { [name] }
  /// The shape of the value.
  public var shape: ConfigShape { type.shape }
  /// `true`.
  public var isRequired: Bool { true }
  /// `nil`.
  public var defaultText: String? { nil }

  /// Reads the value, or reports that the key is missing.
  public func read(from section: inout ConfigSection) -> (any Sendable)? {
    guard section.contains(name) else {
      section.reportMissing(name)
      return nil
    }
    return section.decode(name, as: type)
  }
}
