import ConfigKeys

/// A text of the user's with names in it, which stand for what a message says.
public struct Template: Sendable {
  /// The text as the user wrote it.
  public let text: String
  private let parsed: (any ParsedTemplate)?

  /// A template.
  ///
  /// - Parameter language: parses it; without one the template stays text, as in a program that delivers nothing.
  /// - Throws: ``ConfigProblem`` with the line and column in the template where it cannot be used.
  public init(
    _ text: String, escaping: TemplateEscaping, language: (any TemplateLanguage)?
  ) throws(ConfigProblem) {
    try TemplateScan.check(text)
    self.text = text
    if let language { parsed = try language.parse(text, escaping: escaping) } else { parsed = nil }
  }

  /// The text with what the names stand for, a name that nothing has for nothing; `nil` where it was not parsed.
  public func render(_ values: TemplateValues) -> String? { parsed?.render(values.root) }
}

extension ConfigType where Value == Template {
  /// A template; where it does not parse, the message has the line and column in it.
  public static func template(_ escaping: TemplateEscaping) -> ConfigType {
    .scalar(.text, write: { _ in nil }) { scalar, context throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      return try Template(scalar.text, escaping: escaping, language: context.templates)
    }
  }
}
