import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import Foundation
import MemoryStore
import Synchronization
import Testing
import Transport

@testable import BelfryDaemon

/// A receiver of heartbeats, which may be unreachable.
private final class Listener: HTTPTransport {
  private let state = Mutex<(requests: [HTTPRequest], status: Int?)>(([], 200))

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The answer from now on; `nil` for none.
  func answer(_ status: Int?) { state.withLock { $0.status = status } }

  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse {
    let status = state.withLock { state in
      state.requests.append(request)
      return state.status
    }
    guard let status else { throw TransferFailure(.unreachable, "no route to \(request.url)") }
    return HTTPResponse(status: status)
  }

  func probe(url: String, options: TransferOptions) async throws(TransferFailure) {}
}

@Suite struct MonitoringTests {
  private let time = ManualTimeSource()
  private let listener = Listener()
  private let folder: TemporaryFolder
  private let monitoring: Monitoring
  private let events: AsyncStream<Event>

  init() throws {
    folder = try TemporaryFolder()
    let (events, told) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    monitoring = Monitoring(http: listener) { told.yield($0) }
  }

  private func belfry(_ change: (inout Settings) -> Void) -> Belfry {
    var settings = Settings()
    change(&settings)
    return Belfry(store: MemoryStore(), settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  private func nextEvent() async -> Event? {
    for await event in events { return event }
    return nil
  }

  @Test("the metrics name what there is, each with its type, and are replaced whole each minute")
  func metrics() throws {
    let path = folder.file("belfry.prom")
    let belfry = belfry { $0.metricsFile = path }
    _ = try belfry.add(
      [ItemDraft(text: "Milk", due: nil), ItemDraft(text: "Oats", due: nil)],
      to: ListChoice("Home", createsMissing: true))
    _ = try belfry.setChecked(true, [1])
    monitoring.ticked(belfry)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text.contains("# TYPE belfry_items gauge\nbelfry_items{checked=\"false\"} 1\nbelfry_items{checked=\"true\"} 1\n"))
    #expect(text.contains("belfry_last_tick_timestamp_seconds \(Int(time.now.timeIntervalSince1970))\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("# ") || $0.hasPrefix("belfry_") })
    _ = try belfry.delete([2])
    monitoring.ticked(belfry)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("belfry_items{checked=\"false\"} 0\n"))
    #expect(try folder.names() == ["belfry.prom"])
  }

  @Test("metrics that cannot be written are told once, and once more when they can")
  func unwritable() async throws {
    let belfry = belfry { $0.metricsFile = folder.file("missing/belfry.prom") }
    monitoring.ticked(belfry)
    monitoring.ticked(belfry)
    #expect(await nextEvent()?.message.hasSuffix("missing/belfry.prom.new: No such file or directory") == true)
    try FileManager.default.createDirectory(atPath: folder.file("missing"), withIntermediateDirectories: true)
    monitoring.ticked(belfry)
    #expect(await nextEvent() == Event(.info, "metrics: in order again"))
  }

  @Test("a heartbeat that does not arrive is told without its URL, and does not keep silent for long")
  func heartbeat() async throws {
    let url = SecretSource(Secret("https://example.org/ping/hush"))
    let belfry = belfry { $0.heartbeat = Heartbeat(url: url, every: 300) }
    listener.answer(nil)
    monitoring.ticked(belfry)
    let event = await nextEvent()
    #expect(event?.level == .warning && event?.message.contains("hush") == false)
    #expect(event?.message == "heartbeat: no route to <redacted>")
    listener.answer(200)
    time.advance(by: 299)
    monitoring.ticked(belfry)
    #expect(listener.requests.count == 1)
    time.advance(by: 1)
    monitoring.ticked(belfry)
    #expect(await nextEvent()?.level == .info)
    #expect(listener.requests.map(\.method) == ["GET", "GET"])
    #expect(listener.requests.map(\.url) == ["https://example.org/ping/hush", "https://example.org/ping/hush"])
  }
}
