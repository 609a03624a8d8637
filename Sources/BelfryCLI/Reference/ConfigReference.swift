import BelfryEngine
import ConfigKeys

/// The reference of all config keys, from the declarations of Belfry and its plug-ins.
struct ConfigReference {
  struct Row {
    /// `retry.max_age`; `NAME` stands for a name of the user's choice, `[]` for each of a list.
    let key: String
    let value: String
    /// The default; `nil` without one.
    let standard: String?
    let isRequired: Bool
    let summary: String
  }

  /// The keys that belong together.
  struct Part {
    let title: String
    let summary: String
    let rows: [Row]
  }

  /// The parts, in the order of the sample.
  let parts: [Part]

  /// The reference of a schema.
  init(_ schema: ConfigSchema) {
    var parts: [Part] = []
    var top: [Row] = []
    for key in schema.keys {
      let name = key.name
      switch key.shape {
      case .plugin(let common, let plugins): parts += Self.plugins(name, key.summary, common, plugins)
      case .map(.plugin(let common, let plugins)): parts += Self.plugins("\(name).NAME", key.summary, common, plugins)
      case .map(.section), .map(.list(.section)), .list(.section):
        // Its own row would repeat the summary.
        parts.append(Part(title: name, summary: key.summary, rows: Array(Self.rows(key, "").dropFirst())))
      default: top += Self.rows(key, "")
      }
    }
    self.parts = [Part(title: "Top level", summary: "General settings.", rows: top)] + parts
  }

  private static func plugins(
    _ name: String, _ summary: String, _ common: [ConfigKey], _ plugins: [any ConfigPlugin.Type]
  ) -> [Part] {
    let shared = Part(title: name, summary: summary, rows: common.flatMap { rows($0, "") })
    return [shared]
      + plugins.map { plugin in
        Part(
          title: "\(name) of type \(plugin.type)",
          summary: plugin.summary.prefix(1).uppercased()
            + plugin.summary.dropFirst() + ".", rows: plugin.keys.flatMap { rows($0, "") })
      }
  }

  private static func rows(_ key: ConfigKey, _ prefix: String) -> [Row] {
    let name = prefix + key.name
    let row = Row(
      key: name, value: value(key.shape), standard: key.defaultText, isRequired: key.isRequired, summary: key.summary)
    switch key.shape {
    case .section(let keys): return [row] + keys.flatMap { rows($0, "\(name).") }
    case .map(.section(let keys)): return [row] + keys.flatMap { rows($0, "\(name).NAME.") }
    case .map(.list(.section(let keys))): return [row] + keys.flatMap { rows($0, "\(name).NAME[].") }
    case .list(.section(let keys)): return [row] + keys.flatMap { rows($0, "\(name)[].") }
    default: return [row]
    }
  }

  private static func value(_ shape: ConfigShape) -> String {
    switch shape {
    case .secret(let allowsSeveral): allowsSeveral ? "a secret, or a list of them" : "a secret"
    case .list(.section): "a list of sections"
    case .list(let element): "a list of \(value(element).replacing(["a ", "one of "]))"
    case .map(.section): "sections under names of your choice"
    case .map(let element): "\(value(element)) under names of your choice"
    case .section: "a section"
    default: shape.expectation
    }
  }
}

extension String {
  /// The text without an article at its start: `a path` becomes `path` in the description of a list.
  fileprivate func replacing(_ articles: [String]) -> String {
    articles.first { hasPrefix($0) }.map { String(dropFirst($0.count)) } ?? self
  }
}

extension ConfigReference {
  /// The article in the documentation.
  var article: String {
    var lines = [
      "# Config reference", "", "Every key of Belfry and its plug-ins.", "", "## Overview", "",
    ]
    lines += [Self.introduction, "", Self.secrets, ""]
    for part in parts {
      lines += ["## \(part.title)", "", part.summary, "", "| key | value | default | |", "|---|---|---|---|"]
      lines += part.rows.map { row in
        let standard = row.standard.map { "`\($0)`" } ?? (row.isRequired ? "required" : "")
        return "| `\(row.key)` | \(row.value) | \(standard) | \(row.summary) |"
      }
      lines.append("")
    }
    return lines.dropLast().joined(separator: "\n") + "\n"
  }

  /// The rules for every value.
  static let introduction = """
    Relative paths start from the config's folder, `~` is the home folder, and nothing else in a value is expanded. \
    A dot separates a section from its key, `NAME` is a name of your choice, `[]` stands for each element of a list. A \
    key is required only if its section is present. `belfry config check` reports all errors with line and column.
    """

  /// The ways to give a secret.
  static let secrets = """
    A secret `x` is given as exactly one of `x`, `x_file` (a path), `x_env` (an environment variable) and \
    `x_credential` (a name under `$CREDENTIALS_DIRECTORY`; see LoadCredential of systemd). Files are read at each use. \
    Secrets never appear in output, logs or errors.
    """
}
