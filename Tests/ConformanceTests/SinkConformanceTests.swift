import BelfryTestKit
import Foundation
import OrderedJSON
import StdoutSink
import Testing
import TestSupport
import WebhookSink

/// The sinks under test.
enum SinkKind: String, CaseIterable, Sendable, CustomStringConvertible {
  case stdoutText = "stdout text"
  case stdoutJSON = "stdout json"
  case standard = "webhook standard"
  case slack = "webhook slack"
  case discord = "webhook discord"
  case ntfy = "webhook ntfy"
  case template = "webhook template"
  case email = "email"

  /// The sinks that send over a network.
  static let networked: [SinkKind] = [.standard, .slack, .discord, .ntfy, .template, .email]

  var description: String { rawValue }

  func makeFixture() throws -> any SinkFixture {
    switch self {
    case .stdoutText: try StdoutSinkFixture(format: .text)
    case .stdoutJSON: try StdoutSinkFixture(format: .json)
    default: try makeNetworkFixture()
    }
  }

  func makeNetworkFixture() throws -> any NetworkSinkFixture {
    switch self {
    case .slack: try WebhookSinkFixture(format: .slack)
    case .discord: try WebhookSinkFixture(format: .discord)
    case .ntfy: try WebhookSinkFixture(format: .ntfy)
    case .template: try WebhookSinkFixture(format: .template)
    case .email: try EmailSinkFixture()
    default: try WebhookSinkFixture(format: .standard)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct SinkConformanceTests {
  @Test("a sink keeps what every sink promises", arguments: SinkKind.allCases, SinkConformance.cases)
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
