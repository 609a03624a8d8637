import BelfryEngine
import BelfryModel
import CivilTime
import Digests
import ItemEntry
import NaturalDates

/// The contents of the fields of an item's form.
struct ItemFields: Equatable, Sendable {
  /// A field of the form; the due date has three.
  enum Name: String, CaseIterable, Sendable {
    case text, list, date, time, due
    case timeZone = "time_zone"
    case remind, alerts
    case `repeat`
    case repeatFrom = "repeat_from"
    case nag, category, notes
  }

  private var values: [Name: String] = [:]

  subscript(_ name: Name) -> String {
    get { values[name] ?? "" }
    set { values[name] = newValue }
  }

  /// The fields of a new item on a list.
  init(newOn list: String) {
    self[.list] = list
    self[.remind] = "yes"
    self[.repeatFrom] = "due"
  }

  /// The fields of an item.
  init(_ listing: ItemListing) {
    let item = listing.item
    self[.text] = item.text
    self[.list] = listing.listName
    if let due = item.due?.local { set(due) }
    if case .fixed(let name) = item.zone { self[.timeZone] = name }
    self[.remind] = item.shouldRemind ? "yes" : ""
    self[.alerts] = item.alerts == [.zero] ? "" : item.alerts.map(\.description).joined(separator: ", ")
    self[.repeat] = item.recurrence?.rule.words ?? ""
    self[.repeatFrom] = (item.recurrence?.origin ?? .due).rawValue
    self[.nag] = item.nag?.description ?? ""
    self[.category] = item.category ?? ""
    self[.notes] = item.notes ?? ""
  }

  /// The fields as a form sent them.
  ///
  /// - Throws: ``Problem`` 400 for what is not UTF-8.
  init(_ fields: FormFields) throws(Problem) {
    for name in Name.allCases { self[name] = try fields.text(name.rawValue) ?? "" }
    self[.notes] = self[.notes].replacing("\r\n", with: "\n")
  }

  /// Sets the date and the time of the due date.
  mutating func set(_ due: WallTime) {
    self[.date] = String("\(due)".prefix(10))
    self[.time] = "\(due.time)"
  }

  private static let versionLength = 8

  /// A value that changes with any field: a digest of each, in their order.
  var version: String { Name.allCases.map(version).joined() }

  private func version(of name: Name) -> String {
    Base64URL.encode(SHA256.digest(Array(self[name].utf8)).prefix(Self.versionLength * 3 / 4))
  }

  /// True if some fields are as they were in a version.
  func have(_ names: [Name], inVersion version: String) -> Bool {
    zip(Name.allCases.indices, Name.allCases).filter { names.contains($1) }.allSatisfy { index, name in
      version.utf8.dropFirst(index * Self.versionLength).prefix(Self.versionLength)
        .elementsEqual(self.version(of: name).utf8)
    }
  }

  /// The fields that differ from those that were shown.
  func changes(from shown: ItemFields) -> [Name] {
    Name.allCases.filter { !self[$0].utf8.elementsEqual(shown[$0].utf8) }
  }

  /// The entry of the fields whose contents differ from those shown.
  func entry(from shown: ItemFields) -> ItemEntry {
    var entry = ItemEntry()
    for name in changes(from: shown) {
      switch name {
      case .date, .time, .due: entry.values[.due] = dueWords.map { .text($0) } ?? .clear
      case .remind: entry.values[.remind] = .flag(!self[.remind].isEmpty)
      case .alerts: entry.values[.alerts] = self[.alerts].isEmpty ? .clear : .text(self[.alerts])
      default:
        guard let field = ItemField(rawValue: name.rawValue) else { continue }
        entry.values[field] = ItemEntry.Words(of: field, inForm: self[name])
      }
    }
    return entry
  }

  // Words count before the pickers, which a browser fills in.
  private var dueWords: String? {
    let words = self[.due].trimmingWhitespace()
    if !words.isEmpty { return words == "none" ? nil : words }
    let parts = [self[.date], String(self[.time].prefix(5))].filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "T")
  }
}

extension ItemField {
  /// The field of a form beside which an error of this one stands.
  var shown: ItemFields.Name { ItemFields.Name(rawValue: rawValue) ?? .text }

  /// Its name in messages.
  var formName: String {
    switch self {
    case .text, .list, .notes, .category, .alerts: rawValue
    case .due: "due"
    case .timeZone: "time zone"
    case .remind: "remind"
    case .repeat: "repeat"
    case .repeatFrom: "repeat from"
    case .nag: "ring again every"
    }
  }
}
