import BelfryModel
import CivilTime
import BelfryEngine
import FoundationEssentials
import Interchange

/// A calendar file as Belfry reads it.
enum TodoFile {
  /// No item: a journal entry, or an event that does not ring here.
  case other
  /// One to-do or event, with those that change an occurrence of it, and what is not followed of them.
  case todo(ImportedItem, changed: [ImportedOccurrence], note: String?)
  /// Nothing, for this reason.
  case faulty(String)

  /// Reads a file.
  ///
  /// - Parameter readsEvents: whether events with alarms are items.
  init(_ bytes: [UInt8], planner: Planner, now: Date, readsEvents: Bool) {
    let context = ImportContext(defaultListName: "", planner: planner, now: now, readsEvents: readsEvents)
    let entries: [ImportEntry]
    do {
      entries = try Importer.entries(in: bytes, format: .calendar, context: context)
    } catch {
      self = .faulty((error as? ImportError)?.message ?? "\(error)")
      return
    }
    var items: [ImportedItem] = []
    var changed: [ImportedOccurrence] = []
    var notes: [String] = []
    for entry in entries {
      switch entry {
      case .item(let item, _): items.append(item)
      case .occurrence(let occurrence, _): changed.append(occurrence)
      case .refusal(let refusal):
        self = .faulty("\(refusal.place): \(refusal.reason)")
        return
      case .leftOut(let word) where Self.others.contains(word): continue
      case .leftOut(let word): notes.append(word)
      case .list: continue
      }
    }
    // An invitation to one occurrence comes without its series: it is an event of its own.
    if items.isEmpty, changed.count == 1, changed[0].item.isEvent {
      items = [changed[0].item]
      changed = []
    }
    // An event rings by its alarms alone.
    items.removeAll { $0.isEvent && !$0.shouldRemind && !$0.isChecked }
    guard let item = items.first else {
      self =
        changed.allSatisfy(\.item.isEvent)
        ? .other : .faulty("it changes an occurrence of a repeating to-do that is not in it")
      return
    }
    guard items.count == 1 else {
      self = .faulty("it holds \(items.count) \(item.isEvent ? "events" : "to-dos"): the format wants a file for each")
      return
    }
    guard item.uuid != nil else {
      self = .faulty("its \(item.isEvent ? "event" : "to-do") has no UID")
      return
    }
    if item.rule != nil { notes.removeAll { $0 == "RDATE" } }
    if changed.contains(where: { !$0.item.isChecked && ($0.item.text, $0.item.notes) != (item.text, item.notes) }) {
      notes.append("the text of a changed occurrence")
    }
    let note = notes.isEmpty ? nil : "not followed: \(notes.uniqued().joined(separator: ", "))"
    self = .todo(item, changed: changed, note: note)
  }

  /// True if a file holds an event.
  static func isEvent(_ bytes: [UInt8]) -> Bool { ContentLines(bytes).todo == nil }

  // The words of the reader for components that are not to-dos.
  private static let others: Set = ["VEVENT", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY", "VPOLL"]
}
