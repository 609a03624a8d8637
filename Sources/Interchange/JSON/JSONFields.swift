import CivilTime
import FoundationEssentials
import OrderedJSON

/// The fields of one record in JSON, by name and type; `null` counts as missing. Every fault names its field.
struct JSONFields {
  let object: JSONObject

  /// The fields of a record.
  init(_ value: JSONValue) throws(EntryFault) {
    guard let object = value.objectValue else { throw EntryFault(reason: "it is \(value.kind), not an object") }
    self.object = object
  }

  /// The value of a field; `nil` for a missing one.
  func value(_ name: String) -> JSONValue? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  func text(_ name: String) throws(EntryFault) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.stringValue else { throw mismatch(name, value, wanted: "text") }
    return text
  }

  /// A text that must be there.
  func requiredText(_ name: String) throws(EntryFault) -> String {
    guard let text = try text(name) else { throw EntryFault(reason: "it has no \"\(name)\"") }
    return text
  }

  func texts(_ name: String) throws(EntryFault) -> [String] {
    guard let value = value(name) else { return [] }
    guard let elements = value.arrayValue else { throw mismatch(name, value, wanted: "an array of texts") }
    let texts = elements.compactMap(\.stringValue)
    guard texts.count == elements.count else { throw mismatch(name, value, wanted: "an array of texts alone") }
    return texts
  }

  func uuid(_ name: String) throws(EntryFault) -> UUID? {
    try converted(name, wanted: "a UUID") { UUID(uuidString: $0) }
  }

  /// The value that a text is converted to, if there is a text.
  func converted<Value>(
    _ name: String, wanted: String, _ convert: (String) -> Value?
  ) throws(EntryFault) -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = convert(text) else {
      throw EntryFault(reason: "its \"\(name)\" is \(inQuotes(text)), not \(wanted)")
    }
    return value
  }

  func mismatch(_ name: String, _ value: JSONValue, wanted: String) -> EntryFault {
    EntryFault(reason: "its \"\(name)\" is \(value.kind), not \(wanted)")
  }
}

extension JSONValue {
  /// The kind of a value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer: "a whole number"
    case .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
