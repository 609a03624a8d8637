import ArgumentParser
import BelfryEngine
import BelfryModel
import OrderedJSON

struct Pending: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "pending", abstract: "Show scheduled reminders, soonest first.",
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
    try session.readPastFaults(plansEdits: true) { reading in
      var reminders: [PendingReminder] = []
      try reading.view.forEachPending(limit: number) { reminders.append($0) }
      var forecast = session.forecast(reading)
      if options.json {
        try session.console.print(.array(reminders.map { reading.json($0, forecast.reach(of: $0)) }))
      } else if reminders.isEmpty {
        session.console.report("No reminder is scheduled. 'belfry add TEXT --due WHEN' schedules one.")
      } else {
        try session.print(
          reminders.map { ForecastEntry(reminder: $0, reach: forecast.reach(of: $0)) }, reading)
      }
    }
  }
}
