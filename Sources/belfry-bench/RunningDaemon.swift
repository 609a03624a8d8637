import Foundation

/// `belfryd` with the benchmark as the reader of its standard output.
final class RunningDaemon {
  /// What the texts of all reminders begin with.
  static let mark = "Ring-"
  // How long a reminder may take before it counts as lost, in seconds.
  private static let patience = 60.0

  private let process: pid_t
  private let pipe: Pipe
  private let log: String
  private let scratch: Scratch

  /// Starts the daemon; its log goes to a file.
  init(_ command: Command, log: String, scratch: Scratch) throws {
    pipe = try Pipe()
    process = try Spawn.start(command, output: .descriptor(pipe.writer), errors: .file(log))
    pipe.closeWriter()
    scratch.adopt(process)
    self.log = log
    self.scratch = scratch
  }

  /// How long after an instant the last of these reminders was read, in milliseconds.
  ///
  /// - Throws: ``BenchmarkError`` where one is missing, early, twice, or another one comes.
  func lateness(of texts: [String], due: Int) throws -> Double {
    var bytes: [UInt8] = []
    var lines = 0
    var end = Clock.wall
    while lines < texts.count {
      let part = try next(until: Double(due) + Self.patience, missing: texts.count - lines)
      end = Clock.wall
      lines += part.count { $0 == UInt8(ascii: "\n") }
      bytes += part
    }
    guard end >= Double(due) else { throw failure("rang before the due date") }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let rang = words.filter { $0.hasPrefix(Self.mark) }
    guard lines == texts.count, rang.count == lines, Set(rang.map(String.init)) == Set(texts) else {
      throw failure("rang something else than what was due")
    }
    return (end - Double(due)) * 1e3
  }

  /// Asks the daemon to end, and waits until it has.
  ///
  /// - Throws: ``BenchmarkError`` where it does not end with status 0.
  func stop() throws {
    kill(process, SIGTERM)
    let ending = try Spawn.wait(for: process)
    scratch.release(process)
    guard ending.status == 0 else { throw failure(SystemText.ending(ending.status)) }
  }

  /// What the daemon had to complain about.
  var warnings: [String] {
    logged.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.contains(": info: ") }
  }

  private var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  private func next(until instant: Double, missing: Int) throws -> [UInt8] {
    var ready = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
    let remaining = max(0, (instant - Clock.wall) * 1e3)
    guard poll(&ready, 1, Int32(remaining)) > 0 else { throw failure("did not ring \(missing) reminder(s)") }
    let part = pipe.read()
    guard !part.isEmpty else { throw failure("ended before \(missing) reminder(s) rang") }
    return part
  }

  private func failure(_ what: String) -> BenchmarkError {
    BenchmarkError("belfryd \(what)\n\(logged.suffix(2_000))")
  }
}
