import FoundationEssentials

/// A property list or a part of one, in Apple's XML or binary format.
public enum PropertyList: Hashable, Sendable {
  /// Text of Unicode scalars.
  case string(String)
  case integer(Int64)
  /// A whole number of more than 63 bits, which only unsigned numbers of 64 bits can hold.
  case largeInteger(UInt64)
  /// A floating-point number, finite or not.
  case real(Double)
  case bool(Bool)
  /// An instant; whole seconds in XML, any Double, NaN included, in the binary format.
  case date(Date)
  case data([UInt8])
  case array([PropertyList])
  /// Named values, in the order of the file.
  case dictionary(PropertyListDictionary)
  /// A reference into a keyed archive's `$objects`; in XML a dictionary of the one key `CF$UID`.
  case uid(UInt64)
}

extension PropertyList {
  /// The kind of value with its article, for error messages: `a date`.
  public var kind: String {
    switch self {
    case .string: "text"
    case .integer: "a whole number"
    case .largeInteger: "a whole number of more than 63 bits"
    case .real: "a number"
    case .bool: "a truth value"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    case .uid: "a reference"
    }
  }

  /// The text, or nil when this is something else.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, or nil when this is something else.
  public var arrayValue: [PropertyList]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The dictionary, or nil when this is something else.
  public var dictionaryValue: PropertyListDictionary? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }
}
