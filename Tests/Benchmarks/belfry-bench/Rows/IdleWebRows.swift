import Foundation

/// The rows of an idle web face, started by its socket, beside a bare server of the same library.
final class IdleWebRows {
  private let bench: BenchRun
  private let watched: [(peer: String, process: RunningProcess, start: Usage)]
  private let start: Double

  /// Starts both, has each answer once, and begins to watch them.
  init(_ bench: BenchRun) throws {
    self.bench = bench
    let log = try bench.scratch.folder("idle-web")
    let listener = try Listener()
    let folder = try bench.copy(bench.folder(bench.belfry, bench.scale.scheduled, for: "idle"), as: "idle-web-store")
    try bench.belfry.configure(folder, "web: { listen: \"127.0.0.1:\(listener.port)\" }\n")
    let web = bench.belfry.web(in: folder).activated(by: listener)
    let port = try Port.free()
    let processes = [
      (Belfry.name, listener.port, try RunningProcess(web, log: "\(log)/belfry-web", scratch: bench.scratch)),
      (
        LimitPrograms.server, port,
        try RunningProcess(bench.limits.server(port: port), log: "\(log)/server", scratch: bench.scratch)
      ),
    ]
    let curl = try Surroundings.program("curl", package: "curl")
    for (_, port, process) in processes {
      try process.waitUntilListening(on: port)
      let command = Command(
        program: curl, arguments: ["-sSf", "--noproxy", "*", "http://127.0.0.1:\(port)/readyz"],
        environment: Surroundings.variables(home: log))
      _ = try command.output()
    }
    // Threads that were started for it end when they had nothing to do for five seconds.
    Clock.sleep(milliseconds: 7_000)
    start = Clock.monotonic
    watched = try processes.map { ($0, $2, try Usage(of: $2)) }
    bench.introduce(
      PeerDescription(
        LimitPrograms.server, version: "2",
        "a router that answers each POST with the JSON of an answer; one thread reads and writes, as in `belfry-web`"))
  }

  /// Stops them and returns what they used.
  func end() throws -> [Row] {
    let remaining = Double(bench.scale.watch) * 1e3 - (Clock.monotonic - start)
    if remaining > 0 {
      Progress.tell("Watching an idle web face for \(Int(remaining / 1e3)) seconds more …")
      Clock.sleep(milliseconds: remaining)
    }
    let what = "idle `belfry-web`, started by its socket"
    var memory = Row("idle-web-memory", "\(what): resident memory", .mebibytes)
    var wakes = Row("idle-web-wakes", "\(what): wake-ups", .perHour)
    let hours = (Clock.monotonic - start) / 3_600_000
    for (peer, process, start) in watched {
      let end = try Usage(of: process)
      memory.add(peer, [end.memory])
      wakes.add(peer, [Double(end.wakes - start.wakes) / hours])
      process.stop()
    }
    memory.hold(memory.own, atMost: 25)
    return [memory, wakes]
  }
}
