import BelfryCore
import BelfryPlugins
import FoundationEssentials
import Glibc
import RecurrenceRules
import Synchronization

/// What the command reads and writes: the process's end closes it as well as anything, and sooner.
private enum OpenStores {
  static let all = Mutex<[any ItemStore]>([])
}

/// One command's surroundings: the checked config, Belfry over its store, and the console.
struct Session {
  let assembly: Assembly
  let console: Console

  var belfry: Belfry { assembly.belfry }
  var settings: Settings { assembly.configuration.settings }
  /// What a message calls the config.
  var configName: String { assembly.configuration.source ?? Configuration.defaultName }

  init(_ options: some SurroundingOptions, tellsWarnings: Bool = true) throws {
    console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
    assembly = try Assembly(.file(options.config), time: SystemTimeSource())
    OpenStores.all.withLock { $0.append(belfry.store) }
    if tellsWarnings { for warning in assembly.warnings { console.tell(warning) } }
  }

  /// The instant that a WHEN means, on the clock of an item's zone.
  ///
  /// - Throws: ``BelfryError`` `.usage`, saying what was understood.
  func when(_ text: String, option: String, in zone: ItemZone = .floating) throws -> When {
    try belfry.read { reading in
      let parser = WhenParser(
        now: reading.now, zone: try reading.planner.zone(zone), defaultTime: settings.defaultTime)
      do throws(WhenError) {
        return try parser.parse(text)
      } catch {
        throw BelfryError(.usage, "\(option): \(error.message)")
      }
    }
  }

  /// A duration as the user wrote it.
  ///
  /// - Throws: ``BelfryError`` `.usage`.
  func duration(_ text: String, option: String) throws -> CalendarDuration {
    do throws(WhenError) {
      return try CalendarDuration(parsing: text)
    } catch {
      throw BelfryError(.usage, "\(option): \(error.message)")
    }
  }

  /// A repeat rule as the user wrote it, in words or as an RRULE.
  ///
  /// - Throws: ``BelfryError`` `.usage`, saying what was understood.
  func rule(_ text: String) throws -> RecurrenceRule {
    do throws(RecurrenceRuleError) {
      return try RecurrenceRule(textOrWords: text)
    } catch {
      throw BelfryError(
        .usage, "--repeat '\(text)': \(error)", hint: "for example daily, 'every 2 weeks', or FREQ=MONTHLY;BYMONTHDAY=1"
      )
    }
  }

  /// Reads one consistent state as if it were another time.
  func read<Result>(now text: String?, _ body: (Reading) throws -> Result) throws -> Result {
    guard let text else { return try belfry.read(body) }
    return try belfry.read { reading in
      try body(Reading(view: reading.view, planner: reading.planner, now: instant(text, option: "--now", reading)))
    }
  }

  /// The instant of a WHEN on the clock of floating items, from the reading's own now.
  func instant(_ text: String, option: String, _ reading: Reading) throws -> Date {
    let parser = WhenParser(now: reading.now, zone: reading.planner.floatingZone, defaultTime: settings.defaultTime)
    do throws(WhenError) {
      guard let instant = try parser.parseInstant(text) else {
        throw WhenError(message: "'none' makes no sense here")
      }
      return instant.date
    } catch {
      throw BelfryError(.usage, "\(option): \(error.message)")
    }
  }

  /// A wall-clock time where `none` makes no sense.
  func wallTime(_ text: String, option: String, in zone: ItemZone = .floating) throws -> WallTime {
    guard case .at(let time) = try when(text, option: option, in: zone) else {
      throw BelfryError(.usage, "\(option): 'none' makes no sense here", hint: "name a day or a time")
    }
    return time
  }

  /// A zone as the user wrote it, in its right spelling.
  ///
  /// - Throws: ``BelfryError`` `.usage` with the nearest names.
  func zone(_ text: String?) throws -> ItemZone? {
    guard let text else { return nil }
    guard case .fixed(let identifier) = ItemZone(text) else { return .floating }
    do {
      return .fixed(try belfry.zones.zone(identifier).identifier)
    } catch {
      let unknown = BelfryError(error)
      throw BelfryError(.usage, "--time-zone: \(unknown.message)", hint: unknown.hint)
    }
  }

  /// A category that the config has.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name.
  func category(_ identifier: String?) throws -> String? {
    guard let identifier, !identifier.isEmpty else { return identifier }
    let known = settings.categories.map(\.identifier)
    guard known.contains(identifier) else {
      let hint =
        Suggestion.nearest(to: identifier, among: known).map { "did you mean '\($0)'?" }
        ?? "categories are declared in the config"
      throw BelfryError(.notFound, "there is no category '\(identifier)'", hint: hint)
    }
    return identifier
  }

  /// The list that `-l` names, or the default list, which is made without asking.
  func listChoice(_ name: String?, createsMissing: Bool = false) -> ListChoice {
    guard let name else { return ListChoice(settings.defaultList, createsMissing: true) }
    let isDefault = Checklist.nameKey(name) == Checklist.nameKey(settings.defaultList)
    return ListChoice(name, createsMissing: createsMissing || isDefault)
  }

  /// The enabled sinks that a reminder of this list and category goes to.
  func sinks(list: String, category: String?) -> [String] {
    settings.routes.sinks(forList: list, category: category, enabled: assembly.sinks.map(\.name))
  }

  /// Asks before what cannot lightly be mended.
  ///
  /// - Throws: ``BelfryError`` `.usage` away from a terminal without `--force`.
  func confirm(_ question: String, isForced: Bool) throws {
    if isForced { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw BelfryError(.usage, "\(question) Nothing was changed.", hint: "add --force where nobody can answer")
    }
    StandardError.put("\(question) [y/N] ".visibleLines)
    guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else { throw Declined() }
  }
}

/// The user said no.
struct Declined: Error {}
