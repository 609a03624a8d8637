import Foundation

/// `at` and its daemon, which only root can start; absent where it is not installed, or already runs.
struct Atd {
  // Jobs run at full minutes; on a clock that is ahead, nothing else fires at that time.
  private static let ahead = 15

  private let at: String
  private let folder: String
  private let daemon: RunningProcess
  private let surroundings: [String: String]

  init?(_ bench: BenchRun) {
    guard getuid() == 0, !Self.isRunning, let at = try? Surroundings.program("at", package: "at"),
      let program = try? Surroundings.program("atd", package: "at"),
      let folder = try? bench.scratch.folder("at"), let version = try? Surroundings.packageVersion("at"),
      let clock = try? ShiftedClock.variables(ahead: Double(Self.ahead))
    else { return nil }
    let surroundings = Surroundings.variables(home: folder)
    let command = Command(program: program, arguments: ["-f"], environment: surroundings.merging(clock) { $1 })
    guard let daemon = try? RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch) else { return nil }
    (self.at, self.folder, self.daemon, self.surroundings) = (at, folder, daemon, surroundings)
    bench.introduce(
      PeerDescription("at", version: version, "a job that notes the time, on a clock of its own (libfaketime)"))
  }

  /// Schedules a job that notes its time: at a full minute of its clock, which is ahead of the machine's.
  func schedule(beforeMinute instant: Int) throws {
    let job = "\(folder)/job-\(instant)"
    try "unset LD_PRELOAD; date +%s.%N > '\(folder)/ran-\(instant)'\n".write(
      toFile: job, atomically: false, encoding: .utf8)
    let time = Timestamp.format(instant, "%Y%m%d%H%M")
    _ = try Command(program: at, arguments: ["-t", time, "-f", job], environment: surroundings).output()
  }

  /// The delay of each job, in milliseconds.
  func lateness() throws -> [Double] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let jobs = files.filter { $0.hasPrefix("job-") }.compactMap { Int($0.dropFirst(4)) }
    Clock.sleep(until: Double((jobs.max() ?? 0) - Self.ahead) + 2)
    return try jobs.map { instant in
      let text = try String(contentsOfFile: "\(folder)/ran-\(instant)", encoding: .utf8)
      return ((Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) - Double(instant - Self.ahead)) * 1e3
    }
  }

  private static var isRunning: Bool {
    let text = (try? String(contentsOfFile: "/run/atd.pid", encoding: .utf8)) ?? ""
    let identifier = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return !identifier.isEmpty && access("/proc/\(identifier)", F_OK) == 0
  }
}
