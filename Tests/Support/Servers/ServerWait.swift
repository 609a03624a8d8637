/// The error of a wait for a server that was in vain.
package struct WaitedInVain: Error {}

/// Waits until a condition holds, far longer than a server on a busy machine needs.
///
/// - Throws: ``WaitedInVain``, and as `condition`.
package func waitUntil(_ condition: () throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(200)
  while try !condition() {
    guard ContinuousClock.now < end else { throw WaitedInVain() }
    try await Task.sleep(for: .milliseconds(20))
  }
}
