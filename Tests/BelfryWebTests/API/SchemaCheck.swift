import OrderedJSON

/// The faults of a value according to a schema of an OpenAPI document, in the part of JSON Schema that Belfry uses.
struct SchemaCheck {
  let document: JSONValue

  /// The faults, each with its place.
  func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
    if let name = schema["$ref"]?.stringValue {
      guard let target = target(of: name) else { return ["\(place): no schema \(name)"] }
      return faults(value, target, at: place)
    }
    if let any = schema["anyOf"]?.arrayValue {
      return any.contains { faults(value, $0, at: place).isEmpty } ? [] : ["\(place): none of \(any.count) forms"]
    }
    if let words = schema["enum"]?.arrayValue, !words.contains(value) { return ["\(place): no such word"] }
    guard let type = schema["type"]?.stringValue else { return [] }
    switch (type, value) {
    case ("string", .string), ("boolean", .bool), ("null", .null), ("integer", .integer): return []
    case ("array", .array(let elements)):
      let schema = schema["items"] ?? [:]
      return elements.enumerated().flatMap { faults($1, schema, at: "\(place)/\($0)") }
    case ("object", .object(let object)): return faults(of: object, schema, at: place)
    default: return ["\(place): no \(type)"]
    }
  }

  func target(of reference: String) -> JSONValue? {
    reference.split(separator: "/").dropFirst().reduce(document) { value, name in value?[String(name)] }
  }

  func members(ofBodyOf operation: JSONValue) -> [String] {
    let content = operation["requestBody"]?["content"]?.objectValue?.members.map(\.value) ?? []
    return content.flatMap { media in
      let schema = media["schema"]?["$ref"]?.stringValue.flatMap { target(of: $0) } ?? media["schema"]
      return schema?["properties"]?.objectValue?.keys ?? []
    }
  }

  private func faults(of object: JSONObject, _ schema: JSONValue, at place: String) -> [String] {
    let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let missing = required.filter { object[$0] == nil }.map { "\(place)/\($0): missing" }
    return missing
      + object.members.flatMap { member -> [String] in
        let place = "\(place)/\(member.key)"
        guard let schema = schema["properties"]?[member.key] else {
          return schema["additionalProperties"] == false ? ["\(place): unknown"] : []
        }
        return faults(member.value, schema, at: place)
      }
  }
}
