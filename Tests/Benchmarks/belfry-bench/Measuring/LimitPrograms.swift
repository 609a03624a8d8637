import Foundation

/// The programs that show what the machine and the libraries allow, and the one that does the same with Belfry's modules.
struct LimitPrograms {
  /// The name of the C program in the table.
  static let sqlite = "C + libsqlite3"
  /// The name of the bare server in the table.
  static let server = "bare Hummingbird"
  private let limits: String
  private let probes: String
  private let servers: String

  init(folder: String) throws {
    limits = "\(folder)/belfry-bench-limits"
    probes = "\(folder)/belfry-bench-probe"
    servers = "\(folder)/belfry-bench-server"
    for program in [limits, probes, servers] where access(program, X_OK) != 0 {
      throw BenchmarkError("there is no \(program): build it first, or name its folder with --bin")
    }
  }

  /// The versions of the libraries.
  func version() throws -> String {
    try command(["version"]).output().trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A command of the C program.
  func command(_ arguments: [String]) -> Command { command(limits, arguments) }

  /// The same work with Belfry's modules.
  func probe(_ arguments: [String]) -> Command { command(probes, arguments) }

  /// A server of the library of `belfry-web` that answers each press at once.
  ///
  /// - Parameter page: the file that it serves as `/page`.
  func server(port: Int, page: String? = nil) -> Command { command(servers, ["\(port)"] + [page].compactMap(\.self)) }

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
