import ConfigKeys
import Transport

/// A URL that the daemon requests regularly, so that a monitoring service notices when it stops.
public struct Heartbeat: Hashable, Sendable {
  /// The `http` or `https` URL that is requested: a secret.
  public var url: SecretSource
  /// Seconds between two requests.
  public var every: Int

  package init(url: SecretSource, every: Int = 300) {
    self.url = url
    self.every = every
  }
}

extension Heartbeat {
  /// The section `heartbeat`.
  static let configType = ConfigType<Heartbeat>.section { section in
    var url: SecretSource?
    section.secret("url", &url, "The http or https URL to request, a secret.", isRequired: true) {
      secret throws(ConfigProblem) in
      _ = try ServerURL(secret.revealed, schemes: ["http", "https"])
    }
    var every = 300
    section.read("every", &every, .duration(atLeast: 60), "The interval of the requests.")
    return url.map { Heartbeat(url: $0, every: every) }
  }
}
