import OrderedJSON

/// A language of templates: texts with names that stand for values of a message.
///
/// A port: only the program that delivers messages has an implementation. Other programs treat a template as plain
/// text.
public protocol TemplateLanguage: Sendable {
  /// Parses a template.
  ///
  /// - Parameter escaping: the escaping of values.
  /// - Throws: ``ConfigProblem`` with the line and column in the template.
  func parse(_ text: String, escaping: TemplateEscaping) throws(ConfigProblem) -> any ParsedTemplate
}

/// A template that was parsed once, to be filled in for each message.
public protocol ParsedTemplate: Sendable {
  /// The text with values in place of names. Unknown names are replaced by nothing.
  func render(_ values: TemplateObject) -> String
}

/// The escaping of values, which depends on the format of the text.
public enum TemplateEscaping: CaseIterable, Hashable, Sendable {
  /// Plain text: no escaping.
  case text
  /// HTML or XML.
  case html
  /// The inside of a JSON string.
  case json
  /// A value of `application/x-www-form-urlencoded`.
  case form
}

/// Values by name, as a template asks for them.
public struct TemplateObject: Sendable {
  private let members: [String: TemplateValue]

  /// An object with these members.
  public init(_ members: [String: TemplateValue]) { self.members = members }

  /// The members of a JSON object; of several with one name the first counts.
  package init(_ object: JSONObject) {
    members = Dictionary(object.members.map { ($0.key, .json($0.value)) }) { first, _ in first }
  }

  /// The value of a name.
  public subscript(_ name: String) -> TemplateValue? { members[name] }
}

/// A value in a template.
public enum TemplateValue: Sendable {
  /// A JSON value; `null` renders as nothing.
  case json(JSONValue)
  /// A list, which renders as its name. The object holds its other fields if the reminder is the list's own; without
  /// it, sections of the list are left out.
  case list(name: String, JSONObject?)
  /// Several objects, for a repeated section.
  case objects([TemplateObject])
}
