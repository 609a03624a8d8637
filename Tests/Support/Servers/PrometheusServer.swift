import BelfryTestKit
import Foundation

/// Debian's Prometheus. It reads the metric `load` every second. Its one rule is the alert `HighLoad`, while that is
/// over 0.
package final class PrometheusServer: Sendable {
  private let source: ServerProcess
  private let process: ServerProcess

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - receiver: the host and port that takes its alerts.
  ///   - token: the token for it.
  ///   - labels: more labels of the alert, as a YAML mapping.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(alerting receiver: String, token: String? = nil, labels: String) throws {
    let (source, target) = try ServerProcess.onFreePort { port in
      let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      let server = try ServerProcess(
        ServerProcess.python, ["-m", "http.server", "\(port)", "--bind", "127.0.0.1", "--directory", folder.path],
        in: folder)
      try server.waitUntilListening(on: port)
      return (server, "127.0.0.1:\(port)")
    }
    self.source = source
    let access = token.map { "authorization: { credentials: \($0) }, " } ?? ""
    let configuration = """
      global: { scrape_interval: 1s, evaluation_interval: 1s }
      rule_files: [rules.yml]
      scrape_configs: [{ job_name: load, static_configs: [{ targets: ["\(target)"] }] }]
      alerting: { alertmanagers: [{ \(access)static_configs: [{ targets: ["\(receiver)"] }] }] }

      """
    let rules = """
      groups:
        - name: load
          rules:
            - { alert: HighLoad, expr: load > 0, labels: \(labels), annotations: { summary: "load is {{ $value }}" } }

      """
    process = try ServerProcess.onFreePort { port in
      let folder = try TemporaryFolder()
      for (name, text) in [("prometheus.yml", configuration), ("rules.yml", rules)] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
      }
      let process = try ServerProcess(
        "/usr/bin/prometheus",
        [
          "--config.file=\(folder.file("prometheus.yml"))", "--storage.tsdb.path=\(folder.file("data"))",
          "--web.listen-address=127.0.0.1:\(port)",
        ], in: folder)
      try process.waitUntilListening(on: port)
      return process
    }
  }

  package func setLoad(_ load: Int) throws {
    try Data("load \(load)\n".utf8).write(to: URL(fileURLWithPath: source.folder.file("metrics")), options: .atomic)
  }

  package var log: String { process.log }
}
