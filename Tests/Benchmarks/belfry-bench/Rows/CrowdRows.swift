import Foundation

/// The rows of many reminders due at once, on the real clock: Belfry's at the full minute, remind's half a minute
/// later, in a zone with an offset of thirty seconds.
struct CrowdRows {
  // The seconds to add all items, start the daemon and let the machine settle before the first reminder.
  private static let preparation = 20

  private let bench: BenchRun
  private let remind: Remind

  init(_ bench: BenchRun) throws {
    self.bench = bench
    remind = try Remind()
    try bench.introduce(remind)
  }

  /// Measures each crowd, one in each minute.
  func measure() throws -> [Row] {
    let folder = try bench.scratch.folder("crowd")
    let start = try prepare(folder)
    let daemon = try RunningProcess(bench.belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    let atd = Atd(bench)
    var times: [Int: (belfry: [Double], remind: [Double])] = [:]
    var single: [Double] = []
    for (place, size) in crowds.enumerated() {
      let due = start + place * 60
      Progress.tell("\(Figure.grouped(size)) due at once, in \(due - Int(Clock.wall)) seconds …")
      let theirs = try remindProcess(size, due: due + 30, in: "\(folder)/remind-\(place)")
      let alone = try remindProcess(1, due: due + 15, in: "\(folder)/remind-one-\(place)", seconds: 15)
      try atd?.schedule(beforeMinute: due + 60)
      times[size, default: ([], [])].belfry.append(
        try RingReader.lateness(of: texts(place), due: Double(due), from: daemon))
      single.append(try RingReader.lateness(of: ["\(RingReader.mark)0"], due: Double(due + 15), from: alone))
      times[size, default: ([], [])].remind.append(
        try RingReader.lateness(of: (0..<size).map(text), due: Double(due + 30), from: theirs))
    }
    guard daemon.stop() == 0 else { throw daemon.failure("did not end well") }
    daemon.warnings.forEach(Progress.tell)
    return times.keys.sorted().map { row($0, times[$0] ?? ([], [])) } + [others(single, try atd?.lateness() ?? [])]
  }

  private var crowds: [Int] { bench.scale.crowds }

  // Adds all items, and returns the first minute at which some are due.
  private func prepare(_ folder: String) throws -> Int {
    try bench.belfry.configure(folder)
    let start = (Int(Clock.wall) + Self.preparation) / 60 * 60 + 60
    for place in crowds.indices { try bench.belfry.add(texts(place), due: start + place * 60, in: folder) }
    guard Clock.wall < Double(start - 5) else {
      throw BenchmarkError("adding what is to ring took until it was due: the machine is too busy to measure on")
    }
    return start
  }

  private func texts(_ place: Int) -> [String] { (0..<crowds[place]).map { "\(text(place))-\($0)" } }
  private func text(_ number: Int) -> String { "\(RingReader.mark)\(number)" }

  // remind reads full minutes on its own clock, which is `seconds` behind the machine's.
  private func remindProcess(_ count: Int, due: Int, in folder: String, seconds: Int = 30) throws -> RunningProcess {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let local = due + 60 - seconds
    try remind.write((0..<count).map { (text($0), local) }, isLocal: false, in: folder)
    let command = remind.ring(in: folder, zone: "BENCH-00:00:\(60 - seconds)")
    return try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch)
  }

  private func row(_ size: Int, _ times: (belfry: [Double], remind: [Double])) -> Row {
    var row = Row("crowd-\(size)", "\(Figure.grouped(size)) due at once to stdout, last one out", .milliseconds)
    row.add(Belfry.name, times.belfry)
    row.add(Remind.name, times.remind)
    if size >= 10_000 { row.hold(to: Remind.name, atMost: 0.1) } else { row.hold(row.own, atMost: 40) }
    return row
  }

  private func others(_ remind: [Double], _ at: [Double]) -> Row {
    var row = Row("ring-others", "lateness of a ring of others", .milliseconds)
    row.add(Remind.name, remind)
    if !at.isEmpty { row.add("at", at) }
    return row
  }
}
