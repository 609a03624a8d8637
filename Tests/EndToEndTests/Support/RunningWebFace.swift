import Foundation
import Testing

/// A running web face, which writes its log to a file.
struct RunningWebFace {
  private static let log = "web-log"

  let box: Sandbox
  let process: ChildProcess
  /// The beginning of its URLs; behind a socket, as nginx writes them.
  let url: String

  var log: String { box.text(Self.log) }

  func waitForLog(_ text: String) async throws {
    try await waitUntil("the web face says '\(text)'; it said: \(log)") { log.contains(text) || !process.isRunning }
    try #require(log.contains(text), "the web face ended and said: \(log)")
  }

  /// Asks it to end, and returns how it ended.
  func stop() async -> ChildProcess.End {
    process.send(SIGTERM)
    return await process.end
  }
}

extension Sandbox {
  /// Starts `belfry web`, and waits until it listens.
  func webFace(_ arguments: [String] = [], _ options: RunOptions = RunOptions()) async throws -> RunningWebFace {
    var options = options
    let log = path("web-log")
    unlink(log)
    options.messages = .writing(log)
    let words = [try Programs.belfry, "web"] + arguments
    return try await Turns.run(ticket) {
      let process = try start(bytes: words.map { Array($0.utf8) }, options)
      var url: String?
      try await waitUntil("the web face listens") {
        let address = text(log).firstMatch(of: #/listening on (127\.0\.0\.1:\d+|unix:.+)\n/#)?.1
        url = address.map { "http://\($0)\($0.hasPrefix("unix:") ? ":" : "")" }
        return url != nil || !process.isRunning
      }
      return RunningWebFace(box: self, process: process, url: try #require(url, "\(text(log))"))
    }
  }
}
