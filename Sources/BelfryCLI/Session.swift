import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc
import ItemEntry
import Synchronization

/// Keeps stores open until the process ends, which closes them faster than a deinitialiser.
private enum OpenStores {
  static let all = Mutex<[any ItemStore]>([])
}

/// The context of one command: the checked config, Belfry over its store, and the console.
struct Session {
  let assembly: Assembly
  let console: Console
  var belfry: Belfry { assembly.belfry }
  var settings: Settings { assembly.configuration.settings }
  /// The recipients that the names of people and sinks stand for.
  var recipients: RecipientNames { RecipientNames(settings, sinks: assembly.sinks) }
  /// The config's name in messages.
  var configName: String { assembly.configuration.source ?? Configuration.defaultName }

  init(_ options: some SurroundingOptions, printsWarnings: Bool = true) throws {
    let environment = Assembly.environment
    console = Console(color: options.color, environment: environment.variables)
    assembly = try Assembly(.file(options.config), environment: environment, time: SystemTimeSource())
    try ServerStores.handOver(assembly)
    OpenStores.all.withLock { $0.append(belfry.store) }
    if printsWarnings { for warning in assembly.commandWarnings { console.report(warning) } }
  }

  /// A reader of the values of options, for one reading.
  func entry(_ reading: Reading) -> EntryReader {
    EntryReader(reading: reading, settings: settings, zones: belfry.zones, name: { "--\($0.option)" })
  }

  /// The id of the list with this name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name.
  func listID(_ name: String) throws -> Int64 { try belfry.read { try $0.view.knownList(named: name).id } }

  /// Reads one consistent state, at another time if `text` names one, and reports the files that cannot be used.
  ///
  /// - Parameter plansEdits: whether to plan first what other programs have changed in the store's files.
  func read<Result>(
    now text: String? = nil, plansEdits: Bool, _ body: (Reading) throws -> Result
  ) throws -> Result {
    func pass(_ reading: Reading) throws -> Result {
      let now = try text.map { try entry(reading).instant($0, called: "--now") } ?? reading.now
      let result = try body(Reading(view: reading.view, planner: reading.planner, now: now))
      if let fault = try fileFault(reading.view) { console.warn(fault) }
      return result
    }
    guard plansEdits else { return try belfry.read(pass) }
    return try belfry.readPlanned(
      unplanned: { console.warn("what another program has changed is not scheduled yet: \($0.message)") }, pass)
  }

  /// Reads as ``read(now:plansEdits:_:)``, without the records that cannot be read, and reports each of them.
  ///
  /// - Throws: as `body`; then ``BelfryError`` `.storeFailed` if records were left out.
  func readPastFaults(
    now text: String? = nil, plansEdits: Bool, _ body: (Reading) throws -> Void
  ) throws {
    var faults: Set<String> = []
    try read(now: text, plansEdits: plansEdits) { reading in
      try reading.view.readingPastFaults({ fault in
        if faults.insert(fault.message).inserted { console.warn("skipped: \(fault.message)") }
      }) { try body(reading) }
    }
    guard !faults.isEmpty else { return }
    throw BelfryError(
      .storeFailed, "skipped \(counted(faults.count, "record")) of \(belfry.store.location) that cannot be read",
      hint: "'belfry store check' tells more; the last good copy may still have them")
  }

  /// One line about the files of the store that cannot be used; `nil` if all can be used.
  private func fileFault(_ view: any StoreView) throws -> String? {
    let faults = try view.editFaults()
    guard let first = faults.first else { return nil }
    return faults.count == 1
      ? first
      : "\(first); and \(faults.count - 1) more: 'belfry store check' names \(faults.count == 2 ? "both" : "all")"
  }

  /// Asks before a destructive change.
  ///
  /// - Throws: ``Declined``; ``BelfryError`` `.usage` without a terminal and `--force`.
  func confirm(_ question: String, isForced: Bool) throws {
    if isForced { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw BelfryError(
        .usage, "\(question) Nothing was changed.", hint: "there is no terminal to confirm on: add --force")
    }
    StandardError.put("\(question) [y/N] ".visibleLines)
    guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else { throw Declined() }
  }
}

extension Reading {
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
