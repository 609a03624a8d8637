import ConfigKeys
import Transport

/// A URL that the daemon requests regularly, so that a monitoring service notices when it stops.
public struct Heartbeat: Hashable, Sendable {
  /// The URL, a secret.
  public var url: SecretSource
  /// The interval in seconds.
  public var every: Int

  /// A heartbeat.
  package init(url: SecretSource, every: Int = 300) {
    self.url = url
    self.every = every
  }
}

extension Heartbeat {
  private static let urlKey = SecretKey(
    "url", "The http or https URL to ask for, kept as a secret.", isRequired: true
  ) { secret throws(ConfigProblem) in _ = try ServerURL(secret.revealed, schemes: ["http", "https"]) }
  private static let everyKey = ConfigKey(
    "every", .duration(atLeast: 60), default: 300, "How often, while the daemon works.")

  /// The section `heartbeat`.
  static let configType = ConfigType<Heartbeat>.section([urlKey, everyKey]) { section in
    section.value(urlKey).map { Heartbeat(url: $0, every: section.value(everyKey)) }
  }
}

/// The section `metrics`.
enum MetricsSection {
  private static let file = RequiredConfigKey(
    "file", .path, "The file, written each minute in the text format of Prometheus, for node_exporter's collector.")

  static let configType = ConfigType<String>.section([file]) { section in section.value(file) }
}
