import BelfryEngine
import CivilTime
import Foundation
import SQLiteStore

/// The work of the C programs, done with Belfry's modules in a process of its own.
enum Probe {
  /// The error of invalid arguments, or of work that was not done.
  struct Failure: Error {
    let message: String
  }

  /// Runs `insert FILE COUNT`, `due FILE LIMIT TIMES` or `delivered FILE`, and returns the number to print.
  ///
  /// - Throws: ``Failure``, and errors of the store.
  static func run(_ words: [String]) throws -> Double {
    let numbers = words.dropFirst(2).compactMap { Int($0) }
    guard let work = words.first, words.count > 1, numbers.count == words.count - 2 else {
      throw Failure(message: "usage: belfry-bench-probe insert FILE COUNT | due FILE LIMIT TIMES | delivered FILE")
    }
    let store = SQLiteStore(path: words[1])
    switch (work, numbers.count) {
    case ("insert", 1): return try insert(numbers[0], into: store)
    case ("due", 2): return try due(numbers[0], times: max(1, numbers[1]), in: store)
    case ("delivered", 0): return try delivered(store)
    default: throw Failure(message: "there is no probe '\(words.joined(separator: " "))'")
    }
  }

  // The seconds for a series of use cases, each on disk before the next begins.
  private static func insert(_ count: Int, into store: SQLiteStore) throws -> Double {
    let belfry = Belfry(
      store: store, settings: Settings(), time: SystemTimeSource(),
      zones: ZoneDatabase(environment: ProcessInfo.processInfo.environment))
    guard let first = WallTime(parsing: "2038-01-01T00:00") else { throw Failure(message: "no such time") }
    let list = ListChoice("Inbox", createsMissing: true)
    let duration = try ContinuousClock().measure {
      for index in 0..<count {
        let due = WallTime(minutesSinceEpoch: first.minutesSinceEpoch + index)
        _ = try belfry.add([ItemDraft(text: "Item \(index)", due: due, shouldRemind: true)], to: list)
      }
    }
    return duration / .seconds(1)
  }

  // The median time of the due query, in milliseconds.
  private static func due(_ limit: Int, times: Int, in store: SQLiteStore) throws -> Double {
    let end = Date(timeIntervalSince1970: 253_402_300_799)
    let samples = try (0..<times).map { _ in
      var found = 0
      let duration = try ContinuousClock().measure {
        found = try store.read { try $0.dueReminders(at: end, limit: limit).count }
      }
      guard found == limit else { throw Failure(message: "\(found) reminders are due where \(limit) should be") }
      return duration / .milliseconds(1)
    }.sorted()
    return (samples[(times - 1) / 2] + samples[times / 2]) / 2
  }

  // The number of reminders recorded as delivered, provided that none has another state.
  private static func delivered(_ store: SQLiteStore) throws -> Double {
    let counts = try store.read { try $0.counts() }
    let delivered = counts.deliveries[.delivered] ?? 0
    guard counts.scheduled == 0, counts.deliveries == [.delivered: delivered] else {
      throw Failure(message: "\(counts.scheduled) are scheduled, the deliveries are \(counts.deliveries)")
    }
    return Double(delivered)
  }
}
