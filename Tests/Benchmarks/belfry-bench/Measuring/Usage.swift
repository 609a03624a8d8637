import Foundation

/// The resources used by all threads of a process so far.
struct Usage {
  /// Processor time, in seconds.
  var processor = 0.0
  /// The number of times that a thread was woken.
  var wakes = 0
  /// Resident memory, in MiB.
  var memory = 0.0
  /// The most resident memory that it has had, in MiB.
  var peakMemory = 0.0

  init(of process: RunningProcess) throws {
    let folder = "/proc/\(process.identifier)"
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task") else {
      throw process.failure("has ended")
    }
    for thread in threads {
      let time = try? String(contentsOfFile: "\(folder)/task/\(thread)/schedstat", encoding: .utf8)
      processor += (time?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
      wakes += Int(Self.field("voluntary_ctxt_switches", "\(folder)/task/\(thread)/status"))
    }
    memory = Self.field("VmRSS", "\(folder)/status") / 1_024
    peakMemory = Self.field("VmHWM", "\(folder)/status") / 1_024
  }

  private static func field(_ name: String, _ file: String) -> Double {
    let lines = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n")
    let line = lines.first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
  }
}
