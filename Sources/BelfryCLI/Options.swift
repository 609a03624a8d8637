import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import ItemEntry

extension Recurrence.Origin: ExpressibleByArgument {}

/// The options of every command: the config and when to colour.
protocol SurroundingOptions {
  var config: String? { get }
  var color: Console.ColorChoice { get }
}

/// The options of commands without data.
struct CommonOptions: ParsableArguments, SurroundingOptions {
  @Option(name: .long, help: Surroundings.config, completion: .file())
  var config: String?

  @Option(name: .long, help: Surroundings.color, completion: Surroundings.colors, transform: Surroundings.color(named:))
  var color = Console.ColorChoice.auto
}

/// The options of commands that read or change data.
///
/// Not a group within a group: the parser's reflection makes each level cost a start half a millisecond.
struct DataOptions: ParsableArguments, SurroundingOptions {
  @Option(name: .long, help: Surroundings.config, completion: .file())
  var config: String?

  @Option(name: .long, help: Surroundings.color, completion: Surroundings.colors, transform: Surroundings.color(named:))
  var color = Console.ColorChoice.auto

  @Flag(name: .long, help: "Print JSON.")
  var json = false
}

/// The help and parsing of the options that both have.
private enum Surroundings {
  static let config = ArgumentHelp("The config file.", valueName: "file")
  static let color = ArgumentHelp("Colour: auto, always or never.", valueName: "when")
  static let colors = CompletionKind.list(Console.ColorChoice.allCases.map(\.rawValue))

  static func color(named name: String) throws -> Console.ColorChoice {
    guard let choice = Console.ColorChoice(rawValue: name) else {
      throw ValidationError("it takes auto, always or never")
    }
    return choice
  }
}

extension ParsableCommand {
  /// Checks the number of `-n`, the most entries to show.
  ///
  /// - Throws: a usage error for one below 1.
  func validate(limit: Int?) throws {
    if let limit, limit < 1 { throw ValidationError("-n takes a whole number from 1.") }
  }
}

/// The options for an item's fields that `add` and `edit` share.
struct ItemFields: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("The due date: 18:30, 'fri 17:00', 2026-12-24, …", valueName: "when"))
  var due: String?

  @Flag(name: .long, help: "Do not remind of the due date.")
  var noRemind = false

  @Option(
    name: .long, help: ArgumentHelp("The lead time of a reminder: 10m, 1d; repeatable.", valueName: "duration"))
  var alert: [String] = []

  @Option(name: .long, help: ArgumentHelp("The IANA time zone, or floating for the local one.", valueName: "zone"))
  var timeZone: String?

  @Option(name: .long, help: ArgumentHelp("The notes, included in messages.", valueName: "text"))
  var notes: String?

  @Option(
    name: .long, help: ArgumentHelp("The category: its actions, its escalation.", valueName: "id"),
    completion: Completions.categories)
  var category: String?

  @Option(name: .long, help: ArgumentHelp("The repeat: daily, 'every 2 weeks' or an RRULE.", valueName: "rule"))
  var `repeat`: String?

  @Option(name: .long, help: ArgumentHelp("The start of the next interval: due date or check.", valueName: "due|done"))
  var repeatFrom: Recurrence.Origin?

  @Option(name: .long, help: ArgumentHelp("The interval of rings until it is checked: 15m.", valueName: "duration"))
  var nag: String?

  /// The fields as an edit; a due date turns reminding on.
  ///
  /// - Parameters:
  ///   - item: the item to be edited; `nil` for a new one.
  ///   - line: the fields that a line says.
  func edit(
    _ session: Session, line: ItemEntry = ItemEntry(), of item: (Reading) throws -> ItemListing? = { _ in nil }
  ) throws -> ItemEdit {
    var entry = entry
    entry.values.merge(line.values) { _, said in said }
    guard !entry.values.isEmpty else { return ItemEdit() }
    do {
      var edit = try session.belfry.read { try session.entry($0).edit(entry, of: item($0)) }
      if !noRemind, case .at = edit.due { edit.shouldRemind = true }
      return edit
    } catch let error as ItemEntryFaults {
      throw error.faults.first?.error ?? error
    }
  }

  private var entry: ItemEntry {
    var entry = ItemEntry()
    let texts: [(ItemField, String?)] = [
      (.due, due), (.timeZone, timeZone), (.notes, notes), (.category, category), (.repeat, `repeat`),
      (.repeatFrom, repeatFrom?.rawValue), (.nag, nag),
    ]
    for (field, text) in texts { entry.values[field] = text.map(ItemEntry.Words.text) }
    if !alert.isEmpty { entry.values[.alerts] = .texts(alert) }
    if noRemind { entry.values[.remind] = .flag(false) }
    return entry
  }
}
