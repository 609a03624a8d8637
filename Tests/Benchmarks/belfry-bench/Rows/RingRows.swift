import Foundation

/// The rows of single reminders: many daemons, with clocks ahead by different seconds, fire one after another within a
/// minute.
struct RingRows {
  // The machine itself, in place of a peer.
  private static let sleep = "C `clock_nanosleep`"
  // The seconds between two reminders, and from the first start of a daemon to the first reminder.
  private static let distance = 0.4
  private static let preparation = 20.0

  let bench: BenchRun

  /// Measures one reminder of each daemon.
  func measure() throws -> [Row] {
    let (few, huge) = (try bench.scratch.folder("ring"), bench.scale.huge)
    try bench.belfry.configure(few)
    let many = try bench.copy(bench.folder(bench.belfry, huge), as: "ring-many")
    let span = Double(bench.scale.rings + 1) * Self.distance
    // The minute in which all daemons fire, by their own clocks.
    let minute = Double((Int(Clock.wall + Self.preparation + span) / 60 + 1) * 60)
    for folder in [few, many] { try bench.belfry.add(["\(RingReader.mark)0"], due: Int(minute), in: folder) }

    let daemons = try (0..<bench.scale.rings).map { number in
      try daemon(in: bench.copy(few, as: "ring-\(number)"), ahead: 1 + Double(number) * Self.distance, minute)
    }
    let big = try daemon(in: many, ahead: 0.5, minute)
    // The copied files must be on disk before the daemons sync their records.
    sync()
    let sleeps = (1...20).map { Limits.latenessOfSleep(until: Clock.wall + 0.05 + Double($0) / 1e4) }
    let first = (daemons + [big]).map(\.due).min() ?? 0
    guard Clock.wall < first - 1 else {
      throw BenchmarkError("starting the daemons took until they rang: the machine is too busy to measure on")
    }
    Progress.tell("\(daemons.count) single rings, in \(Int(first - Clock.wall)) seconds …")
    // They are read together at the end: each output waits in its pipe.
    let all = try RingReader.lateness(of: daemons + [big])
    let (lateness, late) = (Array(all.dropLast()), Array(all.suffix(1)))
    for daemon in daemons + [big] { daemon.process.stop() }
    return [row(lateness, sleeps), hugeRow(late)]
  }

  private func row(_ lateness: [Double], _ sleeps: [Double]) -> Row {
    var row = Row(
      "ring",
      "lateness of a ring at the reader of stdout, \(lateness.count) daemons with clocks of their own (libfaketime)",
      .milliseconds)
    row.add(Belfry.name, lateness)
    row.add(Self.sleep, sleeps)
    let summary = Summary(lateness)
    row.hold(summary.median, "median ", atMost: 2)
    row.hold(summary.maximum, "worst ", atMost: 25)
    return row
  }

  private func hugeRow(_ lateness: [Double]) -> Row {
    var row = Row(
      "ring-huge", "lateness of a ring, \(Figure.grouped(bench.scale.huge)) items scheduled", .milliseconds)
    row.add(Belfry.name, lateness)
    row.hold(row.own, atMost: 25)
    return row
  }

  private func daemon(in folder: String, ahead: Double, _ minute: Double) throws -> (
    process: RunningProcess, due: Double
  ) {
    var command = bench.belfry.daemon(in: folder)
    command.environment.merge(try ShiftedClock.variables(ahead: ahead)) { $1 }
    return (try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch), minute - ahead)
  }
}
