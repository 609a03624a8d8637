import BelfryModel
import CLinuxEvents
import FoundationEssentials
import Glibc

/// `belfryd`, which is installed beside this program and has network access.
enum DaemonProgram {
  /// Replaces this process by belfryd: same number, same terminal, same signals.
  ///
  /// - Throws: ``BelfryError`` `.notFound` where it is not installed.
  static func become(_ arguments: [String]) throws -> Never {
    let program = try path()
    var pointers: [UnsafeMutablePointer<CChar>?] = (["belfryd"] + arguments).map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    // A signal that comes before belfryd is ready stays pending.
    belfry_signals_block()
    execv(program, &pointers)
    throw BelfryError(
      .notFound, "cannot start \(program): \(String(cString: strerror(errno)))", hint: "install belfryd beside belfry")
  }

  /// An option with its value, in one word where the value would be read as an option.
  static func option(_ name: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
  }

  /// Its path.
  static func path() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("belfryd").path
  }
}
