import Foundation

/// Reads the texts that programs print when they ring.
struct RingReader {
  /// The start of all reminders' texts; no other output has the sign.
  static let mark = "Ring~"
  private static let sign = UInt8(ascii: "~")
  // How long a reminder may take before it counts as lost, in seconds.
  private static let patience = 60.0

  /// How long after an instant the last of these texts was read from a program, in milliseconds.
  ///
  /// - Throws: ``BenchmarkError`` where one is missing, early, twice, or another one comes.
  static func lateness(of texts: [String], due: Double, from process: RunningProcess) throws -> Double {
    var bytes: [UInt8] = []
    var rung = 0
    var end = Clock.wall
    while rung < texts.count {
      guard wait(for: [process.pipe.reader], until: due + patience) != nil else {
        throw process.failure("did not ring \(texts.count - rung) of \(texts.count) reminder(s)")
      }
      let part = process.pipe.read()
      guard !part.isEmpty else { throw process.failure("ended before \(texts.count - rung) reminder(s) rang") }
      end = Clock.wall
      rung += part.count { $0 == sign }
      bytes += part
    }
    guard end >= due else { throw process.failure("rang before the due date") }
    // The last text may still be on its way through the pipe: its sign has come.
    let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    let rang = words.filter { $0.hasPrefix(mark) }
    guard rung == texts.count, Set(rang.dropLast().map(String.init)).isSubset(of: texts) else {
      throw process.failure("rang something else than what was due")
    }
    return (end - due) * 1e3
  }

  /// How long after its own instant each program first rang, in milliseconds, in their order.
  static func lateness(of processes: [(process: RunningProcess, due: Double)]) throws -> [Double] {
    var waiting = Array(processes.indices)
    var results = [Double](repeating: 0, count: processes.count)
    let end = (processes.map(\.due).max() ?? Clock.wall) + patience
    while !waiting.isEmpty {
      guard let index = wait(for: waiting.map { processes[$0].process.pipe.reader }, until: end) else {
        throw BenchmarkError("\(waiting.count) of \(processes.count) daemons did not ring")
      }
      let now = Clock.wall
      let place = waiting.remove(at: index)
      let (process, due) = processes[place]
      let part = process.pipe.read()
      guard part.contains(sign) else { throw process.failure("ended without having rung") }
      guard now >= due else { throw process.failure("rang \((due - now) * 1e3) ms early") }
      results[place] = (now - due) * 1e3
    }
    return results
  }

  // The first of some descriptors that has something to read, nil where none has until an instant.
  private static func wait(for readers: [Int32], until instant: Double) -> Int? {
    var ready = readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let remaining = max(0, (instant - Clock.wall) * 1e3)
    guard poll(&ready, nfds_t(ready.count), Int32(remaining)) > 0 else { return nil }
    return ready.firstIndex { $0.revents != 0 }
  }
}
