import Foundation

/// Stores on a database server whose reminders are all due at one minute, in lists that go to sinks of their own, and
/// the daemons that share them.
struct SharedStores {
  /// The sinks, and the attempts that each has under way at once.
  static let (sinks, slots) = (4, 4)
  // The seconds in which the daemons start and share the sinks before anything is due.
  private static let preparation = 12.0
  /// The minute at which all reminders of ``fresh(_:hook:as:)`` are due, in seconds since 1970.
  static let due = SampleItems.addedInstant

  let bench: BenchRun
  let server: DatabaseServer

  /// A copy of a store with this many reminders, for webhooks at a URL.
  ///
  /// - Returns: the folder of its config.
  func fresh(_ count: Int, hook: String, as name: String) throws -> String {
    let original = "due_\(count)"
    let folder = try bench.scratch.folder("shared-\(name)")
    if try server.run("SELECT 1 FROM pg_database WHERE datname = '\(original)'").isEmpty {
      try server.run("CREATE DATABASE \(original)")
      try configure(folder, database: original, hook: hook)
      for list in 0..<Self.sinks {
        let texts = (1...count / Self.sinks).map { "Item \($0)" }
        try bench.belfry.add(texts, due: Self.due, to: "List \(list)", in: folder)
      }
    }
    try server.copy(original, as: name)
    try configure(folder, database: name, hook: hook)
    return folder
  }

  /// The reminders posted and recorded in a second by daemons, from the minute at which all are due.
  func rate(_ count: Int, daemons: Int, hook: String) throws -> Double {
    let name = "shared"
    let folder = try fresh(count, hook: hook, as: name)
    let start = Clock.wall + Self.preparation
    let running = try (1...daemons).map { number in
      try daemon(in: folder, ahead: Double(Self.due) - start, log: "\(folder)/log-\(number)")
    }
    defer { running.forEach { $0.stop() } }
    try waitUntil("\(daemons) daemons share the sinks", by: start - 0.5) {
      let shares = try server.run("SELECT count(*) FROM belfry.sink_lease GROUP BY member", in: name)
      return shares.split(separator: "\n").map { Int($0) } == Array(repeating: Self.sinks / daemons, count: daemons)
    }
    try waitUntil("\(count) reminders are recorded", by: start + 600) {
      try recorded(in: name) == count
    }
    let end = try server.number(
      "SELECT extract(epoch FROM max(pg_xact_commit_timestamp(xmin))) FROM belfry.delivery", in: name)
    try expectAttempts(count, in: name)
    return Double(count) / (end - start)
  }

  /// The same by the C program.
  func rateOfLimit(_ count: Int, hook: String, headers: String, body: String) throws -> Double {
    _ = try fresh(count, hook: hook, as: "limited")
    let seconds = try LimitPrograms.number(
      bench.limits.command(
        ["share", server.url("limited"), hook, headers, body, "\(Self.sinks)", "\(Self.slots)", "\(Self.due)"]))
    let recorded = try recorded(in: "limited")
    guard recorded == count else { throw BenchmarkError("of \(count) reminders \(recorded) were recorded") }
    try expectAttempts(count, in: "limited")
    return Double(count) / seconds
  }

  /// A daemon whose clock is ahead.
  func daemon(in folder: String, ahead seconds: Double, log: String) throws -> RunningProcess {
    var command = bench.belfry.daemon(in: folder)
    command.environment.merge(try ShiftedClock.variables(ahead: seconds)) { $1 }
    return try RunningProcess(command, log: log, scratch: bench.scratch)
  }

  /// Writes the config of a database, with webhooks at a URL, or with other lines.
  func configure(_ folder: String, database: String, hook: String) throws {
    let sinks = (0..<Self.sinks).map {
      "  hook\($0): { type: webhook, url: \"\(hook)\", concurrency: \(Self.slots) }\n"
    }
    let routes = (0..<Self.sinks).map { "  - { lists: [List \($0)], sinks: [hook\($0)] }\n" }
    try configure(folder, database: database, "sinks:\n\(sinks.joined())routes:\n\(routes.joined())")
  }

  func configure(_ folder: String, database: String, _ more: String) throws {
    try """
    time_zone: UTC
    store: { type: postgres, url: "\(server.url(database))" }
    \(Belfry.patient)\(more)
    """.write(toFile: "\(folder)/belfry.yaml", atomically: false, encoding: .utf8)
  }

  /// Waits until something holds.
  ///
  /// - Throws: ``BenchmarkError`` where it does not in time.
  func waitUntil(_ what: String, by end: Double, _ holds: () throws -> Bool) throws {
    while try !holds() {
      guard Clock.wall < end else { throw BenchmarkError("it took too long until \(what)") }
      Clock.sleep(milliseconds: 100)
    }
  }

  private func recorded(in database: String) throws -> Int {
    try Int(server.number("SELECT count(*) FROM belfry.delivery WHERE state = 1 AND attempts = 1", in: database))
  }

  // One of each reminder, and the answer of the server in it.
  private func expectAttempts(_ count: Int, in database: String) throws {
    let attempts = try server.number(
      "SELECT count(DISTINCT delivery_id) FROM belfry.attempt WHERE outcome = 0 AND words = 'HTTP 204'", in: database)
    guard attempts == Double(count) else {
      throw BenchmarkError("of \(count) reminders \(attempts) have an attempt that delivered")
    }
  }
}
