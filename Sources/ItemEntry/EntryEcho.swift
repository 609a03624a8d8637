import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import NaturalDates

/// The effect of an entry in words, shown before it is saved.
package struct EntryEcho: Sendable {
  /// The most rings that it shows.
  package static let mostRings = 5

  /// The due date, in full: `Fri 27 Nov 2026 17:00 CET, in 6 days`; `nil` for none.
  package var due: String?
  /// The next rings, in full.
  package var rings: [String] = []
  /// The repeat in words; `nil` for none.
  package var repeats: String?
  /// The list, the tags and the priority that a line names: `to Groceries`, `@shop`, `high priority`.
  package var marks: [String] = []
  /// Warnings: a time that the clocks skip, a past date, a due date that does not ring.
  package var remarks: [String] = []
  /// The errors of the entry. With an error, there is no due date, ring or repeat.
  package var faults: [(field: ItemField, error: BelfryError)] = []
}

extension EntryReader {
  /// The effect of an entry on an item, or on a new item if `item` is `nil`.
  ///
  /// - Throws: the errors of the store.
  package func echo(_ entry: ItemEntry, of item: ItemListing? = nil) throws -> EntryEcho {
    do {
      let old = item ?? ItemListing.blank(on: "")
      return try echo(of: reading.planner.applying(edit(entry, of: item), to: old.item))
    } catch let error as ItemEntryFaults {
      return EntryEcho(faults: error.faults)
    } catch let error as BelfryError where error.kind != .storeFailed {
      return EntryEcho(faults: [(error.field ?? .text, error)])
    }
  }

  /// The effect of a line, with the list, tags and priority that it names, and the parts that look like marks but stay
  /// in the text.
  ///
  /// - Throws: the errors of the store.
  package func echo(_ line: EntryLine) throws -> EntryEcho {
    var echo = try echo(line.entry)
    if let list = line.list { echo.marks.append("to \(list)") }
    echo.marks += line.tags.names.map { "@\($0)" }
    if let priority = line.priority { echo.marks.append("\(priority.rawValue) priority") }
    echo.remarks += line.remarks
    return echo
  }

  private func echo(of item: Item) throws -> EntryEcho {
    guard let due = item.due else { return EntryEcho() }
    let moment = Moment(zone: reading.displayZone(item.zone), now: reading.now)
    let rings = try reading.planner.rings(of: item, after: reading.now, limit: EntryEcho.mostRings)
    var echo = EntryEcho(
      due: due.instant.date > reading.now
        ? moment.full(due.instant.date) : "\(moment.zone.readable(due.instant.date)), already past",
      rings: rings.map { moment.full($0.date) }, repeats: item.recurrence?.rule.words)
    if case .gap(let minutes) = moment.zone.instant(of: due.local).resolution {
      echo.remarks.append("the clocks skip \(due.local.time) that day: it counts as \(minutes) minutes later")
    }
    echo.remarks += reading.planner.repeatRemarks(of: item, moment)
    if !item.shouldRemind { echo.remarks.append("it does not ring: its reminder is off") }
    return echo
  }
}

extension ItemListing {
  /// An item on a list of a store without data, for a form.
  package static func blank(on list: String) -> ItemListing {
    var content = ItemContent.blank
    content.shouldRemind = true
    let item = Item(id: 0, uuid: UUID(), listID: 0, position: 0, content: content, createdAt: .distantPast)
    return ItemListing(item: item, listName: list, nextFireDate: nil)
  }
}
