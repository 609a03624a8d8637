import Foundation
import Testing

/// The system calls by which a program changes files: the first of each kind, then the second, and so on, so that it is
/// stopped at each of them.
struct StopPoints {
  private static let calls = ["renameat2", "unlink", "pwrite64", "fdatasync", "write", "fsync", "ftruncate", "rename"]
  private var waiting: [(call: String, number: Int)] = []

  /// The next call, and its number among those of its kind.
  mutating func next() -> (call: String, number: Int) {
    if waiting.isEmpty { waiting = Self.calls.map { ($0, 1) } }
    let point = waiting.removeFirst()
    waiting.append((point.call, point.number + 1))
    return point
  }

  /// Leaves out a kind of calls from now on, of which the program makes no more.
  mutating func end(_ call: String) { waiting.removeAll { $0.call == call } }
}

extension Sandbox {
  /// The end of a program that was to be stopped.
  enum StoppedEnd {
    /// It made fewer such calls.
    case ended(ChildProcess.End)
    case killed
    case goneOn(ChildProcess.End)
  }

  /// Runs a program up to a system call that it has just made. While it stands still, `meanwhile` runs; then it is killed,
  /// or goes on.
  func stopped(
    _ words: [String], at point: (call: String, number: Int), isKilled: Bool, _ options: RunOptions,
    meanwhile: () async throws -> Void
  ) async throws -> StoppedEnd {
    let trace = path("trace-\(UUID().uuidString)")
    defer { unlink(trace) }
    var options = options
    options.prefix = [
      "/usr/bin/strace", "-f", "-o", trace, "-e", "trace=\(point.call)",
      "-e", "inject=\(point.call):signal=STOP:when=\(point.number)",
    ]
    let child = try start(bytes: words.map { Array($0.utf8) }, options)
    var stops = 0
    while child.isRunning {
      let found = text(trace).split(separator: "\n").filter { $0.hasSuffix("stopped by SIGSTOP ---") }
      guard found.count > stops, let pid = found[stops].split(separator: " ").first.flatMap({ pid_t($0) }) else {
        poll(nil, 0, 2)
        continue
      }
      stops += 1
      if stops == 1 {
        try await meanwhile()
        if isKilled {
          child.killGroup()
          _ = await child.end
          return .killed
        }
      }
      // Another thread of it may come as far.
      kill(pid, SIGCONT)
    }
    let end = await child.end
    return stops == 0 ? .ended(end) : .goneOn(end)
  }
}
