import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// Writes lists as an iCalendar stream (RFC 5545, section 3.4): a VCALENDAR for each list, a VTODO for each item.
///
/// A VTIMEZONE precedes the first to-do of its list that needs it.
struct CalendarWriter: ExportWriter {
  private let context: ExportContext
  private let snoozes: [ReminderOwner: Reminder]
  /// The lists whose VCALENDAR is not written yet, in order.
  private var waiting: ArraySlice<Checklist> = []
  private var openList: Int64?
  private var hasBegun = false
  private var zoneNames: Set<String> = []
  private var zoneLines: [String: [UInt8]] = [:]

  /// A writer.
  ///
  /// - Parameter snoozes: the scheduled snoozes.
  init(context: ExportContext, snoozes: [Reminder] = []) {
    self.context = context
    self.snoozes = snoozes.byOwner
  }

  /// Appends nothing, since each list has its own calendar.
  mutating func start(into output: inout [UInt8]) {}

  /// Remembers a list, which is written before its first item.
  mutating func write(_ list: Checklist, into output: inout [UInt8]) { waiting.append(list) }

  /// Appends an item, after the start of its list's calendar if it is the first one.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a text with control characters, which iCalendar cannot hold.
  mutating func write(_ listing: ItemListing, into output: inout [UInt8]) throws {
    let item = listing.item
    if openList != item.listID {
      try begin(listing, into: &output)
    }
    let todo: TodoWriter
    do {
      todo = try TodoWriter(item, snooze: snoozes[.item(item.id)], context: context)
    } catch {
      throw Self.error(error, about: "item \(item.id)")
    }
    for name in todo.zoneNames where zoneNames.insert(name).inserted { output += zone(name) }
    output += todo.lines.bytes
  }

  /// Appends the end of the last calendar and the calendars of lists without items; an empty calendar without lists.
  mutating func finish(into output: inout [UInt8]) throws {
    if !hasBegun, waiting.isEmpty { output += Self.firstLines.bytes + Array("END:VCALENDAR\r\n".utf8) }
    end(into: &output)
    while let list = waiting.popFirst() { try writeEmpty(list, into: &output) }
  }

  private mutating func begin(_ listing: ItemListing, into output: inout [UInt8]) throws {
    end(into: &output)
    if waiting.contains(where: { $0.id == listing.item.listID }) {
      while let list = waiting.popFirst() {
        guard list.id != listing.item.listID else {
          output += try heading(list)
          break
        }
        try writeEmpty(list, into: &output)
      }
    } else {
      var lines = Self.firstLines
      do { try lines.append("NAME", text: listing.listName) } catch { throw Self.error(error, about: "a list's name") }
      output += lines.bytes
    }
    openList = listing.item.listID
    hasBegun = true
    zoneNames = []
  }

  private mutating func end(into output: inout [UInt8]) {
    guard openList != nil else { return }
    output += "END:VCALENDAR\r\n".utf8
    openList = nil
  }

  private func writeEmpty(_ list: Checklist, into output: inout [UInt8]) throws {
    output += try heading(list)
    output += "END:VCALENDAR\r\n".utf8
  }

  static var firstLines: CalendarLines {
    var lines = CalendarLines()
    lines.append("BEGIN:VCALENDAR")
    lines.append("VERSION:2.0")
    lines.append("PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN")
    return lines
  }

  private func heading(_ list: Checklist) throws -> [UInt8] {
    var lines = Self.firstLines
    do {
      lines.append("UID:\(list.uuid.text)")
      lines.append("CREATED:\(list.createdAt.utcValue)")
      lines.append("LAST-MODIFIED:\(list.updatedAt.utcValue)")
      try lines.append("NAME", text: list.name)
      try lines.append("X-WR-CALNAME", text: list.name)
      guard let reminder = list.reminder else { return lines.bytes }
      lines.append(DueText(zone: reminder.zone, isDate: false).line(BelfryProperty.listDue, reminder.due.local))
      if let recurrence = reminder.recurrence {
        lines.append(DueText.anchored(BelfryProperty.listRepeat, recurrence.start, recurrence.rule.description))
      }
      if let snooze = snoozes[.list(list.id)] {
        lines.append("\(BelfryProperty.listSnooze):\(snooze.fireDate.date.utcValue)")
      }
      if let message = reminder.message { try lines.append(BelfryProperty.listMessage, text: message) }
      if let category = reminder.category { try lines.append(BelfryProperty.listCategory, text: category) }
      return lines.bytes
    } catch {
      throw Self.error(error, about: "list \(inQuotes(list.name))")
    }
  }

  private mutating func zone(_ name: String) -> [UInt8] {
    if let known = zoneLines[name] { return known }
    var lines = CalendarLines()
    if let zone = try? context.planner.zone(.fixed(name)), zone.identifier == name {
      for line in ZoneComponent.lines(zone) { lines.append(line) }
    }
    zoneLines[name] = lines.bytes
    return lines.bytes
  }

  private static func error(_ error: UnholdableText, about what: String) -> BelfryError {
    BelfryError(
      .badInput, "\(what): \(inQuotes(error.text)) holds the control character \(error.character)",
      hint: "iCalendar cannot hold it: remove it, or export as json")
  }
}
