import Foundation
import TestSupport
import Testing

@Suite("Prometheus and Alertmanager with the web face")
struct PrometheusTests {
  private static let labels = "{ belfry_list: Servers, belfry_category: alert }"

  private let box: Sandbox

  init() async throws {
    box = try Sandbox()
    let more =
      "web: { listen: '127.0.0.1:0' }\ncategories: { alert: { actions: [{ identifier: seen, title: Seen }] } }\n"
    try box.write(Sandbox.defaultConfig + more, to: "belfry.yaml")
    try await box.belfry("list", "create", "Servers").requireDone()
  }

  private func token() async throws -> String {
    let added = try await box.belfry("access", "add", "monitor", "--scope", "edit")
    return added.output.trimmingCharacters(in: .newlines)
  }

  /// Waits for the items of a query.
  private func wait(for ids: [Int64], _ query: String, _ monitor: PrometheusServer) async throws {
    try await waitUntil("'\(query)' shows \(ids): \(monitor.log.suffix(2_000))") {
      try await box.ids("show", query) == ids
    }
  }

  /// Lets the alert fire, end and fire again.
  private func watch(_ monitor: PrometheusServer) async throws {
    try monitor.setLoad(1)
    try await wait(for: [1], "--all", monitor)
    let item = try #require(try await box.json("show").elements?.first)
    #expect(item["text"] == .text("Alert HighLoad: load is 1") && item["list"] == .text("Servers"), "\(item)")
    #expect(item["category"] == .text("alert") && item["should_remind"] == .bool(true), "\(item)")
    try monitor.setLoad(0)
    try await wait(for: [1], "--checked", monitor)
    #expect(try await box.json("pending") == .array([]))
    try monitor.setLoad(1)
    try await wait(for: [], "--checked", monitor)
    #expect(try await box.ids("show") == [1])
  }

  @Test("what a rule of Prometheus finds is an item on the list of its label while it lasts")
  func direct() async throws {
    let face = try await box.webFace()
    let host = face.url.replacing("http://", with: "")
    try await watch(try PrometheusServer(alerting: host, token: try await token(), labels: Self.labels))
    #expect(await face.stop() == .exited(0))
  }

  @Test("the same comes through Alertmanager")
  func throughAlertmanager() async throws {
    let face = try await box.webFace()
    let manager = try AlertmanagerServer(postingTo: "\(face.url)/api/v1/alertmanager", token: try await token())
    let host = manager.url.replacing("http://", with: "").prefix { $0 != "/" }
    try await watch(try PrometheusServer(alerting: String(host), labels: Self.labels))
    #expect(await face.stop() == .exited(0))
  }
}
