import BelfryEngine
import BelfryModel
import CivilTime

/// The words for one field, and how its row reads them.
struct FieldWords {
  let words: ItemEntry.Words
  let field: ItemField
  let reader: EntryReader
  /// The zone on whose clock a time is.
  let zone: ItemZone

  /// The text of a field with one value; empty to remove the value.
  func text() throws -> String {
    switch words {
    case .text(let text): return text
    case .clear: return ""
    case .texts, .flag: throw refusal("write a text")
    }
  }

  /// The value of a field that may have none; `nil` for none.
  func optional<Value>(_ read: (String) throws -> Value) throws -> Value? {
    if words == .clear || (words == .text("none") && takesNone) { return nil }
    return try read(text())
  }

  // Notes may consist of the word 'none'.
  private var takesNone: Bool { if case .lines = field.row.kind { false } else { true } }

  func flag() throws -> Bool {
    switch words {
    case .flag(let isOn): return isOn
    case .clear: return false
    case .text("yes"): return true
    case .text("no"): return false
    case .text, .texts: throw refusal("write yes or no")
    }
  }

  /// The texts of a field with several values; in one text, commas separate them.
  ///
  /// - Parameter advice: what to write instead of a flag.
  func texts(_ advice: String) throws -> [String] {
    switch words {
    case .texts(let texts): return texts
    case .text(let text): return text.split(separator: ",").map { String($0).trimmingWhitespace() }
    case .clear: return []
    case .flag: throw refusal(advice)
    }
  }

  /// Tags; a single `none` means no tags. In one text, commas or spaces separate them.
  func tags() throws -> ItemTags {
    var names = try texts("write tags such as home, phone")
    if case .text = words { names = names.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) } }
    return names == ["none"] ? .empty : try ItemTags(written: names)
  }

  func time(_ text: String) throws -> When { try reader.when(text, in: zone) }

  func duration(_ text: String, allowsZero: Bool = false) throws -> CalendarDuration {
    try reader.duration(text, called: reader.name(field), allowsZero: allowsZero)
  }

  func origin(_ text: String) throws -> Recurrence.Origin {
    guard let origin = Recurrence.Origin(rawValue: text) else { throw refusal("write due or done") }
    return origin
  }

  func priority(_ text: String) throws -> ItemPriority.Level {
    guard let level = ItemPriority.Level(rawValue: text) else {
      throw BelfryError(.usage, "\(reader.name(field)): '\(text)' is not high, medium, low or none")
    }
    return level
  }

  func list() throws -> ListChoice {
    let name = try TextRules.listName(text())
    let choice = reader.settings.listChoice(name)
    if case .named(_, createsMissing: false) = choice { _ = try reader.reading.view.knownList(named: name) }
    return choice
  }

  private func refusal(_ advice: String) -> BelfryError {
    BelfryError(.badInput, "\(reader.name(field)): \(advice)")
  }
}

extension ItemTags {
  /// Tags as people write them: with or without the `@` of a line.
  ///
  /// - Throws: as ``init(_:)``.
  package init(written names: [String]) throws(BelfryError) {
    self = try ItemTags(names.map { $0.first == "@" ? String($0.dropFirst()) : $0 })
  }
}
