import CivilTime

/// A key for a secret: `x`, or instead of it `x_file`, `x_env` or `x_credential`, exactly one of them.
///
/// Diagnostics never quote the secret.
public struct SecretKey: ConfigKeyDescription {
  /// The key for the secret itself.
  public let name: String
  /// The meaning on one line.
  public let summary: String
  /// Whether one of the keys is required.
  public let isRequired: Bool
  /// Whether a list of secrets is allowed, for the time in which one replaces another.
  public let allowsSeveral: Bool
  private let check: @Sendable (Secret) throws(ConfigProblem) -> Void

  /// A key.
  ///
  /// - Parameter check: throws if the secret is invalid, without quoting it. Called with the check of the config if the
  ///   secret is in the config itself, otherwise at each use.
  public init(
    _ name: String, _ summary: String, isRequired: Bool = false, allowsSeveral: Bool = false,
    check: @escaping @Sendable (Secret) throws(ConfigProblem) -> Void = { _ in }
  ) {
    self.name = name
    self.summary = summary
    self.isRequired = isRequired
    self.allowsSeveral = allowsSeveral
    self.check = check
  }

  private enum Way: String, CaseIterable {
    case config = ""
    case file = "_file"
    case variable = "_env"
    case credential = "_credential"
  }

  /// The key itself, and the three for other places of the secret.
  public var names: [String] { Way.allCases.map { name + $0.rawValue } }
  /// `.secret`.
  public var shape: ConfigShape { .secret(allowsSeveral: allowsSeveral) }
  /// `nil`.
  public var defaultText: String? { nil }

  /// The shape of the value under one of the keys: the secret itself, a path, or a name. Only the first is secret.
  public func shape(of name: String) -> ConfigShape {
    switch names.firstIndex(of: name).map({ Way.allCases[$0] }) {
    case .file: .path
    case .variable, .credential: .line
    case .config, nil: shape
    }
  }

  /// Reads the places of the secrets as `[SecretSource]`; at most one unless the key allows several.
  public func read(from section: inout ConfigSection) -> (any Sendable)? {
    let given = Way.allCases.filter { section.contains(name + $0.rawValue) }
      .sorted { section.position(ofKey: name + $0.rawValue) < section.position(ofKey: name + $1.rawValue) }
    guard let way = given.first else {
      if isRequired { section.reportMissing(name) }
      return nil
    }
    for other in given.dropFirst() {
      section.error(
        "'\(name)\(other.rawValue)' gives '\(name)' a second time, beside '\(name)\(way.rawValue)'",
        at: section.position(ofKey: name + other.rawValue))
    }
    return section.decode(name + way.rawValue, as: type(way))
  }

  private func type(_ way: Way) -> ConfigType<[SecretSource]> {
    let element = element(way)
    guard allowsSeveral else {
      return ConfigType(shape: element.shape) { node, report in element.decode(node, &report).map { [$0] } }
    }
    return ConfigType(shape: element.shape) { node, report in
      guard case .sequence(let nodes) = node.content else { return element.decode(node, &report).map { [$0] } }
      if nodes.isEmpty { report.error("the list is empty", at: node.position) }
      return nodes.compactMap { element.decode($0, &report) }
    }
  }

  private func element(_ way: Way) -> ConfigType<SecretSource> {
    switch way {
    case .config: return givenSecret
    case .file:
      return ConfigType(shape: .path) { [name, check] node, report in
        ConfigType<String>.path.decode(node, &report)
          .map { SecretSource(key: name + way.rawValue, place: .file($0), check: check) }
      }
    case .variable: return named(way) { .variable($0, $1.environment.variables[$0].map { Secret($0) }) }
    case .credential:
      return named(way) { .credential($0, folder: $1.environment.variables["CREDENTIALS_DIRECTORY"]) }
    }
  }

  // Not an ordinary text type: its messages quote the value.
  private var givenSecret: ConfigType<SecretSource> {
    ConfigType(shape: .line) { [name, check] node, report in
      switch node.content {
      case .invalid: return nil
      case .scalar(let scalar) where scalar.kind == .text:
        do throws(ConfigProblem) {
          let secret = try Secret(checking: scalar.text)
          try check(secret)
          return SecretSource(key: name, place: .config(secret), check: check)
        } catch {
          report.error("\(inQuotes(name)) cannot be used: \(error.message)", at: node.position)
        }
      case .scalar: report.error("expected text; put it in quotes", at: node.position)
      case .null, .sequence, .mapping: report.error("expected text", at: node.position)
      }
      return nil
    }
  }

  private func named(
    _ way: Way, place: @escaping @Sendable (String, ConfigContext) -> SecretSource.Place
  ) -> ConfigType<SecretSource> {
    ConfigType(shape: .line) { [name, check] node, report in
      guard let text = ConfigType<String>.line.decode(node, &report) else { return nil }
      let isName = !text.contains { $0 == "/" || $0 == "=" || $0 == "\0" } && text != "." && text != ".."
      guard isName else {
        report.error("\(inQuotes(name + way.rawValue)) is not a valid name", at: node.position)
        return nil
      }
      return SecretSource(key: name + way.rawValue, place: place(text, report.context), check: check)
    }
  }
}

extension ConfigSection {
  /// The source of a secret; `nil` if none is given or an error was reported.
  public func value(_ key: SecretKey) -> SecretSource? { values(key).first }

  /// The sources of several secrets.
  public func values(_ key: SecretKey) -> [SecretSource] { value(of: key, as: [SecretSource].self) ?? [] }

  /// Whether a secret is given under any of the keys.
  public func contains(_ key: SecretKey) -> Bool { key.names.contains { contains($0) } }

  /// The position of the key under which the secret is given; that of the section if it is absent.
  public func position(ofKey key: SecretKey) -> SourcePosition {
    key.names.first { contains($0) }.map { position(ofKey: $0) } ?? position
  }
}
