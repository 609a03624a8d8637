import Foundation

/// Prometheus' Alertmanager with one webhook, without waiting for further alerts of a group.
final class Alertmanager {
  static let name = "Alertmanager"
  /// The process.
  let process: RunningProcess
  /// The URL of its page of alerts.
  var url: String { "http://127.0.0.1:\(port)/" }
  private let port: Int
  private let folder: String
  private let curl: String

  /// Starts it and waits until it listens; it sends a new alert after `wait`.
  init(_ bench: Bench, hook: String, wait: String = "0s") throws {
    let program = try Surroundings.program("prometheus-alertmanager", package: "prometheus-alertmanager")
    curl = try Surroundings.program("curl", package: "curl")
    port = try Port.free()
    folder = try bench.scratch.folder("alertmanager-\(port)")
    let config = """
      route: { receiver: hook, group_by: ['...'], group_wait: \(wait), group_interval: 5m, repeat_interval: 4h }
      receivers: [ { name: hook, webhook_configs: [ { url: '\(hook)', send_resolved: false } ] } ]

      """
    try config.write(toFile: "\(folder)/config.yml", atomically: false, encoding: .utf8)
    let command = Command(
      program: program,
      arguments: [
        "--config.file=\(folder)/config.yml", "--storage.path=\(folder)/data", "--cluster.listen-address=",
        "--web.listen-address=127.0.0.1:\(port)", "--log.level=error",
      ], environment: Surroundings.variables(home: folder))
    process = try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch)
    try process.waitUntilListening(on: port)
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
    let file = "\(folder)/alerts.json"
    try "[\(alerts.joined(separator: ","))]".write(toFile: file, atomically: false, encoding: .utf8)
    let command = Command(
      program: curl,
      arguments: [
        "-sSf", "--noproxy", "*", "-H", "Content-Type: application/json", "-d", "@\(file)",
        "http://127.0.0.1:\(port)/api/v2/alerts",
      ], environment: Surroundings.variables(home: folder))
    let start = Clock.wall
    _ = try command.output()
    return start
  }
}
