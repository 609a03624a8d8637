import BelfryEngine
import BelfryModel
import BelfryPlugins
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc
import NaturalDates
import RecurrenceRules
import Synchronization

/// Keeps stores open until the process ends, which closes them faster than a deinitialiser.
private enum OpenStores {
  static let all = Mutex<[any ItemStore]>([])
}

/// The context of one command: the checked config, Belfry over its store, and the console.
struct Session {
  let assembly: Assembly
  let console: Console
  /// The recipients that the names of people and sinks stand for.
  let recipients: RecipientNames

  var belfry: Belfry { assembly.belfry }
  var settings: Settings { assembly.configuration.settings }
  /// The config's name in messages.
  var configName: String { assembly.configuration.source ?? Configuration.defaultName }

  init(_ options: some SurroundingOptions, printsWarnings: Bool = true) throws {
    console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
    assembly = try Assembly(.file(options.config), time: SystemTimeSource())
    recipients = RecipientNames(assembly.configuration.settings, sinks: assembly.sinks)
    OpenStores.all.withLock { $0.append(belfry.store) }
    if printsWarnings { for warning in assembly.warnings { console.report(warning) } }
  }

  /// The time of a WHEN on the clock of an item's zone.
  ///
  /// - Throws: ``BelfryError`` `.usage` with the part that was understood.
  func when(_ text: String, option: String, in zone: ItemZone = .floating) throws -> When {
    try belfry.read { reading in
      let parser = WhenParser(
        now: reading.now, zone: try reading.planner.zone(zone), defaultTime: settings.defaultTime)
      return try usage(option) { () throws(WhenError) in try parser.parse(text) }
    }
  }

  /// Parses a duration.
  ///
  /// - Throws: ``BelfryError`` `.usage`.
  func duration(_ text: String, option: String, allowsZero: Bool = false) throws -> CalendarDuration {
    try usage(option) { () throws(WhenError) in try CalendarDuration(parsing: text, allowsZero: allowsZero) }
  }

  private func usage<Value>(_ option: String, _ parse: () throws(WhenError) -> Value) throws -> Value {
    do { return try parse() } catch { throw BelfryError(.usage, "\(option): \(error.message)") }
  }

  /// Parses a repeat rule in words or as an RRULE.
  ///
  /// - Throws: ``BelfryError`` `.usage` with the part that was understood.
  func rule(_ text: String) throws -> RecurrenceRule {
    do throws(RecurrenceRuleError) {
      return try RecurrenceRule(textOrWords: text)
    } catch {
      throw BelfryError(
        .usage, "--repeat '\(text)': \(error)", hint: "for example daily, 'every 2 weeks', or FREQ=MONTHLY;BYMONTHDAY=1"
      )
    }
  }

  /// Reads one consistent state, at another time if `text` gives one.
  func read<Result>(now text: String?, _ body: (Reading) throws -> Result) throws -> Result {
    guard let text else { return try belfry.read(body) }
    return try belfry.read { reading in
      try body(Reading(view: reading.view, planner: reading.planner, now: instant(text, option: "--now", reading)))
    }
  }

  /// Reads as ``read(now:_:)`` what can be read, and tells of each record that cannot.
  ///
  /// - Throws: as `body`; ``BelfryError`` `.storeFailed` behind it where records were left out.
  func readPastFaults(now text: String? = nil, _ body: (Reading) throws -> Void) throws {
    var faults: Set<String> = []
    try read(now: text) { reading in
      try reading.view.readingPastFaults({ fault in
        if faults.insert(fault.message).inserted { console.warn("left out: \(fault.message)") }
      }) { try body(reading) }
    }
    guard !faults.isEmpty else { return }
    throw BelfryError(
      .storeFailed, "\(faults.count) record(s) of \(belfry.store.location) cannot be read and were left out",
      hint: "'belfry store check' tells more; the last good copy may still have them")
  }

  /// The instant of a WHEN on the clock of floating items, relative to the reading's now.
  func instant(_ text: String, option: String, _ reading: Reading) throws -> Date {
    let parser = WhenParser(now: reading.now, zone: reading.planner.floatingZone, defaultTime: settings.defaultTime)
    return try usage(option) { () throws(WhenError) in
      guard let instant = try parser.parseInstant(text) else { throw WhenError(message: "'none' is not allowed here") }
      return instant.date
    }
  }

  /// The time of a WHEN other than `none`.
  func wallTime(_ text: String, option: String, in zone: ItemZone = .floating) throws -> WallTime {
    guard case .at(let time) = try when(text, option: option, in: zone) else {
      throw BelfryError(.usage, "\(option): 'none' is not allowed here", hint: "name a day or a time")
    }
    return time
  }

  /// Parses a zone and corrects its spelling.
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

  /// Checks that the config has a category.
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

  /// The list named by `-l`, or the default list, which is created without asking.
  func listChoice(_ name: String?, createsMissing: Bool = false) -> ListChoice {
    guard let name else { return ListChoice(settings.defaultList, createsMissing: true) }
    let isDefault = Checklist.nameKey(name) == Checklist.nameKey(settings.defaultList)
    return ListChoice(name, createsMissing: createsMissing || isDefault)
  }

  /// Asks before a destructive change.
  ///
  /// - Throws: ``Declined``; ``BelfryError`` `.usage` without a terminal and `--force`.
  func confirm(_ question: String, isForced: Bool) throws {
    if isForced { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw BelfryError(.usage, "\(question) Nothing was changed.", hint: "add --force without a terminal")
    }
    StandardError.put("\(question) [y/N] ".visibleLines)
    guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else { throw Declined() }
  }
}

extension Reading {
  /// The list with this name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name.
  func list(named name: String) throws -> Checklist {
    guard let list = try view.list(named: name) else {
      throw BelfryError.noList(name, known: try view.lists().map(\.name))
    }
    return list
  }

  /// The item with this number.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  func item(_ id: Int64) throws -> ItemListing {
    guard let listing = try view.item(id: id) else { throw BelfryError.noItem(id) }
    return listing
  }
}

/// The error of a confirmation that the user declined.
struct Declined: Error {}
