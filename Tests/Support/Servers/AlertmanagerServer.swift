import BelfryTestKit
import Foundation

/// Debian's Alertmanager. It posts a new alert at once, again every second while it fires, and once when it is resolved.
package final class AlertmanagerServer: Sendable {
  /// The URL that takes alerts.
  package let url: String
  private let process: ServerProcess

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - receiver: the URL to which it posts.
  ///   - token: the token for it.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(postingTo receiver: String, token: String? = nil) throws {
    let access = token.map { ", http_config: { authorization: { credentials: \($0) } }" } ?? ""
    let configuration = """
      global: { resolve_timeout: 1d }
      route: { receiver: belfry, group_wait: 0s, group_interval: 1s, repeat_interval: 1s }
      receivers: [{ name: belfry, webhook_configs: [{ url: "\(receiver)"\(access) }] }]

      """
    (process, url) = try ServerProcess.onFreePort { port in
      let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder.file("alertmanager.yml")))
      let process = try ServerProcess(
        "/usr/bin/prometheus-alertmanager",
        [
          "--config.file=\(folder.file("alertmanager.yml"))", "--storage.path=\(folder.file("data"))",
          "--web.listen-address=127.0.0.1:\(port)", "--cluster.listen-address=",
        ], in: folder)
      try process.waitUntilListening(on: port)
      return (process, "http://127.0.0.1:\(port)/api/v2/alerts")
    }
  }
}
