import BelfryModel
import OrderedJSON

/// The items of Belfry's own table, which ``TableWriter`` writes.
///
/// Each row is read as the JSON object that it was written from, so that both have the same rules.
struct BelfryTable: ImportSource {
  /// The shapes of the values, by the names of their columns.
  private static let shapes: [String: FieldShape] = {
    guard case .object(let members, _) = ItemRecord.form.shownShape else { return [:] }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.shape) })
  }()

  private let records: BelfryRecords
  private var rows: TableReader
  private var names: [String] = []

  init(_ bytes: ByteSource, context: ImportContext) {
    records = BelfryRecords(context: context)
    rows = TableReader(bytes)
  }

  /// True for the names of the columns, in lower case, also if columns were left out or added.
  static func isHeader(_ names: [String]) -> Bool {
    names.contains("text") && names.count { shapes[$0] != nil } > names.count / 2
      && !Set(["uuid", "is_checked", "due_local"]).isDisjoint(with: names)
  }

  mutating func next() throws -> ImportEntry? {
    if names.isEmpty { try readHeader() }
    switch try rows.next() {
    case nil: return nil
    case .failure(let refused)?: return .refusal(refused.refusal)
    case .success(let row)?: return entry(row)
    }
  }

  private mutating func readHeader() throws {
    if case .success(let row)? = try rows.next() { names = row.fields.map { $0.trimmingWhitespace().lowercased() } }
    guard Self.isHeader(names) else {
      let header = TableWriter.keys.joined(separator: ",")
      throw ImportError(message: "expected the header of Belfry's own table, \(header)")
    }
  }

  private func entry(_ row: TableRow) -> ImportEntry {
    var object = JSONObject()
    var others: [(name: String, value: String)] = []
    for (name, field) in zip(names, row.fields) where !field.isEmpty && object[name] == nil {
      if let shape = Self.shapes[name] {
        object.append(name, Self.value(field, shape))
      } else {
        others.append((name, field))
      }
    }
    let json = Array(JSONValue.object(object).serialized().utf8)
    let entry = records.item(JSONRecord(line: row.line, bytes: json[...]))
    guard case .item(var item, let list) = entry else { return entry }
    for other in others { item.keep(other.value, of: other.name, by: "CSV", as: .kept) }
    return .item(item, list: list)
  }

  // A value that does not have its column's shape stays a text, which the reader of JSON then refuses by name.
  private static func value(_ field: String, _ shape: FieldShape) -> JSONValue {
    switch shape {
    case .nullable(let shape): value(field, shape)
    // Spreadsheets write TRUE.
    case .flag: ["true": true, "false": false][field.lowercased()].map { .bool($0) } ?? .string(field)
    case .number: Int64(field).map { .integer($0) } ?? .string(field)
    case .texts, .durations: .array(field.split(separator: "\n").map { .string(String($0)) })
    default: .string(field)
    }
  }
}
