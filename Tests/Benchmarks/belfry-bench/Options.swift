import Foundation

/// The options of a run.
struct Options {
  /// The number of measured rounds of every command.
  var rounds = 30
  /// The groups of rows to measure.
  var groups = RowGroup.allCases
  var scale = Scale.full
  /// The folder of the programs.
  var programs: String
  /// The page whose table is replaced.
  var page: String?
  /// The page whose few rows are replaced.
  var readme: String?
  /// The folder for the plots.
  var plots: String?
  /// The file for the raw numbers.
  var json: String?

  /// The answer to `--help`.
  static let usage = """
    usage: belfry-bench [--bin FOLDER] [--rounds N] [--only GROUP[,GROUP]…] [--quick] [--items N]
                        [--page FILE] [--readme FILE] [--plots FOLDER] [--json FILE]

      --bin FOLDER    where the programs are; default: beside belfry-bench
      --rounds N      measured rounds of every command; default 30
      --only GROUPS   some groups of rows: \(RowGroup.allCases.map(\.rawValue).joined(separator: " "))
      --quick         everything in small: 3 rounds, at most 1,000 items
      --page FILE     replace the table between \(MarkedSection.begin) and \(MarkedSection.end)
      --readme FILE   replace the rows that say most, between the same markers
      --plots FOLDER  write how each cost grows with the number of items, as SVG
      --items N       the most items on a database server; default 1000000, and 10000000 takes an hour
      --json FILE     write every single number

    The data lies in a throw-away folder in $TMPDIR, or /var/tmp, which should be on a real disk.
    """

  /// Parses a command line; `nil` if it asks for help.
  ///
  /// - Throws: ``BenchmarkError`` with the usage.
  init?(_ arguments: [String]) throws {
    programs = try Self.ownFolder()
    if arguments.contains("--quick") { (rounds, scale) = (3, .quick) }
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw BenchmarkError.usage("\(option) needs a value") }
      return value
    }
    while let option = rest.popFirst() {
      switch option {
      case "--bin": programs = try value(of: option)
      case "--rounds": rounds = try Self.count(value(of: option), of: option)
      case "--only": groups = try Self.groups(value(of: option))
      case "--quick": break
      case "--page": page = try value(of: option)
      case "--readme": readme = try value(of: option)
      case "--plots": plots = try value(of: option)
      case "--items": scale.shared.items = try Self.count(value(of: option), of: option, atMost: 100_000_000)
      case "--json": json = try value(of: option)
      case "--help", "-h": return nil
      default: throw BenchmarkError.usage("'\(option)' is not known")
      }
    }
  }

  private static func ownFolder() throws -> String {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: program).deletingLastPathComponent().path
  }

  private static func count(_ text: String, of option: String, atMost most: Int = 10_000) throws -> Int {
    guard let number = Int(text), 1...most ~= number else {
      throw BenchmarkError.usage("\(option) takes a whole number from 1 to \(most), not '\(text)'")
    }
    return number
  }

  private static func groups(_ text: String) throws -> [RowGroup] {
    try text.split(separator: ",").map { word in
      guard let group = RowGroup(rawValue: String(word)) else {
        throw BenchmarkError.usage("there is no group '\(word)'")
      }
      return group
    }
  }
}

/// The sizes of the measurements.
struct Scale {
  /// The numbers of items for commands; the first and the last but one have a row in the table.
  var sizes: [Int]
  /// The number of items for databases only.
  var huge: Int
  /// The numbers of items for stores in one file.
  var fileSizes: [Int]
  /// The number of imported items, and of items added one by one.
  var imported: Int
  var inserted: Int
  /// The number of daemons that fire once each, on clocks of their own.
  var rings: Int
  /// The numbers of items that fire at once, one number in each minute.
  var crowds: [Int]
  /// The number of reminders posted, mailed and answered.
  var deliveries: Int
  /// The number of reminders posted in the comparison with Alertmanager.
  var alerts: Int
  /// The number of notifications for the slowest peers.
  var slowDeliveries: Int
  /// The number of deliveries that are pending when a daemon starts.
  var pending: Int
  /// The number of browsers that a reminder is pushed to.
  var browsers: Int
  /// The number of answers pressed one after another beside a daemon that rings.
  var presses: Int
  /// The number of buttons pressed on each channel that needs no open port.
  var buttons: Int
  /// The number of pages asked for, and of changes made, in each round over HTTP.
  var pages: Int
  var changes: Int
  /// The number of streams of changes.
  var streams: Int
  /// The number of deliveries of a timeline.
  var timeline: Int
  /// The number of items of an idle daemon, and the seconds for which it is watched.
  var scheduled: Int
  var watch: Int
  /// The sizes on a database server.
  var shared: SharedScale
  /// The numbers of files in folders of calendars: to-dos, events, and to-dos of a daemon.
  var files: (todos: Int, events: Int, scheduled: Int)

  /// The sizes of `make bench`.
  static let full = Scale(
    sizes: [100, 1_000, 10_000, 100_000], huge: 1_000_000, fileSizes: [100, 1_000, 10_000, 100_000],
    imported: 100_000, inserted: 2_000, rings: 100, crowds: [1_000, 10_000], deliveries: 10_000, alerts: 1_000,
    slowDeliveries: 200, pending: 100_000, browsers: 1_000, presses: 3_000, buttons: 500, pages: 10_000, changes: 4_000,
    streams: 100, timeline: 100_000, scheduled: 10_000, watch: 120,
    shared: SharedScale(deliveries: 10_000, items: 1_000_000, claimed: 1_000, adds: 8_000, rings: 20),
    files: (10_000, 20_000, 100_000))
  /// The sizes of `--quick`.
  static let quick = Scale(
    sizes: [100, 1_000], huge: 2_000, fileSizes: [100, 1_000], imported: 1_000, inserted: 100, rings: 4,
    crowds: [100], deliveries: 200, alerts: 100, slowDeliveries: 5, pending: 1_000, browsers: 50, presses: 100,
    buttons: 100, pages: 200, changes: 100, streams: 20, timeline: 1_000, scheduled: 100, watch: 5,
    shared: SharedScale(deliveries: 200, items: 10_000, claimed: 100, adds: 160, rings: 4),
    files: (200, 300, 1_000))
}

/// The sizes of the measurements on a database server.
struct SharedScale {
  /// The number of reminders that daemons share.
  var deliveries: Int
  /// The most items in a store, which is compared with a tenth of it.
  var items: Int
  /// The number of reminders that are due at once among them.
  var claimed: Int
  /// The number of items added over many connections.
  var adds: Int
  /// The number of daemons that fire once each, on clocks of their own.
  var rings: Int
}
