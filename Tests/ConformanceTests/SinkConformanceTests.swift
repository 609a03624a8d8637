import BelfryTestKit
import Foundation
import OrderedJSON
import StdoutSink
import Testing
import TestSupport
import WebhookSink

/// A kind of sink that goes through the suites.
struct SinkKind<Fixture>: Sendable, CustomTestStringConvertible {
  /// The word after `type:`, and what tells this kind from the others of that type.
  let testDescription: String
  let makeFixture: @Sendable () throws -> Fixture

  init(_ name: String, _ makeFixture: @escaping @Sendable () throws -> Fixture) {
    testDescription = name
    self.makeFixture = makeFixture
  }
}

/// The sinks that send over a network.
let networkSinks =
  [SinkKind<any NetworkSinkFixture>("email") { try EmailSinkFixture() }]
  + WebhookFormat.allCases.map { format in
    SinkKind("webhook \(format.rawValue)") { try WebhookSinkFixture(format: format) }
  }

/// Every sink.
let everySink =
  StdoutSink.Format.allCases.map { format in
    SinkKind<any SinkFixture>("stdout \(format.rawValue)") { try StdoutSinkFixture(format: format) }
  } + networkSinks.map { kind in SinkKind(kind.testDescription) { try kind.makeFixture() } }

@Suite(.timeLimit(.minutes(10))) struct SinkConformanceTests {
  @Test("a sink keeps what every sink promises", arguments: everySink, SinkConformance.cases)
  func keepsPromise(kind: SinkKind<any SinkFixture>, promise: SinkConformance.Case) async throws {
    try await promise.run(kind.makeFixture())
  }

  @Test(
    "a sink keeps what every sink promises that sends over a network", arguments: networkSinks,
    NetworkSinkConformance.cases)
  func keepsNetworkPromise(kind: SinkKind<any NetworkSinkFixture>, promise: NetworkSinkConformance.Case) async throws {
    try await promise.run(kind.makeFixture())
  }

  @Test("no text adds a header field or a recipient", arguments: networkSinks)
  func resistsInjection(kind: SinkKind<any NetworkSinkFixture>) async throws {
    let values = try Corpus.injections()
    #expect(values.count >= 15)
    try await NetworkSinkConformance.injection(of: values).run(kind.makeFixture())
  }
}
