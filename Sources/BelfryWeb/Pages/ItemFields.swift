import BelfryModel
import CivilTime
import Digests
import ItemEntry

/// The contents of the fields of an item's form.
struct ItemFields: Equatable, Sendable {
  private var values: [ItemField: String] = [:]
  /// The pickers of the due date, which browsers fill in. Its words take precedence over them.
  private(set) var date = ""
  private(set) var time = ""

  /// The contents of a field's control.
  subscript(_ field: ItemField) -> String {
    get { values[field] ?? "" }
    set { values[field] = newValue }
  }

  /// The fields of an item.
  init(_ listing: ItemListing) {
    for field in ItemField.allCases { self[field] = field.row.show(listing) }
    self[.due] = ""
    if let due = listing.item.due?.local { set(due) }
  }

  /// The fields of a form.
  ///
  /// - Throws: ``Problem`` 400 for a value that is not UTF-8.
  init(_ fields: FormFields) throws(Problem) {
    for field in ItemField.allCases {
      let sent = try fields.text(field.rawValue) ?? ""
      self[field] =
        switch field.row.kind {
        case .flag: sent.isEmpty ? "no" : "yes"
        case .lines: sent.replacing("\r\n", with: "\n")
        default: sent
        }
    }
    (date, time) = (try fields.text("date") ?? "", try fields.text("time") ?? "")
  }

  /// Sets the pickers of the due date.
  mutating func set(_ due: WallTime) {
    (date, time) = (String("\(due)".prefix(10)), "\(due.time)")
  }

  /// The value of a field; empty for none.
  func value(of field: ItemField) -> String {
    guard case .time = field.row.kind else { return self[field] }
    let words = self[field].trimmingWhitespace()
    if !words.isEmpty { return words == "none" ? "" : words }
    return [date, String(time.prefix(5))].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Takes over a field of another form.
  mutating func take(_ field: ItemField, from other: ItemFields) {
    self[field] = other[field]
    if case .time = field.row.kind { (date, time) = (other.date, other.time) }
  }

  // MARK: Changes

  private static let versionLength = 8

  /// A value that changes with any field: a digest of each, in their order.
  var version: String { ItemField.allCases.map(version).joined() }

  private func version(of field: ItemField) -> String {
    Base64URL.encode(SHA256.digest(Array(value(of: field).utf8)).prefix(Self.versionLength * 3 / 4))
  }

  /// True if a field is as it was in a version.
  func has(_ field: ItemField, inVersion version: String) -> Bool {
    let index = ItemField.allCases.firstIndex(of: field) ?? 0
    return version.utf8.dropFirst(index * Self.versionLength).prefix(Self.versionLength)
      .elementsEqual(self.version(of: field).utf8)
  }

  /// The fields that differ from those that were shown.
  func changes(from shown: ItemFields) -> [ItemField] {
    ItemField.allCases.filter { !value(of: $0).utf8.elementsEqual(shown.value(of: $0).utf8) }
  }

  /// The entry of the fields whose values differ from those shown.
  func entry(from shown: ItemFields) -> ItemEntry {
    var entry = ItemEntry()
    for field in changes(from: shown) { entry.values[field] = ItemEntry.Words(of: field, inForm: value(of: field)) }
    return entry
  }
}
