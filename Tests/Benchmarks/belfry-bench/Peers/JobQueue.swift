import Foundation

/// A job queue of another project in a PostgreSQL database, in Python.
enum JobQueue: String, CaseIterable {
  case procrastinate
  case pgqueuer

  // Where `.ci/setup bench` installs them.
  private static let python = TestFiles.path("../.build-peers/bin/python")

  /// Adds it to the report.
  func introduce(to bench: BenchRun) throws {
    let version = "import importlib.metadata; print(importlib.metadata.version('\(rawValue)'))"
    bench.introduce(
      PeerDescription(
        rawValue, version: try Self.command(["-c", version]).output().trimmingCharacters(in: .whitespacesAndNewlines),
        "a job for each post by aiohttp, finished jobs kept as it keeps them; a process for each daemon of Belfry"))
  }

  /// The posts recorded as done in a second.
  func rate(_ count: Int, workers: Int, database: String, hook: String, post: SamplePost, connections: Int) throws
    -> Double
  {
    try LimitPrograms.number(
      Self.command(
        ["-B", TestFiles.path("Benchmarks/queues.py"), rawValue, database, hook, post.headers, post.body]
          + [count, connections, workers].map(String.init)))
  }

  private static func command(_ arguments: [String]) throws -> Command {
    guard access(python, X_OK) == 0 else { throw BenchmarkError("there is no \(python); run: .ci/setup bench") }
    return Command(program: python, arguments: arguments, environment: Surroundings.variables(home: "/nonexistent"))
  }
}
