import BelfryTestKit
import StdoutSink
import Testing

/// The sinks that go through the suite.
enum SinkKind: String, CaseIterable, Sendable, CustomStringConvertible {
  case stdoutText = "stdout text"
  case stdoutJSON = "stdout json"

  var description: String { rawValue }

  func makeFixture() throws -> any SinkFixture {
    switch self {
    case .stdoutText: try StdoutSinkFixture(format: .text)
    case .stdoutJSON: try StdoutSinkFixture(format: .json)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct SinkConformanceTests {
  @Test("a sink keeps what every sink promises", arguments: SinkKind.allCases, SinkConformance.cases)
  func keepsPromise(kind: SinkKind, promise: SinkConformance.Case) async throws {
    try await promise.run(kind.makeFixture())
  }
}
