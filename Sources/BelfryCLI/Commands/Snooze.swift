import ArgumentParser
import BelfryEngine

struct Snooze: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "snooze", abstract: "Ring an item again later.",
    discussion: """
      belfry snooze 3                  in 10 minutes
      belfry snooze 3 --for 2h
      belfry snooze 3 --until 'tomorrow 9am'
      """)

  @Argument(help: ArgumentHelp("The item's number.", valueName: "id"), completion: Completions.unchecked)
  var id: Int64

  @Option(name: .customLong("for"), help: ArgumentHelp("The delay; 10m by default.", valueName: "duration"))
  var duration: String?

  @Option(name: .long, help: ArgumentHelp("The time to ring at.", valueName: "when"))
  var until: String?

  @OptionGroup var options: DataOptions

  func validate() throws {
    if duration != nil && until != nil { throw ValidationError("--for and --until contradict each other.") }
  }

  func run() throws {
    let session = try Session(options)
    let end: SnoozeEnd = try session.belfry.read { reading in
      let entry = session.entry(reading)
      guard let until else { return .after(try entry.duration(duration ?? "10m", called: "--for")) }
      return .at(try entry.wallTime(until, in: reading.item(id).item.zone, called: "--until"))
    }
    try session.finish("Snoozed", [try session.belfry.snooze(id, until: end)], options: options, asObject: true)
  }
}
