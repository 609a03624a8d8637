import Foundation
import TestSupport
import Testing

/// A daemon that is killed at each call on its store while it delivers to a service, and while it takes the answer.
@Suite("kill -9 at each call of a delivery to a service")
struct ServiceKillTests {
  enum Service: String, CaseIterable {
    case gotify, pushover, matrix, apprise, homeassistant, webpush
  }

  private struct Fixture {
    let service: Service
    let server: HTTPCollector
    let box: Sandbox
    /// Requests before this one are of earlier rounds.
    var known = 0
    var rounds = 0

    init(_ service: Service) async throws {
      self.service = service
      server = try HTTPCollector(answers: [.init(service == .webpush ? 201 : 200, body: Self.reply(of: service))])
      let url = "\(server.url)?token=app&user=anna"
      let origin = server.url.replacing("/hook", with: "")
      let sink =
        service == .webpush
        ? "{ type: webpush, path: push.sqlite, contact: me@example.org, origins: [\"\(origin)\"] }"
        : "{ type: webhook, format: \(service.rawValue), url: \"\(url)\" }"
      box = try Sandbox(sinks: ["phone: \(sink)"], more: "alert: { urgency: critical }\n")
      guard service == .webpush else { return }
      _ = try await box.fixture("subscription.py", [box.path("push.sqlite"), "\(server.url)/browser"], by: "python3")
    }

    // Every emergency of Pushover was acknowledged when it is asked for.
    private static func reply(of service: Service) -> String {
      let receipt = String(repeating: "r", count: 30)
      return service == .homeassistant
        ? "[]"
        : """
        {"id":1,"event_id":"$event:example.org","status":1,"receipt":"\(receipt)","acknowledged":1,\
        "acknowledged_at":1795248090,"expired":0}
        """
    }

    /// Runs the daemon once, killed at a call; where it is, it runs once more.
    ///
    /// - Returns: whether it was killed.
    private func run(killedAt call: TracedCalls.Call?) async throws -> Bool {
      let options = RunOptions(prefix: box.tracing(.sqlite, injecting: call?.kill))
      let outcome = try await box.run([Programs.belfry, "run", "--once"], options)
      let isKilled = outcome.end == .signalled(SIGKILL)
      if isKilled { try await box.belfry("run", "--once").requireDone() } else { #expect(outcome.isDone, "\(outcome)") }
      return isKilled
    }

    /// Rings an item, and has its answer taken.
    ///
    /// - Returns: whether the delivery was killed, and the calls that it made.
    mutating func round(killedAt call: TracedCalls.Call?) async throws -> (isKilled: Bool, calls: TracedCalls) {
      let name = call.map { "\($0)" } ?? "undisturbed"
      rounds += 1
      try await box.addDueItems(["Item \(rounds)"])
      let isKilled = try await run(killedAt: call)
      let calls = TracedCalls(box.trace)
      if service == .pushover {
        _ = try await run(killedAt: call)
        try await box.belfry("run", "--once").requireDone()
      }
      let requests = try server.received().dropFirst(known).filter { $0.method != "GET" }
      known = try server.received().count
      let sent = requests.filter { !$0.path.contains("/receipts/") }
      #expect(isKilled ? 1...2 ~= sent.count : sent.count == 1, "\(name): \(sent)")
      let identities = try Set(sent.map { try identity($0) })
      #expect(identities.count == 1, "\(name): repeated under another identity: \(sent)")
      guard service == .pushover else { return (isKilled, calls) }
      let tag = try #require(identities.first?.last ?? nil)
      let ended = requests.filter { $0.path.contains("/receipts/") }.map(\.path)
      #expect(1...2 ~= ended.count && Set(ended) == ["/receipts/cancel_by_tag/\(tag).json"], "\(name): \(ended)")
      let answers = try #require(try await box.json("answers", "-n", "1000").elements)
      #expect(answers.count == rounds && answers.first?["effect"] == .text("done"), "\(name): \(answers)")
      return (isKilled, calls)
    }

    /// By which a service, or who gets what it passes on, tells a repeat.
    private func identity(_ request: HTTPCollector.Request) throws -> [String?] {
      switch service {
      case .webpush: [request.path, request.field("Topic")]
      case .matrix: [request.path, request.field("webhook-id")]
      case .pushover: [request.field("webhook-id"), try JSON(request.text)["tags"]?.text]
      case .gotify, .apprise, .homeassistant: [request.field("webhook-id")]
      }
    }
  }

  @Test(
    "each reminder arrives, repeated with one identity at most once, and is answered once", arguments: Service.allCases)
  func killed(service: Service) async throws {
    var fixture = try await Fixture(service)
    let calls = try await fixture.round(killedAt: nil).calls.chosen()
    var kills = 0
    for call in calls where ["pwrite64", "fdatasync"].contains(call.kind) {
      if try await fixture.round(killedAt: call).isKilled { kills += 1 }
    }
    #expect(kills >= 4, "\(kills) kills at \(calls)")
    let deliveries = try await fixture.box.deliveries(of: "phone")
    #expect(deliveries.allSatisfy { $0["state"] == .text("delivered") }, "\(deliveries)")
    #expect(try await fixture.box.belfry("store", "check").isDone)
  }
}
