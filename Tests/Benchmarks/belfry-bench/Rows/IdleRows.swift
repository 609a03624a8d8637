import Foundation

/// The rows of idle daemons, watched while other rows are measured.
final class IdleRows {
  private let bench: BenchRun
  private var watched: [(peer: String, process: RunningProcess, start: Usage)] = []
  private var start = 0.0

  init(_ bench: BenchRun) { self.bench = bench }

  private var isInMinutes: Bool { bench.scale.watch >= 60 }

  /// Starts the daemons and begins to watch them.
  func begin() throws {
    let count = bench.scale.scheduled
    let remind = try Remind()
    try bench.introduce(remind)
    let own = bench.belfry.daemon(in: try bench.folder(bench.belfry, count, for: "idle"))
    let theirs = remind.daemon(in: try bench.folder(remind, count, for: "idle"))
    let log = try bench.scratch.folder("idle")
    let processes = [
      (Belfry.name, try RunningProcess(own, log: "\(log)/belfryd", scratch: bench.scratch)),
      (remind.name, try RunningProcess(theirs, log: "\(log)/remind", scratch: bench.scratch)),
    ]
    let alertmanager = try Alertmanager(bench, hook: "http://127.0.0.1:9/", wait: "3h")
    _ = try alertmanager.alert(count, round: 0)
    // Work left over from the start does not count.
    Clock.sleep(milliseconds: 3_000)
    // Neither end of the time lies at a full minute, when daemons work.
    let second = Clock.wall.truncatingRemainder(dividingBy: 60)
    if isInMinutes { Clock.sleep(milliseconds: max(0, second > 50 ? 62 - second : 2 - second) * 1e3) }
    start = Clock.monotonic
    watched = try (processes + [(Alertmanager.name, alertmanager.process)]).map { ($0.0, $0.1, try Usage(of: $0.1)) }
  }

  /// Stops the daemons and returns what they used.
  func end() throws -> [Row] {
    let passed = Clock.monotonic - start
    var time = max(Double(bench.scale.watch) * 1e3, passed)
    // In 121 seconds a daemon ticks two or three times; in whole minutes as often as there are minutes.
    if isInMinutes { time = (time / 60_000).rounded(.up) * 60_000 }
    let remaining = time - passed
    if remaining > 0 {
      Progress.tell("Watching idle daemons for \(Int(remaining / 1e3)) seconds more …")
      Clock.sleep(milliseconds: remaining)
    }
    let what = "idle with \(Figure.grouped(bench.scale.scheduled)) scheduled"
    var memory = Row("idle-memory", "\(what): resident memory", .mebibytes)
    var processor = Row("idle-cpu", "\(what): processor time", .secondsPerHour)
    var wakes = Row("idle-wakes", "\(what): wake-ups", .perHour)
    let hours = (Clock.monotonic - start) / 3_600_000
    for (peer, process, start) in watched {
      let end = try Usage(of: process)
      memory.add(peer, [end.memory])
      processor.add(peer, [(end.processor - start.processor) / hours])
      wakes.add(peer, [Double(end.wakes - start.wakes) / hours])
      process.stop()
    }
    watched = []
    memory.hold(memory.own, atMost: 12)
    processor.hold(processor.own, atMost: 0.015)
    wakes.hold(wakes.own, atMost: 61)
    return [memory, processor, wakes]
  }
}
