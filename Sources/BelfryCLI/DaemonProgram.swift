import BelfryModel
import BelfryRuntime
import CLinuxEvents
import FoundationEssentials
import Glibc

/// The programs with network access, which are installed next to this one.
enum DaemonProgram: String {
  case belfryd
  case web = "belfry-web"

  /// Replaces this process with one of the programs, by default `belfryd`. Process id, terminal and signals stay.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if it is not installed.
  static func become(_ arguments: [String], program: DaemonProgram = .belfryd) throws -> Never {
    let path = try path(of: program)
    var pointers: [UnsafeMutablePointer<CChar>?] = ([program.rawValue] + arguments).map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    // A signal that arrives before the program is ready stays pending.
    belfry_signals_block()
    execv(path, &pointers)
    throw BelfryError(
      .notFound, "cannot start \(path): \(String(cString: strerror(errno)))",
      hint: "install \(program.rawValue) beside belfry")
  }

  /// An option with its value, in one word if the value would be read as an option.
  static func option(_ name: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
  }

  /// The path of one of the programs, by default `belfryd`.
  static func path(of program: DaemonProgram = .belfryd) throws -> String {
    try InstalledProgram.path(of: program.rawValue)
  }
}
