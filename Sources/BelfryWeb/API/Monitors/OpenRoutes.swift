import BelfryEngine
import BelfryModel
import Hummingbird
import NIOCore

/// The routes for monitors: liveness, readiness and metrics.
struct OpenRoutes: RouteGroup {
  let calls: StoreCalls
  let log: EventLog

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/healthz", right: .none) { _, _ in Response.text("ok\n") },
      WebRoute(method: .get, path: "/readyz", right: .none) { _, _ in try await ready() },
      WebRoute(method: .get, path: "/metrics", right: .allLists(.read)) { _, _ in try await metrics() },
    ]
  }

  private func metrics() async throws -> Response {
    let now = calls.belfry.time.now
    return .text(try await calls.read { try Metrics($0.view, version: BelfryVersion.current, now: now).text })
  }

  // Ready while the store can be read.
  private func ready() async throws -> Response {
    do {
      try await calls.run { belfry in _ = try belfry.store.read { try $0.plannedZone() } }
    } catch {
      log(Event(.warning, error))
      throw Problem(.serviceUnavailable, "the store cannot be read", hint: "belfry doctor tells why", retryAfter: 5)
    }
    return Response.text("ready\n")
  }
}

extension Response {
  /// A reply in plain text.
  static func text(_ text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
