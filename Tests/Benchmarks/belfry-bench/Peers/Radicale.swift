import Foundation

/// Radicale, a CalDAV server with a page of its own for calendars.
final class Radicale {
  static let name = "Radicale"
  private let server: PeerServer

  /// The URL of its page.
  var url: String { "http://127.0.0.1:\(server.port)/.web/" }

  /// Starts it and waits until it listens.
  init(_ bench: BenchRun) throws {
    server = try PeerServer("radicale", package: "radicale", bench) { port, folder in
      """
      [server]
      hosts = 127.0.0.1:\(port)
      [auth]
      type = none
      [storage]
      filesystem_folder = \(folder)/collections

      """
    } arguments: { _, _, config in
      ["--config", config]
    }
    bench.introduce(
      PeerDescription(
        Self.name, version: try Surroundings.packageVersion("radicale"),
        "its page before anybody signs in, without calendars"))
  }
}
