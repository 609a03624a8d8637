import BelfryTestKit
import CurlTransport
import CivilTime
import Foundation
import Synchronization
import TestSupport
import Testing
import Transport

/// Attempts that may no longer start once their connection is open.
@Suite struct StartLimitTests {
  private let time = ManualTimeSource()
  private let transport = CurlTransport()

  @Test("a request that is in time is sent, also a second one of the same attempt after that")
  func inTime() async throws {
    let server = try HTTPCollector()
    let limit = StartLimit(before: 1, by: time)
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
    let limit = StartLimit(before: 1, by: time)
    time.uptime = 1
    limit.move(to: isStillDue ? 1.8 : nil)
    await StartLimit.$current.withValue(limit) { _ = try? await transport.send(.post(server.url)) }
    #expect(try server.received().count == (isStillDue ? 1 : 0))
    #expect(limit.hasRefused != isStillDue)
  }

  @Test("a mail that is too late is not begun, but for one that is still due", arguments: [false, true])
  func lateMail(isStillDue: Bool) async throws {
    let server = try MailCollector()
    let limit = StartLimit(before: 1, by: time)
    time.uptime = 1
    if isStillDue { limit.move(to: 1.8) }
    await StartLimit.$current.withValue(limit) { _ = try? await transport.send(.sample(), through: .at(server.url)) }
    #expect(try server.received().count == (isStillDue ? 1 : 0))
    #expect(limit.hasRefused != isStillDue)
  }

  @Test("a request whose kept connection was lost is repeated in time only", arguments: [false, true])
  func repeated(isInTime: Bool) async throws {
    let server = try RudeServer(.closingKept)
    let request = HTTPRequest.post("http://\(server.address)/", options: .patient)
    _ = try await transport.send(request)
    // The first request of the attempt is sent in time.
    let limit = StartLimit(before: 1, by: SlowingTime(later: isInTime ? 0.5 : 2))
    await StartLimit.$current.withValue(limit) {
      if isInTime {
        await #expect(throws: Never.self) { _ = try await transport.send(request) }
      } else {
        let failed = await failure { () async throws(TransferFailure) in try await transport.send(request) }
        #expect(failed?.kind == .interrupted && failed?.reason.contains("too late") == true, "\(failed?.reason ?? "")")
      }
    }
    // The attempt begins anew. It is not known whether the lost request arrived.
    #expect(limit.hasRefused == !isInTime)
    #expect(limit.hasLostRequest == !isInTime)
  }

  @Test("an attempt that has sent other requests does not begin anew where one of them is not repeated")
  func secondRequest() {
    let limit = StartLimit(before: 1, by: time)
    #expect(limit.allowsStart())
    time.uptime = 2
    #expect(limit.allowsStart())
    #expect(!limit.allowsRepetition())
    #expect(!limit.hasRefused && !limit.hasLostRequest)
  }

  @Test("a limit that no transport has asked yet can be moved, others are over")
  func moves() {
    let limit = StartLimit(before: 1, by: time)
    #expect(limit.end == 1)
    limit.move(to: nil)
    #expect(limit.end == nil && !limit.hasRefused)
    #expect(!limit.allowsStart() && limit.hasRefused)
    limit.move(to: 5)
    #expect(!limit.allowsStart() && limit.end == nil)
  }
}

/// A clock that stands at 0 when it is first looked at, and at another time from then on.
private final class SlowingTime: TimeSource {
  private let later: Double
  private let looks = Atomic(0)

  init(later: Double) { self.later = later }

  var now: Date { Sample.now }
  var uptime: Double { looks.add(1, ordering: .relaxed).oldValue == 0 ? 0 : later }
}
