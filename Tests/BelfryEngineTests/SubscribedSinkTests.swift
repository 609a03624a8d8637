import BelfryTestKit
import Foundation
import Synchronization
import Testing

@testable import BelfryEngine
@testable import BelfryModel

@Suite("A sink of browsers that subscribed")
struct SubscribedSinkTests {
  private final class Browsers: SubscribedSink {
    /// How often all browsers of a person were looked up.
    let looks = Mutex(0)

    var subscriptionFile: String { "push" }
    var recipients: [String?] { recipients(of: nil) }
    var concurrency: Int { 1 }

    func recipients(of person: String?) -> [String?] {
      looks.withLock { $0 += 1 }
      return ["anna": ["phone", "laptop"], "ben": ["tablet"]][person ?? ""] ?? ["phone", "laptop", "tablet"]
    }
    var silence: String? { nil }
    func naming(webFace origin: String) -> any SubscribedSink { self }
    func refusal(ofEndpoint url: String) -> String? { nil }
    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
      .delivered(reply: "until \(attempt.endsAt.map { Int($0.timeIntervalSince(attempt.startedAt)) } ?? 0)")
    }
  }

  private let browsers: Browsers
  private let push: ActiveSink

  init() {
    browsers = Browsers()
    push = ActiveSink(name: "push", sink: browsers, retry: RetryPolicy(maxAge: 600))
  }

  private func fixture(to names: [String]) throws -> EngineFixture {
    var fixture = EngineFixture()
    fixture.settings.people = [
      Person(name: "anna", sinks: ["push"], address: "anna@example.org"), Person(name: "ben", sinks: ["push"]),
    ]
    fixture.settings.routes = [Route(sinks: names)]
    try fixture.add(due: "2026-11-21T09:01")
    fixture.time.advance(by: 60)
    return fixture
  }

  @Test(
    "what is for a person goes to their browsers, and never to their mail address",
    arguments: [
      (["anna"], ["phone", "laptop"]), (["ben"], ["tablet"]), (["push"], ["phone", "laptop", "tablet"]),
      (["anna", "ben"], ["phone", "laptop", "tablet"]),
    ])
  func recipients(names: [String], browsers: [String]) throws {
    let fixture = try fixture(to: names)
    _ = try fixture.belfry.claimDue(sinks: [push], limit: 10)
    #expect(try fixture.deliveries().map(\.recipient) == browsers)
  }

  @Test("an attempt knows until when it is tried, and a browser that has gone is the sink's to tell of")
  func attempts() async throws {
    let fixture = try fixture(to: ["anna"])
    _ = try fixture.belfry.claimDue(sinks: [push], limit: 10)
    let delivery = try #require(try fixture.deliveries().first)
    let message = try #require(try fixture.store.read { try $0.message(id: delivery.messageID) })
    var gone = delivery
    gone.recipient = "gone"
    let looks = browsers.looks.withLock { $0 }
    for delivery in [delivery, gone] {
      let attempt = await push.attempt(OutgoingDelivery(delivery: delivery, message: message), at: fixture.time.now)
      #expect(attempt.outcome == .delivered(reply: "until 600"))
    }
    #expect(browsers.looks.withLock { $0 } == looks, "each attempt looks up every browser")
  }
}
