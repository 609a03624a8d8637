import OrderedJSON

/// Fields of a record in a file that Belfry does not know. They are kept with the record as written, on one line; a
/// database keeps them in a column.
public struct UnknownFields: Hashable, Sendable {
  /// The notation of the fields.
  package enum Notation: Hashable, Sendable {
    /// Members of a JSON object with commas between them.
    case json
    /// Entries of a dictionary in an XML property list.
    case plist
  }

  /// The fields in their notation.
  package let text: String

  /// Fields in either notation.
  package init(text: String) { self.text = text }

  /// The notation: an entry of a property list starts with a tag, a JSON member with a quotation mark.
  package var notation: Notation { text.utf8.first == UInt8(ascii: "<") ? .plist : .json }

  /// True if both have the same bytes.
  public static func == (one: UnknownFields, other: UnknownFields) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Hashes the bytes, as equality compares them.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

// Property lists have types that JSON lacks, such as dates. In JSON, their entries are therefore kept as XML text.
extension UnknownFields {
  private static let key = "_plist"

  /// The fields as members of a JSON object.
  var members: [UInt8] {
    guard notation == .plist else { return Array(text.utf8) }
    var members: [UInt8] = []
    JSONObject.Member(key: Self.key, value: .string(text)).write(into: &members)
    return members
  }

  /// The fields as a JSON object.
  package var object: String { "{\(String(decoding: members, as: UTF8.self))}" }

  /// The property list entries inside these members; the members themselves if they hold anything else.
  var unwrapped: UnknownFields {
    guard text.hasPrefix("\"\(Self.key)\""), let object = try? JSONValue(parsing: "{\(text)}".utf8).objectValue,
      object.count == 1, let entries = object.members[0].value.stringValue, entries.utf8.first == UInt8(ascii: "<")
    else { return self }
    return UnknownFields(text: entries)
  }
}

/// Collects the unknown fields of one record. Keys are compared by their bytes.
package struct UnknownFieldsReader {
  private struct Key: Hashable {
    let text: String

    static func == (one: Key, other: Key) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  private var keys: Set<Key> = []
  private var bytes: [UInt8] = []

  package init() {}

  /// Adds a field, with its key as written; returns `false` if the record has the key already.
  package mutating func append(_ key: String, _ field: some Sequence<UInt8>, separator: UInt8? = nil) -> Bool {
    guard keys.insert(Key(text: key)).inserted else { return false }
    if let separator, !bytes.isEmpty { bytes.append(separator) }
    bytes.append(contentsOf: field)
    return true
  }

  /// The fields; `nil` if there are none.
  package var fields: UnknownFields? {
    bytes.isEmpty ? nil : UnknownFields(text: String(decoding: bytes, as: UTF8.self))
  }
}
