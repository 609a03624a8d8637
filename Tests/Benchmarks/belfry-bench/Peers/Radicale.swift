import Foundation

/// Radicale, a CalDAV server with a page of its own for calendars.
final class Radicale {
  static let name = "Radicale"
  /// The URL of its page.
  let url: String
  private let process: RunningProcess

  /// Starts it and waits until it listens.
  init(_ bench: Bench) throws {
    let program = try Surroundings.program("radicale", package: "radicale")
    let port = try Port.free()
    let folder = try bench.scratch.folder("radicale")
    let config = """
      [server]
      hosts = 127.0.0.1:\(port)
      [auth]
      type = none
      [storage]
      filesystem_folder = \(folder)/collections

      """
    try config.write(toFile: "\(folder)/config", atomically: false, encoding: .utf8)
    let command = Command(
      program: program, arguments: ["--config", "\(folder)/config"], environment: Surroundings.variables(home: folder))
    process = try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch)
    try process.waitUntilListening(on: port)
    url = "http://127.0.0.1:\(port)/.web/"
    bench.introduce(
      PeerDescription(
        Self.name, version: try Surroundings.packageVersion("radicale"),
        "its page before anybody signs in, without calendars"))
  }
}
