import Foundation

/// Runs Valgrind, whose counts do not depend on the load of the machine.
struct Valgrind {
  private let program: String
  private let folder: String

  init(_ bench: BenchRun) throws {
    program = try Surroundings.program("valgrind", package: "valgrind")
    folder = try bench.scratch.folder("valgrind")
  }

  /// The number of instructions that a command executes.
  func instructions(_ command: Command) throws -> Double {
    let file = "\(folder)/counts"
    let output = try run(["--tool=callgrind", "--fair-sched=yes", "--callgrind-out-file=\(file)"], command)
    return try number(after: "Collected : ", in: output)
  }

  /// The number of memory allocations of a command.
  func allocations(_ command: Command) throws -> Double {
    let output = try run(["--tool=memcheck", "--undef-value-errors=no", "--leak-check=no"], command)
    return try number(after: "total heap usage: ", in: output)
  }

  private func run(_ options: [String], _ command: Command) throws -> String {
    var command = command
    command.arguments = options + [command.program] + command.arguments
    command.program = program
    // Hashing is otherwise seeded differently in each run.
    command.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    return try command.output()
  }

  private func number(after words: String, in output: String) throws -> Double {
    guard let start = output.range(of: words)?.upperBound,
      let number = Double(output[start...].prefix { $0.isNumber || $0 == "," }.filter { $0 != "," })
    else { throw BenchmarkError("valgrind told no number: \(output.suffix(500))") }
    return number
  }
}
