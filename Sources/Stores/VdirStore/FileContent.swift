import BelfryModel
import FoundationEssentials

/// The to-do or event of a file, with the components that change an occurrence of it.
struct FileContent {
  /// The to-do or event whose identity is the file's. Without a series it is the first of its changed occurrences, as in
  /// an invitation to one.
  let item: ImportedItem
  /// The changed occurrences; those in ``apart``, and those of an event that have no alarm, count as done.
  private(set) var changed: [ImportedOccurrence] = []
  /// The changed occurrences of an event that have alarms or a text of their own: events of their own here.
  private(set) var apart: [ImportedItem] = []
  /// The parts that are not followed, or not as they are, in sentences; `nil` for none.
  private(set) var note: String?

  /// The content of a file; `nil` if nothing in it rings or is a to-do.
  init?(_ series: ImportedItem?, _ occurrences: [ImportedOccurrence], notes: [String]) {
    var notes = notes
    for var occurrence in occurrences {
      let isApart = Self.isApart(occurrence, from: series)
      if isApart { apart.append(occurrence.item) }
      // A changed occurrence is stated as a whole, so without alarms of its own it has none.
      if isApart || Self.isSilent(occurrence) { occurrence.item.isChecked = true }
      changed.append(occurrence)
    }
    guard let first = series ?? apart.first else { return nil }
    item = first
    if series == nil {
      if occurrences.contains(where: \.isAndLater) { notes.append("later occurrences of a repeat that has no alarm") }
      apart.removeFirst()
      changed = []
    }
    if first.rule != nil { notes.removeAll { $0 == "RDATE" } }
    if changed.contains(where: { !$0.item.isChecked && ($0.item.text, $0.item.notes) != (first.text, first.notes) }) {
      notes.append("the text of a changed occurrence")
    }
    let ignored = notes.isEmpty ? [] : ["ignored: \(notes.uniqued().joined(separator: ", "))"]
    let sentences = ignored + (item.notUnderstood + occurrences.flatMap(\.item.notUnderstood)).uniqued()
    note = sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// The part of the content with an identity; `nil` if another file has it.
  func part(_ uuid: UUID) -> (item: ImportedItem, changed: [ImportedOccurrence])? {
    if item.uuid == uuid { return (item, changed) }
    return apart.first { $0.uuid == uuid }.map { ($0, []) }
  }

  // A change of all later occurrences stays with the series.
  private static func isApart(_ occurrence: ImportedOccurrence, from series: ImportedItem?) -> Bool {
    let item = occurrence.item
    guard item.isEvent, item.shouldRemind, !item.isChecked else { return false }
    guard let series else { return true }
    return !occurrence.isAndLater
      && (item.alerts != series.alerts || (item.text, item.notes) != (series.text, series.notes))
  }

  private static func isSilent(_ occurrence: ImportedOccurrence) -> Bool {
    occurrence.item.isEvent && !occurrence.item.shouldRemind && !occurrence.isAndLater
  }
}
