/// What a config key is called, what it means and what it looks like: enough to check it and to describe it.
public protocol ConfigKeyDescription: Sendable {
  /// The key, or the several keys under which the same thing can be given, the main one first.
  var names: [String] { get }
  /// What it means, on one line.
  var summary: String { get }
  /// What its value looks like.
  var shape: ConfigShape { get }
  /// What its value looks like under one of its names.
  func shape(of name: String) -> ConfigShape
  /// Whether its section is refused without it.
  var isRequired: Bool { get }
  /// The default as the config would have it, or `nil` where there is none to write.
  var defaultText: String? { get }

  /// The default where it depends on whose config it is.
  func defaultText(in context: ConfigContext) -> String?

  /// Reads the value from a section; `nil` where the key is absent or an error was reported.
  func read(from section: inout ConfigSection) -> (any Sendable)?
}

extension ConfigKeyDescription {
  /// The same under every name.
  public func shape(of name: String) -> ConfigShape { shape }

  /// The same for everybody.
  public func defaultText(in context: ConfigContext) -> String? { defaultText }
}

/// A key that may be left out.
public struct ConfigKey<Value: Sendable>: ConfigKeyDescription {
  /// The key.
  public let name: String
  /// How the value is read.
  public let type: ConfigType<Value>
  /// The value where the key is absent.
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

  /// A key without a default, whose value is `nil` where it is absent.
  public init<Present>(_ name: String, optional type: ConfigType<Present>, _ summary: String)
  where Value == Present? {
    let type = ConfigType<Present?>(shape: type.shape, write: { $0.flatMap(type.write) }) { node, report in
      type.decode(node, &report).map(Optional.some)
    }
    self.init(name, type, default: nil, summary)
  }

  /// The key itself.
  public var names: [String] { [name] }
  /// What its value looks like.
  public var shape: ConfigShape { type.shape }
  /// Never.
  public var isRequired: Bool { false }
  /// The default as the config would have it, or `nil` where there is none to write.
  public var defaultText: String? { type.write(defaultValue) }

  /// Reads the value where the section has the key.
  public func read(from section: inout ConfigSection) -> (any Sendable)? { section.decode(name, as: type) }
}

/// A key without which its section is refused.
public struct RequiredConfigKey<Value: Sendable>: ConfigKeyDescription {
  /// The key.
  public let name: String
  /// How the value is read.
  public let type: ConfigType<Value>
  /// The meaning of the key, on one line.
  public let summary: String

  /// A key without a default.
  public init(_ name: String, _ type: ConfigType<Value>, _ summary: String) {
    self.name = name
    self.type = type
    self.summary = summary
  }

  /// The key itself.
  public var names: [String] { [name] }
  /// What its value looks like.
  public var shape: ConfigShape { type.shape }
  /// Always.
  public var isRequired: Bool { true }
  /// Nothing.
  public var defaultText: String? { nil }

  /// Reads the value, and reports where the section lacks the key.
  public func read(from section: inout ConfigSection) -> (any Sendable)? {
    guard section.contains(name) else {
      section.reportMissing(name)
      return nil
    }
    return section.decode(name, as: type)
  }
}
