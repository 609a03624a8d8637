import Foundation
import Testing

extension Sandbox {
  /// Installs a test's own program in the sandbox.
  ///
  /// Another process writes the file: if this one did, a child started meanwhile could inherit the open file, and
  /// executing it would fail.
  func install(_ script: String, as name: String) async throws {
    let outcome = try await run(
      ["/usr/bin/install", "-D", "-m", "755", "/dev/stdin", path(name)], RunOptions(input: Data(script.utf8)))
    try #require(outcome.isDone, "\(outcome)")
  }
}
