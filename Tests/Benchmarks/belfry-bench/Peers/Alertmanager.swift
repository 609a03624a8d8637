import Foundation

/// Prometheus' Alertmanager with one webhook, without waiting for further alerts of a group.
final class Alertmanager {
  static let name = "Alertmanager"
  var process: RunningProcess { server.process }
  /// The URL of its page of alerts.
  var url: String { "http://127.0.0.1:\(server.port)/" }
  private let server: PeerServer
  private let curl: String

  /// Starts it and waits until it listens; it sends a new alert after `wait`.
  init(_ bench: BenchRun, hook: String, wait: String = "0s") throws {
    curl = try Surroundings.program("curl", package: "curl")
    server = try PeerServer("prometheus-alertmanager", package: "prometheus-alertmanager", bench) { _, _ in
      """
      route: { receiver: hook, group_by: ['...'], group_wait: \(wait), group_interval: 5m, repeat_interval: 4h }
      receivers: [ { name: hook, webhook_configs: [ { url: '\(hook)', send_resolved: false } ] } ]

      """
    } arguments: { port, folder, config in
      [
        "--config.file=\(config)", "--storage.path=\(folder)/data", "--cluster.listen-address=",
        "--web.listen-address=127.0.0.1:\(port)", "--log.level=error",
      ]
    }
    bench.introduce(
      PeerDescription(
        Self.name, version: try Surroundings.packageVersion("prometheus-alertmanager"),
        "a group for each alert, `group_wait: 0s`, no cluster; what it sends is recorded every 15 minutes"))
  }

  /// Sends alerts, all at once.
  ///
  /// - Returns: the time, in seconds since 1970.
  func alert(_ count: Int, round: Int) throws -> Double {
    let alerts = (0..<count).map { #"{"labels":{"alertname":"Item \#($0)","round":"\#(round)"}}"# }
    let file = "\(server.folder)/alerts.json"
    try "[\(alerts.joined(separator: ","))]".write(toFile: file, atomically: false, encoding: .utf8)
    let command = Command(
      program: curl,
      arguments: [
        "-sSf", "--noproxy", "*", "-H", "Content-Type: application/json", "-d", "@\(file)",
        "\(url)api/v2/alerts",
      ], environment: Surroundings.variables(home: server.folder))
    let start = Clock.wall
    _ = try command.output()
    return start
  }
}
