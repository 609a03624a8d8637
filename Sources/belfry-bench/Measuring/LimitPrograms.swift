import Foundation

/// The C programs that tell what the machine and the libraries allow, and the benchmark's own processes that do the
/// same with Belfry's modules.
struct LimitPrograms {
  /// The name in the table of what is measured in C.
  static let sqlite = "C + libsqlite3"
  private let limits: String
  private let own: String

  init(folder: String) throws {
    limits = "\(folder)/belfry-bench-limits"
    own = try Options.ownProgram()
    guard access(limits, X_OK) == 0 else {
      throw BenchmarkError("there is no \(limits): build it first, or name its folder with --bin")
    }
  }

  /// The versions of the libraries.
  func version() throws -> String {
    try command(["version"]).output().trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A command of the C program.
  func command(_ arguments: [String]) -> Command { command(limits, arguments) }

  /// The same work with Belfry's modules, in a process of the benchmark; see ``Probe``.
  func probe(_ arguments: [String]) -> Command { command(own, [Probe.word] + arguments) }

  /// The number that a command prints.
  static func number(_ command: Command) throws -> Double {
    let output = try command.output()
    guard let number = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError(
        "\(command.program) \(command.arguments.joined(separator: " ")) printed no number: \(output)")
    }
    return number
  }

  private func command(_ program: String, _ arguments: [String]) -> Command {
    Command(program: program, arguments: arguments, environment: Surroundings.variables(home: "/nonexistent"))
  }
}
