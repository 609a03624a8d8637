import BelfryModel
import PropertyLists

// JSON has values that a property list lacks, such as null. Unknown JSON fields are therefore kept as JSON text under
// one key.
extension UnknownFields {
  private static let key = "_json"

  /// The fields as entries of a dictionary.
  ///
  /// - Throws: ``UnwritableValue`` for text that XML cannot hold.
  func entries() throws -> [UInt8] {
    if notation == .plist { return Array(text.utf8) }
    var entries = Array("<key>\(Self.key)</key><string>".utf8)
    do {
      try XMLPropertyList.append(text: text, to: &entries)
    } catch {
      throw UnwritableValue(field: Self.key, reason: "cannot be stored in a property list: \(error.message)")
    }
    entries += "</string>".utf8
    return entries
  }

  /// The unknown fields as JSON, if the entries consist only of such a text; otherwise unchanged.
  var unwrapped: UnknownFields {
    let document = "<plist version=\"1.0\"><dict>\(text)</dict></plist>"
    guard text.hasPrefix("<key>\(Self.key)</key>"), let list = try? PropertyList(parsing: document.utf8),
      let entries = list.dictionaryValue?.entries, entries.count == 1, let fields = entries[0].value.stringValue
    else { return self }
    return UnknownFields(text: fields)
  }
}
