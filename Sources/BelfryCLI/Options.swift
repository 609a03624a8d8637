import ArgumentParser
import BelfryCore

extension Console.ColorChoice: ExpressibleByArgument {}
extension Recurrence.Origin: ExpressibleByArgument {}

/// What every command takes.
struct CommonOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("The config file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Colour: auto, always or never.", valueName: "when"))
  var color = Console.ColorChoice.auto
}

/// What every command that reads or changes data takes.
struct DataOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false
}

/// The fields of an item that `add` and `edit` have in common, as the user wrote them.
struct ItemFields: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("18:30, 'fri 17:00', 'in 2 hours', 2026-12-24, …", valueName: "when"))
  var due: String?

  @Flag(name: .long, help: "Do not ring; with a due date it would.")
  var noRemind = false

  @Option(name: .long, help: ArgumentHelp("Ring this long before: 10m, 1d; may be repeated.", valueName: "duration"))
  var alert: [String] = []

  @Option(name: .long, help: ArgumentHelp("An IANA zone; floating is wherever you are.", valueName: "zone"))
  var timeZone: String?

  @Option(name: .long, help: ArgumentHelp("Further lines, sent along.", valueName: "text"))
  var notes: String?

  @Option(
    name: .long, help: ArgumentHelp("A category of the config, with its actions.", valueName: "id"),
    completion: Completions.categories)
  var category: String?

  @Option(name: .long, help: ArgumentHelp("daily, weekdays, 'every 2 weeks', or an RRULE.", valueName: "rule"))
  var `repeat`: String?

  @Option(name: .long, help: ArgumentHelp("Count the next from the date, or from checking.", valueName: "due|done"))
  var repeatFrom: Recurrence.Origin?

  @Option(name: .long, help: ArgumentHelp("Ring again this often until checked: 15m.", valueName: "duration"))
  var nag: String?

  func alerts() throws -> [CalendarDuration] {
    try alert.map { text in
      do throws(WhenError) {
        return try CalendarDuration(parsing: text, allowsZero: true)
      } catch {
        throw BelfryError(.usage, "--alert: \(error.message)")
      }
    }
  }
}
