import ConfigKeys

/// A user's template for a message.
package struct Template: Sendable {
  let text: String
  private let parsed: (any ParsedTemplate)?

  /// Parses a template.
  ///
  /// - Parameter language: parses it; without one it stays text, as in programs that deliver nothing.
  /// - Throws: ``ConfigProblem`` with the line and column in the template of the part that is invalid or not supported.
  package init(
    _ text: String, escaping: TemplateEscaping, language: (any TemplateLanguage)?
  ) throws(ConfigProblem) {
    try TemplateScan.check(text)
    self.text = text
    if let language { parsed = try language.parse(text, escaping: escaping) } else { parsed = nil }
  }

  /// The rendered text, with nothing for unknown names; `nil` if the template was not parsed.
  package func render(_ values: TemplateValues) -> String? { parsed?.render(values.root) }
}

extension ConfigType where Value == Template {
  /// A template; an error has the line and column in it.
  package static func template(_ escaping: TemplateEscaping) -> ConfigType {
    .scalar(.text, write: { _ in nil }) { scalar, context throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      return try Template(scalar.text, escaping: escaping, language: context.templates)
    }
  }
}
