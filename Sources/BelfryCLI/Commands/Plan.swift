import ArgumentParser
import BelfryEngine
import BelfryModel
import FoundationEssentials
import OrderedJSON

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "plan", abstract: "Show the reminders of the coming year, repeats included.",
    discussion: """
      belfry plan -n 20
      belfry plan --from 'next monday' --until 'end of month'
      """)

  @Option(name: .long, help: ArgumentHelp("The start; now by default.", valueName: "when"))
  var from: String?

  @Option(name: .long, help: ArgumentHelp("The end; a year after the start by default.", valueName: "when"))
  var until: String?

  @Option(
    name: .short,
    help: ArgumentHelp("The maximum number of reminders; 20 by default, 1000 with --json.", valueName: "n"))
  var number: Int?

  @Option(name: .long, help: ArgumentHelp("The time to assume instead of now.", valueName: "when"))
  var now: String?

  @OptionGroup var options: DataOptions

  /// The default number of lines.
  static let usualLines = 20
  /// The most reminders that are counted without a limit. A repeat each minute rings half a million times in a year.
  static let usualLimit = 1_000

  func validate() throws { try validate(limit: number) }

  func run() throws {
    let session = try Session(options)
    try session.readPastFaults(now: now, plansEdits: false) { reading in
      let first = try from.map { try session.entry(reading).instant($0, called: "--from") } ?? reading.now
      let last =
        try until.map { try session.entry(reading).instant($0, called: "--until") }
        ?? first.addingTimeInterval(366 * 86_400)
      guard first <= last else {
        throw BelfryError(.usage, from == nil ? "--until is already past" : "--until is before --from")
      }
      let outlook = try reading.preview(from: first, until: last, limit: number ?? Self.usualLimit)
      session.console.report(outlook.setAside)
      var forecast = session.forecast(reading)
      let entries = try forecast.entries(of: outlook.rings)
      if options.json {
        try session.console.print(.array(entries.map { reading.json($0) }))
        if number == nil, outlook.hasMore {
          session.console.report("Only the first \(Self.usualLimit) are shown: -n N shows more, --until WHEN less.")
        }
      } else if entries.isEmpty {
        let time = from == nil && until == nil ? "within a year" : "in that time"
        session.console.report("Nothing will ring \(time).")
      } else {
        let shown = Array(entries.prefix(number ?? Self.usualLines))
        try session.print(shown, reading)
        let rest = entries.count - shown.count
        if rest > 0 {
          session.console.report(
            "and \(outlook.hasMore ? "over " : "")\(rest) more: -n N shows more, --until WHEN less.")
        }
      }
    }
  }
}

extension Console {
  /// Prints the items and lists that cannot be planned.
  func report(_ setAside: [SetAside]) {
    for one in setAside { warn("\(one); \(one.advice)") }
  }
}

extension ReminderOwner {
  /// The item's number, or `list`.
  var label: String {
    if case .item(let id) = self { "\(id)" } else { "list" }
  }
}
