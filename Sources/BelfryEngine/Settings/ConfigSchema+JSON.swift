import ConfigKeys
import OrderedJSON

extension ConfigSchema {
  /// A JSON Schema of the config for editors, in draft 7, which most of them support.
  public var json: JSONValue {
    var object = JSONObject([
      ("$schema", "http://json-schema.org/draft-07/schema#"), ("title", "Belfry's config"),
    ])
    for member in Self.section(keys).members { object.append(member.key, member.value) }
    return .object(object)
  }

  private static func section(_ keys: [ConfigKey]) -> JSONObject {
    let properties = keys.flatMap { key in
      key.names.map { name in (name, JSONValue.object(property(key, name))) }
    }
    var object = JSONObject([("type", "object")])
    object.append("properties", .object(JSONObject(properties)))
    let required = keys.filter { $0.isRequired && $0.names.count == 1 }.map(\.name)
    if !required.isEmpty { object.append("required", .array(required.map { .string($0) })) }
    object.append("additionalProperties", false)
    return object
  }

  private static func property(_ key: ConfigKey, _ name: String) -> JSONObject {
    var object = value(key.shape(of: name))
    if case .secret(allowsSeveral: true) = key.shape {
      object = ["anyOf": [.object(object), ["type": "array", "items": .object(object), "minItems": 1]]]
    }
    object.append("description", .string(key.summary))
    return object
  }

  private static func value(_ shape: ConfigShape) -> JSONObject {
    switch shape {
    case .text: return ["type": "string"]
    case .line, .path, .secret: return ["type": "string", "minLength": 1]
    case .boolean: return ["type": "boolean"]
    case .integer(let range):
      return [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound)),
      ]
    case .choice(let words): return ["enum": .array(words.map { .string($0) })]
    case .timeOfDay, .day, .calendarDuration, .duration, .rateLimit, .zone:
      return ["type": "string", "minLength": 1, "title": .string(shape.expectation)]
    case .identifier: return ["type": ["integer", "string"], "minLength": 1]
    case .list(let element): return ["type": "array", "items": .object(value(element))]
    case .section(let keys): return section(keys)
    case .map(let element): return ["type": "object", "additionalProperties": .object(value(element))]
    case .plugin(let common, let plugins):
      return ["oneOf": .array(plugins.map { .object(plugin($0, common)) })]
    }
  }

  // The word after `type` decides which keys there are.
  private static func plugin(_ plugin: any ConfigPlugin.Type, _ common: [ConfigKey]) -> JSONObject {
    var object = JSONObject([("title", .string(plugin.type)), ("description", .string(plugin.summary))])
    for member in section(common + plugin.keys).members { object.append(member.key, member.value) }
    if var properties = object["properties"]?.objectValue {
      properties[ConfigSchema.typeKey] = ["const": .string(plugin.type)]
      object["properties"] = .object(properties)
    }
    return object
  }
}
