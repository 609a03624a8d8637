import CivilTime

/// A form of a secret `x` in the config: `x`, or instead of it `x_file`, `x_env` or `x_credential`.
enum SecretForm: String, CaseIterable {
  case config = ""
  case file = "_file"
  case variable = "_env"
  case credential = "_credential"

  /// The key of this form.
  func key(_ name: String) -> String { name + rawValue }
}

extension ConfigSection {
  /// Reads the source of a secret, from `x` or one of `x_file`, `x_env` and `x_credential`.
  ///
  /// Diagnostics never quote the secret.
  ///
  /// - Parameter check: throws if the secret is invalid, without quoting it. Called with the check of the config if the
  ///   secret is in the config itself, otherwise at each use.
  @discardableResult
  public mutating func secret(
    _ name: String, _ property: inout SecretSource?, _ summary: String, isRequired: Bool = false,
    check: @escaping @Sendable (Secret) throws(ConfigProblem) -> Void = { _ in }
  ) -> KeyPlace {
    let (sources, place) = secrets(SecretKey(name: name, allowsSeveral: false, check: check), summary, isRequired)
    property = sources.first
    return place
  }

  /// Reads the sources of several secrets: one, or a list for the time in which one replaces another.
  @discardableResult
  public mutating func secrets(
    _ name: String, _ property: inout [SecretSource], _ summary: String,
    check: @escaping @Sendable (Secret) throws(ConfigProblem) -> Void = { _ in }
  ) -> KeyPlace {
    let (sources, place) = secrets(SecretKey(name: name, allowsSeveral: true, check: check), summary, false)
    property = sources
    return place
  }

  private mutating func secrets(
    _ key: SecretKey, _ summary: String, _ isRequired: Bool
  ) -> ([SecretSource], KeyPlace) {
    declare(SecretForm.allCases.map { $0.key(key.name) }) {
      ConfigKey(key.name, .secret(allowsSeveral: key.allowsSeveral), summary, isRequired: isRequired)
    }
    let given = SecretForm.allCases.map {
      (form: $0, name: $0.key(key.name), place: place($0.key(key.name), of: key.name))
    }
    .filter(\.place.isGiven).sorted { $0.place.key < $1.place.key }
    guard let first = given.first else {
      if isRequired { reportMissing(key.name) }
      return ([], place(key.name))
    }
    for other in given.dropFirst() {
      error("'\(other.name)' gives '\(key.name)' a second time, beside '\(first.name)'", at: other.place.key)
    }
    return (decode(first.name, key.type(first.form)) ?? [], first.place)
  }
}

private struct SecretKey {
  let name: String
  let allowsSeveral: Bool
  let check: @Sendable (Secret) throws(ConfigProblem) -> Void

  /// The type of the value in one of the forms.
  func type(_ form: SecretForm) -> ConfigType<[SecretSource]> {
    let element = element(form)
    return ConfigType(shape: element.shape) { [allowsSeveral] node, report in
      guard allowsSeveral, case .sequence(let nodes) = node.content else {
        return element.decode(node, &report).map { [$0] }
      }
      if nodes.isEmpty { report.error("the list is empty", at: node.position) }
      return nodes.compactMap { element.decode($0, &report) }
    }
  }

  private func element(_ form: SecretForm) -> ConfigType<SecretSource> {
    let key = form.key(name)
    switch form {
    case .config: return givenSecret
    case .file:
      return ConfigType(shape: .path) { [check] node, report in
        ConfigType<String>.path.decode(node, &report).map {
          SecretSource(key: key, place: .file($0), at: node.position, check: check)
        }
      }
    case .variable: return named(key) { .variable($0, $1.environment.variables[$0].map { Secret($0) }) }
    case .credential:
      return named(key) { .credential($0, folder: $1.environment.variables["CREDENTIALS_DIRECTORY"]) }
    }
  }

  // Not an ordinary text type, whose error messages would quote the value.
  private var givenSecret: ConfigType<SecretSource> {
    ConfigType(shape: .line) { [name, check] node, report in
      switch node.content {
      case .invalid: return nil
      case .scalar(let scalar) where scalar.kind == .text:
        do throws(ConfigProblem) {
          let secret = try Secret(checking: scalar.text)
          try check(secret)
          return SecretSource(key: name, place: .config(secret), at: node.position, check: check)
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
    _ key: String, place: @escaping @Sendable (String, ConfigContext) -> SecretSource.Place
  ) -> ConfigType<SecretSource> {
    ConfigType(shape: .line) { [check] node, report in
      guard let text = ConfigType<String>.line.decode(node, &report) else { return nil }
      let isName = !text.contains { $0 == "/" || $0 == "=" || $0 == "\0" } && text != "." && text != ".."
      guard isName else {
        report.error("\(inQuotes(key)) is not a valid name", at: node.position)
        return nil
      }
      return SecretSource(key: key, place: place(text, report.context), at: node.position, check: check)
    }
  }
}
