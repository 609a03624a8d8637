import BelfryTestKit
import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

/// Attempts that may no longer start once their connection is open.
@Suite(.timeLimit(.minutes(5))) struct StartLimitTests {
  private let time = ManualTimeSource()
  private let transport = CurlTransport()

  private func limit(before uptime: Double, isStillDue: Bool = false) -> StartLimit {
    StartLimit(before: uptime, by: time, span: 0.8) { isStillDue }
  }

  @Test("a request that is in time is sent, also a second one of the same attempt after that")
  func inTime() async throws {
    let server = try HTTPCollector()
    let limit = limit(before: 1)
    try await StartLimit.$current.withValue(limit) {
      _ = try await transport.send(.post(server.url))
      time.uptime = 2
      _ = try await transport.send(.post(server.url))
    }
    #expect(try server.received().count == 2)
    #expect(!limit.hasRefused)
  }

  @Test("a request that is too late is not sent, but for one that is still due", arguments: [false, true])
  func late(isStillDue: Bool) async throws {
    let server = try HTTPCollector()
    let limit = limit(before: 1, isStillDue: isStillDue)
    time.uptime = 1
    await StartLimit.$current.withValue(limit) { _ = try? await transport.send(.post(server.url)) }
    #expect(try server.received().count == (isStillDue ? 1 : 0))
    #expect(limit.hasRefused != isStillDue)
  }

  @Test("a mail that is too late is not begun, but for one that is still due", arguments: [false, true])
  func lateMail(isStillDue: Bool) async throws {
    let server = try MailCollector()
    let limit = limit(before: 1, isStillDue: isStillDue)
    time.uptime = 1
    await StartLimit.$current.withValue(limit) { _ = try? await transport.send(.sample(), through: .at(server.url)) }
    #expect(try server.received().count == (isStillDue ? 1 : 0))
    #expect(limit.hasRefused != isStillDue)
  }
}
