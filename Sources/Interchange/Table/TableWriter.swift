import BelfryModel
import OrderedJSON

/// A writer of a table in CSV (RFC 4180) with a header: the keys of an item in JSON, one item a row, CR LF.
///
/// A text with a comma, a quotation mark or a line end is quoted; `null` is an empty field; several values are on a
/// line each.
struct TableWriter: ExportWriter {
  static let keys = ItemRecord.form.shownNames

  private let json: (ItemListing) -> JSONValue

  /// - Parameter json: returns an item as `--json` shows it.
  init(json: @escaping (ItemListing) -> JSONValue) { self.json = json }

  func start(into output: inout [UInt8]) { append(Self.keys, into: &output) }

  func write(_ list: Checklist, into output: inout [UInt8]) {}

  func write(_ listing: ItemListing, into output: inout [UInt8]) {
    let item = json(listing)
    append(Self.keys.map { Self.text(item[$0] ?? .null) }, into: &output)
  }

  func finish(into output: inout [UInt8]) {}

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .array(let elements): elements.map(text).joined(separator: "\n")
    default: value.serialized()
    }
  }

  private func append(_ fields: [String], into output: inout [UInt8]) {
    for (place, field) in fields.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      append(field, into: &output)
    }
    output.append(text: "\r\n")
  }

  private func append(_ field: String, into output: inout [UInt8]) {
    guard field.utf8.contains(where: Self.needsQuotes) else { return output.append(text: field) }
    output.append(UInt8(ascii: "\""))
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { output.append(byte) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
  }
}
