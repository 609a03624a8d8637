import Foundation
import Testing

extension Sandbox {
  /// Puts a program of the test's own into the sandbox.
  ///
  /// Another process writes it: where this one did, a child that starts at that moment could hold it open, and then
  /// it could not be started.
  func install(_ script: String, as name: String) async throws {
    let outcome = try await run(
      ["/usr/bin/install", "-D", "-m", "755", "/dev/stdin", path(name)], RunOptions(input: Data(script.utf8)))
    try #require(outcome.isDone, "\(outcome)")
  }
}
