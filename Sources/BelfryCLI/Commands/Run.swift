import ArgumentParser
import BelfryCore
import Foundation

/// `belfry run`: becomes `belfryd`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Ring: run the daemon, or with --once deliver what is due and end.",
    discussion: """
      belfry run                    until Ctrl-C; reminders on standard output, log on standard error
      belfry run --once             for cron
      """)

  @Flag(name: .long, help: "Deliver what is due, then end.")
  var once = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    var arguments = ["belfryd"]
    if let config = options.config { arguments += ["--config", config] }
    if once { arguments.append("--once") }
    let program = try Self.daemonPath()
    // The daemon takes this process over: same number, same terminal, same signals.
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    execv(program, &pointers)
    throw BelfryError(
      .notFound, "cannot start \(program): \(String(cString: strerror(errno)))", hint: "install belfryd beside belfry")
  }

  private static func daemonPath() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("belfryd").path
  }
}
