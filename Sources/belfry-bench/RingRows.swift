import Foundation

/// The rows of the daemon: how late a reminder is at its reader, on the real clock.
struct RingRows {
  // Time to add everything, start the daemon and let the machine come to rest before the first ring, in seconds.
  private static let preparation = 20
  // Whose the rows are that tell what no program can do without.
  private static let machine = "the machine"

  let belfry: Belfry
  let options: Options
  let scratch: Scratch

  /// Lets single rings happen, one a minute, then the crowds, and tells how late each was.
  func measure() throws -> [Row] {
    let folder = try scratch.folder("rings")
    let start = try prepare(folder)
    let daemon = try RunningDaemon(belfry.daemon(in: folder), log: "\(folder)/log", scratch: scratch)

    var lateness: [Double] = []
    var sleeps: [Double] = []
    for ring in 0..<options.rings {
      Progress.tell("Ring \(ring + 1) of \(options.rings): at the next full minute …")
      let due = start + ring * 60
      sleeps.append(Limits.latenessOfSleep(until: due - 2))
      lateness.append(try daemon.lateness(of: texts(ring), due: due))
    }
    let syncs = try Limits.syncs(options.rounds, in: folder)
    var rows = [
      ringRow(lateness),
      Row("limit of the machine: sleep until an instant (`clock_nanosleep`)", peer: Self.machine, times: sleeps),
      Row("limit of the machine: write one page and sync it (`fdatasync`)", peer: Self.machine, times: syncs),
    ]
    for (place, size) in options.crowds.enumerated() {
      Progress.tell("\(Figure.grouped(size)) due at once: at the next full minute …")
      let minute = options.rings + place
      rows.append(crowdRow(size, try daemon.lateness(of: texts(minute), due: start + minute * 60)))
    }
    try daemon.stop()
    for warning in daemon.warnings { Progress.tell(warning) }
    return rows
  }

  /// Adds everything that is to ring.
  ///
  /// - Returns: the first minute at which something rings, in seconds since 1970.
  private func prepare(_ folder: String) throws -> Int {
    Progress.tell("Belfry: adding what is to ring …")
    try belfry.configure(folder)
    let start = (Int(Clock.wall) + Self.preparation) / 60 * 60 + 60
    for minute in 0..<(options.rings + options.crowds.count) {
      try belfry.add(texts(minute), due: start + minute * 60, in: folder)
    }
    guard Clock.wall < Double(start - 5) else {
      throw BenchmarkError("adding what is to ring took until it was due: the machine is too busy to measure on")
    }
    return start
  }

  /// What rings at a minute, counted from the first.
  private func texts(_ minute: Int) -> [String] {
    let count = minute < options.rings ? 1 : options.crowds[minute - options.rings]
    return (0..<count).map { "\(RunningDaemon.mark)\(minute)-\($0)" }
  }

  private func ringRow(_ lateness: [Double]) -> Row {
    let label = "lateness of a ring at the reader of stdout, \(lateness.count) measured"
    var row = Row(label, peer: belfry.name, times: lateness)
    let summary = Summary(lateness)
    row.hold("median ", summary.median, atMost: 2)
    row.hold("worst ", summary.maximum, atMost: 25)
    return row
  }

  private func crowdRow(_ size: Int, _ lateness: Double) -> Row {
    var row = Row("\(Figure.grouped(size)) due at once, last one out", peer: belfry.name, times: [lateness])
    if size == 1_000 { row.hold("", lateness, atMost: 40) }
    return row
  }
}
