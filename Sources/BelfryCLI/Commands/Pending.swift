import ArgumentParser
import BelfryCore
import OrderedJSON

/// `belfry pending`.
struct Pending: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pending", abstract: "Show scheduled reminders, soonest first.",
    discussion: """
      belfry pending -n 5
      belfry pending --json        with each reminder's identity, for 'belfry act'
      """)

  @Option(name: .short, help: ArgumentHelp("At most this many.", valueName: "n"))
  var number: Int?

  @OptionGroup var options: DataOptions

  func validate() throws {
    if let number, number < 1 { throw ValidationError("-n takes a whole number from 1.") }
  }

  func run() throws {
    let session = try Session(options)
    try session.belfry.read { reading in
      var reminders: [PendingReminder] = []
      try reading.view.visitPending(limit: number) { reminders.append($0) }
      if options.json {
        try session.console.print(
          .array(
            reminders.map { reading.json($0, sinks: session.sinks(list: $0.listName, category: $0.category)) }))
      } else if reminders.isEmpty {
        session.console.report("No reminder is scheduled. 'belfry add TEXT --due WHEN' schedules one.")
      } else {
        try print(reminders, reading, session)
      }
    }
  }

  private func print(_ reminders: [PendingReminder], _ reading: Reading, _ session: Session) throws {
    let style = session.console.style
    var table = Table([
      .init(title: "Rings"), .init(title: "ID", isRightAligned: true), .init(title: "Item", isFlexible: true),
      .init(title: "List", isFlexible: true), .init(title: "Sinks", isFlexible: true),
    ])
    for pending in reminders {
      let moment = Moment(zone: reading.displayZone(pending.zone), now: reading.now)
      let id = if case .item(let id) = pending.reminder.occurrence.owner { "\(id)" } else { "list" }
      table.append([
        Table.Cell(moment.short(pending.reminder.fireDate.date)), Table.Cell(id, style.dim),
        Table.Cell(pending.text), Table.Cell(pending.listName, style.dim),
        Table.Cell(
          session.sinks(list: pending.listName, category: pending.category).joined(separator: ", "), style.dim),
      ])
    }
    try session.console.print(
      table.lines(width: session.console.width, style: style).joined(separator: "\n"))
  }
}
