import BelfryConfig
import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys

/// The config of one sink, and what `belfry config check` tells of it.
package struct SinkConfig {
  private let head: String
  private let loader: ConfigLoader

  /// The config of a sink.
  ///
  /// - Parameter name: its name, by which the config calls it.
  package init(
    _ plugin: any SinkPlugin.Type, called name: String, variables: [String: String] = [:],
    templates: (any TemplateLanguage)? = nil
  ) {
    head = "sinks:\n  \(name):\n    type: \(plugin.type)\n"
    loader = ConfigLoader(
      schema: ConfigSchema(stores: [UnopenedStore.self], sinks: [plugin]),
      environment: ConfigEnvironment(variables: variables, home: "/home/me", workingDirectory: "/work"),
      zones: ZoneDatabase(environment: [:]), templates: templates)
  }

  /// The config with these lines after the sink's type, each indented by four spaces.
  package func load(_ section: String) throws(ConfigurationError) -> Configuration {
    try loader.load(bytes: Array((head + section).utf8), name: "x")
  }

  /// The lines that tell of the errors in such a config, or else of its warnings.
  package func complaints(_ section: String) -> [String] {
    do throws(ConfigurationError) {
      return try load(section).warnings.map { $0.line(file: "x") }
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }
}
