import BelfryEngine
import BelfryRuntime
import BelfryTestKit
import TestSupport
import Testing

/// A plug-in whose sinks run through the suites: each of the registry, with its fixtures beside them.
protocol TestedSinkPlugin: SinkPlugin {
  /// One for each form that its messages can have.
  static var fixtures: [SinkKind] { get }
}

/// A sink that runs through the suites.
struct SinkKind: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let isNetworked: Bool
  let makeFixture: @Sendable () throws -> any SinkFixture

  init<Fixture: SinkFixture>(_ name: String, _ makeFixture: @escaping @Sendable () throws -> Fixture) {
    testDescription = name
    isNetworked = Fixture.self is any NetworkSinkFixture.Type
    self.makeFixture = makeFixture
  }

  static let all = Registry.sinks.flatMap { ($0 as? any TestedSinkPlugin.Type)?.fixtures ?? [] }

  /// Those that send over a network.
  static let networked = all.filter(\.isNetworked)

  func makeNetworkFixture() throws -> any NetworkSinkFixture {
    try #require(makeFixture() as? any NetworkSinkFixture)
  }
}

@Suite struct SinkConformanceTests {
  @Test("a sink keeps what every sink promises", arguments: SinkKind.all, SinkConformance.cases)
  func keepsPromise(kind: SinkKind, promise: SinkConformance.Case) async throws {
    try await promise.run(kind.makeFixture())
  }

  @Test(
    "a sink keeps what every sink promises that sends over a network", arguments: SinkKind.networked,
    NetworkSinkConformance.cases)
  func keepsNetworkPromise(kind: SinkKind, promise: NetworkSinkConformance.Case) async throws {
    try await promise.run(kind.makeNetworkFixture())
  }

  @Test("no text adds a header field or a recipient", arguments: SinkKind.networked)
  func resistsInjection(kind: SinkKind) async throws {
    let values = try Corpus.injections()
    #expect(values.count >= 15)
    try await NetworkSinkConformance.injection(of: values).run(kind.makeNetworkFixture())
  }
}
