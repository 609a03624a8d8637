import BelfryEngine
import BelfryModel
import CivilTime

extension EntryReader {
  /// The edit that an entry asks for. A first due date turns reminding on.
  ///
  /// - Parameter item: the item to be edited; `nil` for a new one.
  /// - Throws: ``ItemEntryFaults``; what the store throws.
  package func edit(_ entry: ItemEntry, of item: ItemListing?) throws -> ItemEdit {
    var edit = ItemEdit()
    var faults: [(field: ItemField, error: BelfryError)] = []
    // The zone first: a new time is on its clock.
    for field in [.timeZone] + ItemField.allCases.filter({ $0 != .timeZone }) {
      guard let words = entry.values[field] else { continue }
      do {
        try apply(words, to: field, of: &edit, zone: edit.zone ?? item?.item.zone ?? .floating)
      } catch let error as BelfryError where error.kind != .storeFailed {
        faults.append((field, error))
      }
    }
    if faults.isEmpty, item == nil, let fault = undatedRepeat(edit) { faults.append((.due, fault)) }
    guard faults.isEmpty else { throw ItemEntryFaults(faults: faults) }
    if item?.item.due == nil, case .at = edit.due, edit.shouldRemind == nil { edit.shouldRemind = true }
    return edit
  }

  /// The error of a new item that repeats and has no due date.
  private func undatedRepeat(_ edit: ItemEdit) -> BelfryError? {
    guard edit.rule.map({ $0 != .clear }) ?? false, edit.due.map({ $0 == .none }) ?? true else { return nil }
    return BelfryError(
      .usage, "a repeating item needs a due date", hint: "add \(name(.due)) WHEN, the first occurrence")
  }

  private func apply(_ words: ItemEntry.Words, to field: ItemField, of edit: inout ItemEdit, zone: ItemZone) throws {
    switch field {
    case .text: edit.text = try TextRules.line(text(words, of: field), what: "the text")
    case .list: edit.list = try list(text(words, of: field))
    case .due: edit.due = try optional(words, of: field) { try when($0, in: zone) } ?? When.none
    case .timeZone: edit.zone = try optional(words, of: field, self.zone) ?? .floating
    case .remind: edit.shouldRemind = try flag(words)
    case .alerts: edit.alerts = try texts(words).map { try duration($0, of: field, allowsZero: true) }
    case .repeat: edit.rule = try optional(words, of: field, rule).map { .set($0) } ?? .clear
    case .repeatFrom: edit.repeatOrigin = try optional(words, of: field, origin) ?? .due
    case .nag: edit.nag = try optional(words, of: field) { try duration($0, of: field) }.map { .set($0) } ?? .clear
    case .category: edit.category = try optional(words, of: field, category) ?? ""
    case .notes: edit.notes = try optional(words, of: field) { try TextRules.lines($0, what: "the notes") ?? "" } ?? ""
    }
  }

  private func text(_ words: ItemEntry.Words, of field: ItemField) throws -> String {
    switch words {
    case .text(let text): return text
    case .clear: return ""
    case .texts, .flag: throw refusal(of: field, "write a text")
    }
  }

  /// The value of a field that can be empty; `nil` for none.
  private func optional<Value>(
    _ words: ItemEntry.Words, of field: ItemField, _ read: (String) throws -> Value
  ) throws -> Value? {
    if words == .clear || (words == .text("none") && [.repeat, .nag].contains(field)) { return nil }
    return try read(text(words, of: field))
  }

  private func flag(_ words: ItemEntry.Words) throws -> Bool {
    switch words {
    case .flag(let isOn): return isOn
    case .clear: return false
    case .text("yes"): return true
    case .text("no"): return false
    case .text, .texts: throw refusal(of: .remind, "write yes or no")
    }
  }

  private func texts(_ words: ItemEntry.Words) throws -> [String] {
    switch words {
    case .texts(let texts): return texts
    case .text(let text): return text.split(separator: ",").map { String($0).trimmingWhitespace() }
    case .clear: return []
    case .flag: throw refusal(of: .alerts, "write durations such as 1d, 10m")
    }
  }

  private func origin(_ text: String) throws -> Recurrence.Origin {
    guard let origin = Recurrence.Origin(rawValue: text) else {
      throw refusal(of: .repeatFrom, "write due or done")
    }
    return origin
  }

  private func list(_ name: String) throws -> ListChoice {
    let choice = settings.listChoice(try TextRules.line(name, what: "the list's name"))
    if !choice.createsMissing { _ = try reading.view.knownList(named: choice.name) }
    return choice
  }
}
