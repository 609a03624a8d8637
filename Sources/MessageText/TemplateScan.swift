import ConfigKeys

/// Checks a template's tags before it is parsed: the Mustache library accepts tags that it cannot render, and any depth
/// of nesting.
struct TemplateScan {
  private static let deepestNesting = 32
  private static let longestTemplate = 65_536

  private var line = 1
  private var column = 1
  private var depth = 0

  /// Refuses tags that are not supported, deep nesting and long templates.
  ///
  /// - Throws: ``ConfigProblem`` with the place in the template.
  static func check(_ text: String) throws(ConfigProblem) {
    guard text.utf8.count <= longestTemplate else {
      throw ConfigProblem("the template is longer than \(longestTemplate) bytes")
    }
    var scan = TemplateScan()
    try scan.run(text)
  }

  private mutating func run(_ text: String) throws(ConfigProblem) {
    var rest = text[...]
    while let first = rest.first {
      if rest.hasPrefix("{{") { try look(at: rest.dropFirst(2).first) }
      rest = rest.dropFirst()
      line += first.isNewline ? 1 : 0
      column = first.isNewline ? 1 : column + 1
    }
  }

  private mutating func look(at sigil: Character?) throws(ConfigProblem) {
    switch sigil {
    case ">", "<", "$": throw problem("partials and blocks are not supported")
    case "=": throw problem("the delimiters cannot be changed")
    case "#", "^":
      depth += 1
      guard depth <= Self.deepestNesting else { throw problem("sections nest deeper than \(Self.deepestNesting)") }
    case "/": depth -= 1
    default: break
    }
  }

  private func problem(_ what: String) -> ConfigProblem {
    ConfigProblem("the template cannot be used, line \(line), column \(column): \(what)")
  }
}
