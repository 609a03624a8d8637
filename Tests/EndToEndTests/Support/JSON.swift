import Foundation

/// A JSON value, with numbers and booleans kept apart.
enum JSON: Hashable, Sendable, Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case fraction(Double)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .fraction(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  init(_ text: String) throws {
    guard !text.isEmpty else { throw NotJSON(text: "(nothing)") }
    do {
      self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    } catch {
      throw NotJSON(text: String(text.prefix(200)))
    }
  }

  subscript(_ key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }

  var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
}

/// The error of invalid JSON.
struct NotJSON: Error, CustomStringConvertible {
  let text: String

  var description: String { "not one JSON document: \(text)" }
}
