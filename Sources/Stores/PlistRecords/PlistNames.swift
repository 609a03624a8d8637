import BelfryModel

/// The keys of records in property lists, derived from the fields' names in JSON: `due_local` is `DueLocal`.
///
/// Keys that checklist apps on iOS have long written keep their names: `ItemID`, `Text`, `Checked`.
package struct PlistNames: Sendable {
  /// The names for every kind of record, by its number.
  package static let all: [PlistNames] = RecordKind.all.map(PlistNames.init)

  /// The names, in the order of the kind's fields.
  package let names: [String]
  /// The concatenated elements `<key>…</key>` of all fields, and the start of each and end of the last.
  let elements: [UInt8]
  let starts: [Int]

  private init(_ kind: RecordKind) {
    names = kind.names.map { Self.name("\($0)", of: kind) }
    var elements: [UInt8] = []
    var starts = [0]
    for name in names {
      elements += "<key>\(name)</key>".utf8
      starts.append(elements.count)
    }
    (self.elements, self.starts) = (elements, starts)
  }

  package subscript(field: Int) -> ArraySlice<UInt8> { elements[starts[field]..<starts[field + 1]] }

  private static func name(_ name: String, of kind: RecordKind) -> String {
    switch name {
    case "id": kind.noun.prefix(1).uppercased() + kind.noun.dropFirst() + "ID"
    case "is_checked": "Checked"
    default:
      name.split(separator: "_").map { part in
        part == "id" || part == "uuid" ? part.uppercased() : part.prefix(1).uppercased() + part.dropFirst()
      }.joined()
    }
  }
}
