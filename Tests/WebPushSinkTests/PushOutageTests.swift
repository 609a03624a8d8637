import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore
import OrderedJSON
import Testing
import Transport

@testable import WebPushSink

@Suite("A push service that is dead for twelve hours")
struct PushOutageTests {
  private let fixture: PushFixture
  private let time = ManualTimeSource()
  private let store = MemoryStore()

  init() throws { fixture = try PushFixture() }

  private var belfry: Belfry {
    var settings = Settings()
    settings.timeZone = .named("UTC")
    return Belfry(store: store, settings: settings, time: time, zones: PushFixture.zones)
  }

  /// The accepted messages: the browser's endpoint and the notification's title of each.
  private func accepted(after count: Int) throws -> [String] {
    try fixture.requests.dropFirst(count).map { request in
      let json = try JSONValue(parsing: try #require(fixture.browser.opened(request.body)))
      return "\(request.url) \(json["title"]?.stringValue ?? "")"
    }
  }

  @Test("everything that rang meanwhile arrives within an hour of its return, once in each browser")
  func caughtUp() async throws {
    let browsers = (1...3).map { "\(PushFixture.endpoint)\($0)" }
    for (place, endpoint) in browsers.enumerated() { try fixture.subscribe("Browser \(place)", at: endpoint) }
    let start = time.now
    let titles = (0..<12).map { "Item \($0)" }
    for (hour, title) in titles.enumerated() {
      let due = Zone.utc.wallTime(at: start.addingTimeInterval(Double(hour) * 3_600 + 60))
      _ = try belfry.add(
        [ItemDraft(text: title, due: due, shouldRemind: true)], to: ListChoice("Inbox", createsMissing: true))
    }
    var daemon = try self.daemon()
    fixture.answer(503)
    let back = start.addingTimeInterval(12 * 3_600)
    var ticks = 0
    func run(until end: Date) async throws {
      while time.now < end {
        time.now = min(end, max(try await daemon.tick(), time.now.addingTimeInterval(1)))
        ticks += 1
        // The times of attempts are on disk.
        if ticks.isMultiple(of: 200) { daemon = try self.daemon() }
      }
    }
    try await run(until: back)
    let refused = fixture.requests
    // Each delivery after 5, 30, 120, 600 and 1800 seconds, then hourly.
    #expect((3 * 12 * 6...3 * 200).contains(refused.count), "\(refused.count)")
    #expect(try pending() == 36)
    let lives = refused.filter { $0.url == browsers[0] }.compactMap { Int($0.field("TTL") ?? "") }
    // A message lives as long as it is tried.
    #expect(lives.max() == 86_400 && lives.allSatisfy { $0 >= 43_200 }, "\(lives)")

    fixture.answer(201)
    try await run(until: back.addingTimeInterval(3_600))
    let expected = browsers.flatMap { browser in titles.map { "\(browser) \($0)" } }
    #expect(try accepted(after: refused.count).sorted() == expected.sorted())
    #expect(try pending() == 0)
  }

  private func daemon() throws -> TestDaemon {
    try TestDaemon(belfry, sinks: [ActiveSink(name: "phone", sink: fixture.sink)])
  }

  private func pending() throws -> Int {
    var count = 0
    try store.read { try $0.forEachDelivery(state: .pending, limit: nil) { _, _ in count += 1 } }
    return count
  }
}
