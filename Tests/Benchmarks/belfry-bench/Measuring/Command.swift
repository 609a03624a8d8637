import Foundation

/// The cost of one run of a command.
struct Cost: Codable {
  /// The time from the start until the end is reported, in milliseconds.
  var wall: Double
  /// User and system time, in milliseconds.
  var cpu: Double
  /// Peak resident memory in KiB. Never below the benchmark's own, which the kernel counts before `exec`.
  var peakMemory: Int

  private enum CodingKeys: String, CodingKey {
    case wall = "wall_ms"
    case cpu = "cpu_ms"
    case peakMemory = "peak_memory_kib"
  }
}

/// A command line and its surroundings.
struct Command {
  /// The path of the program.
  var program: String
  /// The arguments after the program's name.
  var arguments: [String]
  var environment: [String: String]
  /// The file that is standard input.
  var input = "/dev/null"
  /// The socket that it gets as descriptor 3, as from a service manager.
  var listener: Listener?

  /// The same, started by a socket that listens (sd_listen_fds(3)).
  func activated(by listener: Listener) -> Command {
    // Only the process itself knows its number, which it is to be told in `LISTEN_PID`.
    Command(
      program: "/bin/sh", arguments: ["-c", "LISTEN_PID=$$ exec \"$0\" \"$@\"", program] + arguments,
      environment: environment.merging(["LISTEN_FDS": "1"]) { $1 }, input: input, listener: listener)
  }

  /// Runs the command without a reader of its output, and measures it.
  ///
  /// - Throws: ``BenchmarkError`` where its status is not 0: a failure must not count as a fast run.
  func measured() throws -> Cost {
    let start = Clock.monotonic
    let process = try Spawn.start(self, output: .null, errors: .null)
    let ending = try Spawn.wait(for: process)
    let end = Clock.monotonic
    guard ending.status == 0 else { throw failure(ending.status, "") }
    return Cost(wall: end - start, cpu: ending.cpu, peakMemory: ending.peakMemory)
  }

  /// Runs the command and returns its standard output and standard error.
  ///
  /// - Throws: ``BenchmarkError`` with the output where its status is not 0.
  func output() throws -> String {
    let pipe = try Pipe()
    let process = try Spawn.start(self, output: .descriptor(pipe.writer), errors: .descriptor(pipe.writer))
    pipe.closeWriter()
    let text = String(decoding: pipe.readToEnd(), as: UTF8.self)
    let ending = try Spawn.wait(for: process)
    guard ending.status == 0 else { throw failure(ending.status, text) }
    return text
  }

  private func failure(_ status: Int32, _ output: String) -> BenchmarkError {
    let line = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return BenchmarkError("\(line) \(SystemText.ending(status))\n\(output.suffix(2_000))")
  }
}

/// A pipe that no other child inherits.
final class Pipe {
  /// The end to read from.
  let reader: Int32
  /// The end to hand to a child.
  private(set) var writer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchmarkError.system("cannot make a pipe", errno) }
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reader)
    closeWriter()
  }

  /// Closes the writing end in this process, so that the reader sees the end of the child's.
  func closeWriter() {
    guard writer >= 0 else { return }
    close(writer)
    writer = -1
  }

  /// The next bytes, at most 64 KiB; empty at the end.
  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var result = -1
      repeat {
        result = Foundation.read(reader, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
      count = max(result, 0)
    }
  }

  /// All bytes until the end.
  func readToEnd() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let part = read()
      if part.isEmpty { return all }
      all += part
    }
  }
}
