import BelfryEngine
import BelfryModel
import FoundationEssentials
import Interchange

/// A calendar file as Belfry reads it.
enum TodoFile {
  /// No item: a journal entry, or an event that does not ring here.
  case other
  /// A to-do, or an event.
  case todo(FileContent)
  /// A file that cannot be used, for this reason.
  case faulty(String)

  /// Reads a file.
  ///
  /// - Parameter readsEvents: whether events with alarms are items.
  init(_ bytes: [UInt8], planner: Planner, now: Date, readsEvents: Bool) {
    let context = ImportContext(
      defaultListName: "", planner: planner, now: now, readsEvents: readsEvents, keepsRepeatsWhole: true)
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
    // An event rings only by its alarms.
    items.removeAll { $0.isEvent && !$0.shouldRemind && !$0.isChecked }
    guard items.count <= 1 else {
      self = .faulty(
        "it holds \(items.count) \(items[0].isEvent ? "events" : "to-dos"): the format wants a file for each")
      return
    }
    guard let content = FileContent(items.first, changed, notes: notes) else {
      self =
        changed.allSatisfy(\.item.isEvent)
        ? .other : .faulty("it changes an occurrence of a repeating to-do that is not in it")
      return
    }
    guard content.item.uuid != nil else {
      self = .faulty("its \(content.item.isEvent ? "event" : "to-do") has no UID")
      return
    }
    self = .todo(content)
  }

  /// True if a file holds an event.
  static func isEvent(_ bytes: [UInt8]) -> Bool { ContentLines(bytes).todo == nil }

  // The words of the reader for components that are not to-dos.
  private static let others: Set = ["VEVENT", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY", "VPOLL"]
}
