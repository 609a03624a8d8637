import Foundation

/// Reads the texts that programs print when reminders fire.
struct RingReader {
  /// The prefix of all reminders' texts; its sign occurs nowhere else in the output.
  static let mark = "Ring~"
  private static let sign = UInt8(ascii: "~")
  // The seconds after which a reminder counts as lost.
  private static let patience = 60.0

  /// The milliseconds from an instant until the last of these texts was read from a program.
  ///
  /// - Throws: ``BenchmarkError`` for a missing, early, repeated or unknown text.
  static func lateness(of texts: [String], due: Double, from process: RunningProcess) throws -> Double {
    var bytes: [UInt8] = []
    var rung = 0
    var end = Clock.wall
    while rung < texts.count {
      guard wait(for: [process.pipe.reader], until: due + patience) != nil else {
        throw process.failure("did not ring \(texts.count - rung) of \(texts.count)")
      }
      let part = process.pipe.read()
      guard !part.isEmpty else { throw process.failure("ended before \(texts.count - rung) of \(texts.count) rang") }
      end = Clock.wall
      rung += part.count { $0 == sign }
      bytes += part
    }
    guard end >= due else { throw process.failure("rang before the due date") }
    // The last sign has arrived, but the rest of its text may still be in the pipe.
    let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    let rang = words.filter { $0.hasPrefix(mark) }
    guard rung == texts.count, Set(rang.dropLast().map(String.init)).isSubset(of: texts) else {
      throw process.failure("rang something else than what was due")
    }
    return (end - due) * 1e3
  }

  /// The milliseconds from each program's own instant until its first output, in their order.
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

  // The index of the first readable descriptor; `nil` if there is none by an instant.
  private static func wait(for readers: [Int32], until instant: Double) -> Int? {
    var ready = readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let remaining = max(0, (instant - Clock.wall) * 1e3)
    guard poll(&ready, nfds_t(ready.count), Int32(remaining)) > 0 else { return nil }
    return ready.firstIndex { $0.revents != 0 }
  }
}
