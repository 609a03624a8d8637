import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import OrderedJSON

/// `belfry pending`.
struct Pending: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pending", abstract: "Show scheduled reminders, soonest first.",
    discussion: """
      belfry pending -n 5
      belfry pending --json        with each reminder's id, for 'belfry act'
      """)

  @Option(name: .short, help: ArgumentHelp("The maximum number of reminders.", valueName: "n"))
  var number: Int?

  @OptionGroup var options: DataOptions

  func validate() throws { try validate(limit: number) }

  func run() throws {
    let session = try Session(options)
    try session.readPastFaults { reading in
      var reminders: [PendingReminder] = []
      try reading.view.visitPending(limit: number) { reminders.append($0) }
      if options.json {
        try session.console.print(
          .array(reminders.map { reading.json($0, sinks: session.sinks(of: $0, reading)) }))
      } else if reminders.isEmpty {
        session.console.report("No reminder is scheduled. 'belfry add TEXT --due WHEN' schedules one.")
      } else {
        try session.print(reminders, reading)
      }
    }
  }
}

/// A reminder in a table.
protocol ReminderRow {
  var fireDate: FireDate { get }
  var zone: ItemZone { get }
  var owner: ReminderOwner { get }
  var text: String { get }
  var listName: String { get }
  var category: String? { get }
}

extension PreviewedReminder: ReminderRow {}

extension PendingReminder: ReminderRow {
  var fireDate: FireDate { reminder.fireDate }
  var owner: ReminderOwner { reminder.occurrence.owner }
}

extension Session {
  /// Prints a table of reminders with their sinks.
  func print(_ reminders: [some ReminderRow], _ reading: Reading) throws {
    let style = console.style
    var table = Table([
      .init(title: "Rings"), .init(title: "ID", isRightAligned: true), .init(title: "Item", isFlexible: true),
      .init(title: "List", isFlexible: true), .init(title: "Sinks", isFlexible: true),
    ])
    for row in reminders {
      let moment = Moment(zone: reading.displayZone(row.zone), now: reading.now)
      let sinks = sinks(of: row, reading).joined(separator: ", ")
      table.append([
        Table.Cell(moment.short(row.fireDate.date)), Table.Cell(row.owner.label, style.dim), Table.Cell(row.text),
        Table.Cell(row.listName, style.dim), Table.Cell(sinks, style.dim),
      ])
    }
    try console.print(table)
  }
}
