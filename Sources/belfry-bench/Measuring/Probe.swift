import BelfryCore
import Foundation
import SQLiteStore

/// What the C programs do, done with Belfry's modules in a process of their own: `belfry-bench probe …`.
enum Probe {
  /// The word that makes the benchmark a probe.
  static let word = "probe"

  /// Runs `insert FILE COUNT` or `due FILE LIMIT TIMES`, and prints the same number as the C program.
  static func run(_ arguments: [String]) throws {
    guard arguments.count > 2, let count = Int(arguments[2]) else { throw BenchmarkError.usage("probe takes numbers") }
    let store = SQLiteStore(path: arguments[1])
    switch arguments[0] {
    case "insert": print(try insert(count, into: store))
    case "due": print(try due(count, times: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1, in: store))
    default: throw BenchmarkError.usage("there is no probe '\(arguments[0])'")
    }
  }

  // One use case after another, each on disk before the next begins: the seconds that they took.
  private static func insert(_ count: Int, into store: SQLiteStore) throws -> Double {
    let belfry = BelfryCore.Belfry(
      store: store, settings: Settings(), time: SystemTimeSource(),
      zones: ZoneDatabase(environment: ProcessInfo.processInfo.environment))
    guard let first = WallTime(parsing: "2038-01-01T00:00") else {
      throw BenchmarkError("no such time")
    }
    let list = ListChoice("Inbox", createsMissing: true)
    let start = Clock.monotonic
    for index in 0..<count {
      let due = WallTime(minutesSinceEpoch: first.minutesSinceEpoch + index)
      _ = try belfry.add([ItemDraft(text: "Item \(index)", due: due, shouldRemind: true)], to: list)
    }
    return (Clock.monotonic - start) / 1e3
  }

  // The median of the milliseconds that reading what is due takes.
  private static func due(_ limit: Int, times: Int, in store: SQLiteStore) throws -> Double {
    let end = Date(timeIntervalSince1970: 253_402_300_799)
    let samples = try (0..<times).map { _ in
      let start = Clock.monotonic
      let found = try store.read { try $0.dueReminders(at: end, limit: limit).count }
      guard found == limit else { throw BenchmarkError("\(found) reminders are due where \(limit) should be") }
      return Clock.monotonic - start
    }
    return Summary(samples).median
  }
}
