import OrderedJSON

/// A language for texts with names in them, which stand for what a message says.
///
/// A port: only the program that delivers messages has a language at hand. Every other program takes a template as text.
public protocol TemplateLanguage: Sendable {
  /// Parses a template.
  ///
  /// - Parameter escaping: how the characters of a value are escaped.
  /// - Throws: ``ConfigProblem`` with the line and column in the template where it does not parse.
  func parse(_ text: String, escaping: TemplateEscaping) throws(ConfigProblem) -> any ParsedTemplate
}

/// A template that parsed.
public protocol ParsedTemplate: Sendable {
  /// The text with what the names stand for. A name that nothing has stands for nothing.
  func render(_ values: TemplateObject) -> String
}

/// How the characters of a value are escaped: by what the text becomes part of.
public enum TemplateEscaping: CaseIterable, Hashable, Sendable {
  /// Plain text: nothing is escaped.
  case text
  /// HTML or XML.
  case html
  /// The inside of a string of JSON.
  case json
  /// A value of `application/x-www-form-urlencoded`.
  case form
}

/// Named values.
public struct TemplateObject: Sendable {
  private let members: [String: TemplateValue]

  /// An object with these members.
  public init(_ members: [String: TemplateValue]) { self.members = members }

  /// An object of JSON; of two members of one name the first counts.
  public init(_ object: JSONObject) {
    members = Dictionary(object.members.map { ($0.key, .json($0.value)) }) { first, _ in first }
  }

  /// The value of a name.
  public subscript(_ name: String) -> TemplateValue? { members[name] }
}

/// A value that a template can reach.
public enum TemplateValue: Sendable {
  /// Any value of JSON; `null` prints as nothing.
  case json(JSONValue)
  /// A list, which prints as its name. The object has the rest of it where the reminder is the list's own; without one a
  /// section of the list is left out.
  case list(name: String, JSONObject?)
  /// Several objects, for a section that repeats.
  case objects([TemplateObject])
}
