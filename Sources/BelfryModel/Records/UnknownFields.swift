import OrderedJSON

/// The fields of a record in a file that Belfry does not know: kept with the record, as they stood, on one line.
public struct UnknownFields: Hashable, Sendable {
  /// How the fields are written.
  package enum Notation: Hashable, Sendable {
    /// Members of a JSON object with commas between them.
    case json
    /// Entries of a dictionary in an XML property list, one behind the other.
    case plist
  }

  /// The fields as they are written in their notation.
  package let text: String

  /// Fields in either notation.
  package init(text: String) { self.text = text }

  /// How the fields are written: an entry of a property list starts with its tag, a member with its quotation mark.
  package var notation: Notation { text.utf8.first == UInt8(ascii: "<") ? .plist : .json }

  /// Whether both are the same to the byte.
  public static func == (one: UnknownFields, other: UnknownFields) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

// A property list can say more than JSON, a date for one: in JSON its entries stand as the text that they are in XML.
extension UnknownFields {
  private static let key = "_plist"

  /// The fields as members of an object.
  var members: [UInt8] {
    guard notation == .plist else { return Array(text.utf8) }
    var members: [UInt8] = []
    JSONObject.Member(key: Self.key, value: .string(text)).write(into: &members)
    return members
  }

  /// The entries of a property list that these members hold, where they hold nothing else.
  var unwrapped: UnknownFields {
    guard text.hasPrefix("\"\(Self.key)\""), let object = try? JSONValue(parsing: "{\(text)}".utf8).objectValue,
      object.count == 1, let entries = object.members[0].value.stringValue, entries.utf8.first == UInt8(ascii: "<")
    else { return self }
    return UnknownFields(text: entries)
  }
}

/// The unknown fields of one record while it is read. Their keys are told apart by their bytes.
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

  /// Takes in a field with its key as it is to be written; false where its record has the key already.
  package mutating func append(_ key: String, _ field: some Sequence<UInt8>, separator: UInt8? = nil) -> Bool {
    guard keys.insert(Key(text: key)).inserted else { return false }
    if let separator, !bytes.isEmpty { bytes.append(separator) }
    bytes.append(contentsOf: field)
    return true
  }

  /// The fields; nil where there are none.
  package var fields: UnknownFields? {
    bytes.isEmpty ? nil : UnknownFields(text: String(decoding: bytes, as: UTF8.self))
  }
}
