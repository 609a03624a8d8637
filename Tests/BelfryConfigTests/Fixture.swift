import BelfryConfig
import BelfryEngine
import CivilTime
import ConfigKeys
import Foundation
import TestSupport

/// Stand-ins for stores and sinks, and configs checked against them.
enum Fixture {
  enum Format: String, CaseIterable { case text, json }
  enum Encryption: String, CaseIterable { case required, opportunistic, none }

  static let path = RequiredConfigKey("path", .path, "The file.")
  static let format = ConfigKey("format", .choice(Format.self), default: .text, "How a line looks.")

  static let url = RequiredConfigKey("url", .line, "The server.")
  static let tls = ConfigKey("tls", .choice(Encryption.self), default: .required, "Encryption.")
  static let recipients = ConfigKey("to", .list(of: .line), default: [], "The recipients.")
  static let subject = ConfigKey("subject", optional: .text, "The subject.")
  static let timeout = ConfigKey("timeout", .duration(atLeast: 1), default: 15, "How long to wait.")
  static let concurrency = ConfigKey("concurrency", .integer(1...64), default: 16, "How many at once.")
  static let cc = ConfigKey("cc", optional: .list(of: .located(.line)), "More recipients.")
  static let quietFrom = ConfigKey("quiet_from", optional: .timeOfDay, "When the night begins.")

  static let schema = ConfigSchema(
    stores: [
      PluginDescription(type: "sqlite", summary: "a database", keys: [path]),
      PluginDescription(type: "json", summary: "a file", keys: [path]),
    ],
    sinks: [
      PluginDescription(type: "stdout", summary: "prints", keys: [format]),
      PluginDescription(
        type: "email", summary: "mails", keys: [url, tls, recipients, subject, timeout, concurrency, cc, quietFrom]
      ) { section in
        if section.value(tls) == .required, section.value(url)?.hasPrefix("plain:") == true {
          section.error("'tls: required' needs another url", at: section.position(of: url.name))
        }
        if section.value(concurrency) > 32 {
          section.warning("more than 32 at once is a lot", at: section.position(of: concurrency.name))
        }
      },
    ])

  static let zones = ZoneDatabase(environment: [:])

  static func environment(_ variables: [String: String] = ["HOME": "/home/me"]) -> ConfigEnvironment {
    ConfigEnvironment(variables: variables, workingDirectory: "/work")
  }

  static func loader(_ variables: [String: String] = ["HOME": "/home/me"]) -> ConfigLoader {
    ConfigLoader(schema: schema, environment: environment(variables), zones: zones)
  }

  /// The config of a text, as if read from `/etc/belfry/x.yaml`.
  static func load(_ text: String) throws(ConfigurationError) -> Configuration {
    try load(bytes: Array(text.utf8))
  }

  static func load(bytes: [UInt8]) throws(ConfigurationError) -> Configuration {
    try loader().load(bytes: bytes, name: "x.yaml", directory: "/etc/belfry")
  }

  /// The errors in a text as the user sees them, or else its warnings.
  static func complaints(_ text: String) -> [String] { complaints(bytes: Array(text.utf8)) }

  static func complaints(bytes: [UInt8]) -> [String] {
    do throws(ConfigurationError) {
      return try load(bytes: bytes).warnings.map { $0.line(file: "x.yaml") }
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  /// The paths of all configs in the checkout.
  static func shipped() throws -> [String] {
    let examples = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.file("Config/examples").path)
    return ["Config/belfry.yaml"] + examples.filter { $0.hasSuffix(".yaml") }.sorted().map { "Config/examples/\($0)" }
  }
}
