import BelfryEngine
import BelfryModel
import CivilTime

extension Session {
  /// The forecast of future reminders.
  func forecast(_ reading: Reading) -> Forecast { Forecast(reading, settings: settings, sinks: assembly.sinks) }

  /// Prints a table of reminders with their sinks, and a note below each reminder of an escalation.
  func print(_ entries: [ForecastEntry<some ComingReminder>], _ reading: Reading) throws {
    let (style, width) = (console.style, console.width)
    var table = Table([
      .init(title: "Rings"), .init(title: "ID", isRightAligned: true), .init(title: "Item", isFlexible: true),
      .init(title: "List", isFlexible: true), .init(title: "Sinks", isFlexible: true),
    ])
    var notes: [String?] = [nil]
    // Rings are in order on one clock, whatever zones their items have.
    let moment = Moment(zone: reading.planner.floatingZone, now: reading.now)
    for entry in entries {
      let reminder = entry.reminder
      table.append([
        Table.Cell(moment.short(reminder.fireDate.date)), Table.Cell(reminder.owner.label, style.dim),
        Table.Cell(reminder.text), Table.Cell(reminder.listName, style.dim),
        Table.Cell(entry.reach.sinks.joined(separator: ", "), style.dim),
      ])
      notes.append(entry.note(reading, moment, indent: 4, width: width, style))
    }
    let lines = zip(table.lines(width: width, style: style), notes).flatMap { [$0, $1].compactMap(\.self) }
    try console.print(lines.joined(separator: "\n"))
  }
}

extension ForecastEntry {
  /// The due date of an alert, its place in an escalation and the steps that follow, as lines below it; `nil` if it has
  /// none of these.
  ///
  /// - Parameter width: the terminal's columns, or `nil` to wrap nothing.
  func note(_ reading: Reading, _ moment: Moment, indent: Int, width: Int?, _ style: Style) -> String? {
    let words = [
      reading.dueWords(reminder, moment), reach.words, moment.words(steps, after: reminder.fireDate.date),
    ].compactMap(\.self)
    guard !words.isEmpty else { return nil }
    let line = String(repeating: " ", count: indent) + words.joined(separator: ", ").visibleLine
    return style.dim(width.map { line.wrappedKeepingIndent(to: $0) } ?? line)
  }
}
