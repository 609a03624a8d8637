import BelfryModel
import OrderedJSON

/// A schema of JSON values (JSON Schema 2020-12), as OpenAPI 3.1 uses it.
struct JSONSchema: Sendable {
  let json: JSONValue

  private init(_ json: JSONValue) { self.json = json }

  static let text = JSONSchema(["type": "string"])
  static let flag = JSONSchema(["type": "boolean"])
  static let number = integer(0...Int64.max)
  static let identity = JSONSchema(["type": "string", "format": "uuid"])
  static let instant = JSONSchema(["type": "string", "format": "date-time"])
  static let duration = JSONSchema(["type": "string", "format": "duration"])
  static let wallTime = JSONSchema([
    "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$",
  ])
  /// The value `true` and no other.
  static let always = JSONSchema(["const": true])
  private static let null = JSONSchema(["type": "null"])

  /// A text that is not empty.
  static let words = JSONSchema(["type": "string", "minLength": 1])

  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Int64>) -> JSONSchema {
    JSONSchema(["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
  }

  static func one(of words: [String]) -> JSONSchema {
    JSONSchema(["type": "string", "enum": .array(words.map { .string($0) })])
  }

  static func array(of element: JSONSchema) -> JSONSchema { JSONSchema(["type": "array", "items": element.json]) }

  /// A schema of the document's components.
  static func named(_ name: String) -> JSONSchema { JSONSchema(["$ref": .string("#/components/schemas/\(name)")]) }

  static func any(of schemas: [JSONSchema]) -> JSONSchema { JSONSchema(["anyOf": .array(schemas.map(\.json))]) }

  /// A value that matches all of several schemas.
  static func all(of schemas: [JSONSchema]) -> JSONSchema { JSONSchema(["allOf": .array(schemas.map(\.json))]) }

  /// An object with these members and no others.
  ///
  /// - Parameter required: the members that it must have; all of them by default.
  static func object(
    _ members: [(name: String, schema: JSONSchema)], required: [String]? = nil, isOpen: Bool = false
  ) -> JSONSchema {
    var object: JSONObject = [
      "type": "object", "properties": .object(JSONObject(members.map { ($0.name, $0.schema.json) })),
    ]
    let required = required ?? members.map(\.name)
    if !required.isEmpty { object.append("required", .array(required.map { .string($0) })) }
    if !isOpen { object.append("additionalProperties", false) }
    return JSONSchema(.object(object))
  }

  var orNull: JSONSchema { Self.any(of: [self, .null]) }

  /// The same schema with a description.
  func described(_ words: String) -> JSONSchema {
    guard var object = json.objectValue else { return self }
    object["description"] = .string(words)
    return JSONSchema(.object(object))
  }
}

extension JSONSchema {
  /// The values of a shape.
  init(_ shape: FieldShape) {
    self =
      switch shape {
      case .text, .zone, .rule: .text
      case .texts: .array(of: .text)
      case .number(let range): .integer(range)
      case .flag: .flag
      case .identity: .identity
      case .instant: .instant
      case .wallTime: .wallTime
      case .duration: .duration
      case .durations: .array(of: .duration)
      case .word(let words): .one(of: words)
      case .record: .object([], isOpen: true)
      case .nullable(let shape): JSONSchema(shape).orNull
      case .array(let shape): .array(of: JSONSchema(shape))
      case .named(let name): .named(name)
      case .object(let members, let isOpen):
        .object(
          members.map { member in
            let schema = JSONSchema(member.shape)
            return (member.name, member.words.map { schema.described($0) } ?? schema)
          }, required: members.filter { !$0.isOptional }.map(\.name), isOpen: isOpen)
      }
  }
}
