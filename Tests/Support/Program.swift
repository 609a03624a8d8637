import BelfryTestKit
import Foundation

/// Runs programs to their end.
///
/// Foundation's `Process` would not do: it notices the end of a program by a socket, which programs that other threads
/// start at the same time inherit. It then waits for those too, and a test's servers end only with the test.
package enum Program {
  /// A program that failed.
  package struct Failure: Error, CustomStringConvertible {
    /// The program and its failure.
    package let description: String
  }

  /// The output of a program, which is found in `PATH` and runs in an empty folder.
  ///
  /// It goes through files, since two full pipes would block both sides.
  ///
  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - input: its standard input.
  ///   - environment: variables in addition to those of the test's process.
  /// - Throws: ``Failure`` if its exit status is not 0.
  package static func output(
    _ words: [String], input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Data {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let (given, printed) = (folder.file("input"), folder.file("output"))
    try input.write(to: URL(filePath: given))
    try run(words, in: folder.path, input: given, output: printed, environment: environment)
    return try Data(contentsOf: URL(filePath: printed))
  }

  /// Runs a program, which is found in `PATH`, and waits for its end.
  ///
  /// - Returns: its process number, which is free again.
  /// - Throws: ``Failure`` if its exit status is not 0, and as ``start(_:in:input:output:errors:environment:)``.
  @discardableResult
  package static func run(
    _ words: [String], in folder: String? = nil, input: String = "/dev/null", output: String = "/dev/null",
    errors: String? = nil, environment: [String: String] = [:]
  ) throws -> pid_t {
    let pid = try start(words, in: folder, input: input, output: output, errors: errors, environment: environment)
    let status = wait(for: pid)
    guard status == 0 else { throw Failure(description: "\(words) ended with wait status \(status)") }
    return pid
  }

  /// Starts a program, which is found in `PATH`.
  ///
  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - folder: its working folder; `nil` for that of the test's process.
  ///   - input: the file of its standard input.
  ///   - output: the file of its standard output.
  ///   - errors: the file of its standard error; `nil` for the standard error of the test's process.
  ///   - environment: variables in addition to those of the test's process.
  /// - Returns: its process number, for ``wait(for:)``.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package static func start(
    _ words: [String], in folder: String? = nil, input: String = "/dev/null", output: String = "/dev/null",
    errors: String? = nil, environment: [String: String] = [:]
  ) throws -> pid_t {
    var streams = Spawn.Streams()
    streams.open(0, input, O_RDONLY)
    streams.open(1, output, O_WRONLY | O_CREAT | O_TRUNC)
    if let errors { streams.open(2, errors, O_WRONLY | O_CREAT | O_TRUNC) }
    let place = folder.map { ["-C", $0] } ?? []
    let variables = environment.map { "\($0.key)=\($0.value)" }
    return try Spawn.start(["/usr/bin/env"] + place + variables + words, streams)
  }

  /// Waits for the end of a program. Returns its wait status (waitpid(2)).
  package static func wait(for pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    return status
  }
}
