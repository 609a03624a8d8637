/// A JSON document or a part of one (RFC 8259).
///
/// Whole numbers that fit are `integer`; every other number is a finite `number`. Objects keep the order of their
/// members, which counts in `==`. Strings compare by canonical equivalence: compare `serialized()` if composed and
/// decomposed spellings must differ.
public enum JSONValue: Hashable, Sendable {
  case null
  /// The literal `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number. Must be finite: JSON has no other numbers, so they are written as `null`.
  case number(Double)
  /// A string of Unicode scalars, U+0000 among them.
  case string(String)
  case array([JSONValue])
  /// Named values, in order.
  case object(JSONObject)
}

extension JSONValue {
  /// True if this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The truth value, or nil when this is something else.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The whole number, or nil when this is something else, `1.0` included.
  public var integerValue: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The number, whole or not (rounded beyond 2⁵³), or nil when this is something else.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The string, or nil when this is something else.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, or nil when this is something else.
  public var arrayValue: [JSONValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The object, or nil when this is something else.
  public var objectValue: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  /// The value of an object's member, or nil when there is none or this is no object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Lets `nil` mean null.
  public init(nilLiteral: ()) { self = .null }

  /// Lets `true` and `false` stand for themselves.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Lets a literal whole number stand for itself.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Lets a literal number stand for itself.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// A string, interpolated or not.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Lets a literal array stand for itself.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// An object with its members in the order written. The keys must differ, which is not checked.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(uniqueMembers: elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}
