import CivilTime
import ConfigKeys

/// The section of a store, or the part of a sink's section that is like a store's.
public struct PluginSection: Sendable {
  /// The key that names the type of store or sink.
  static let typeKey = RequiredConfigKey("type", .line, "The kind of store or sink.")

  /// The type of store or sink.
  public let type: String
  /// The values, checked against the keys of the plug-in.
  public let section: ConfigSection
}

/// The section of a sink.
public struct SinkSection: Sendable {
  /// The name in the config.
  public let name: String
  /// The type of sink.
  public let type: String
  /// Whether the sink gets reminders.
  public let isEnabled: Bool
  /// The age in seconds, counted from the first permitted attempt, at which a delivery is given up.
  public let retryMaxAge: Int
  /// The hours in which nothing is sent; `nil` for none.
  public let quietHours: QuietHours?
  /// The limit on attempts per interval; `nil` for none.
  public let rateLimit: RateLimit?
  /// The name of the sink that gets notices about failed deliveries of this one.
  public let onFailure: Located<String>?
  /// The values, checked against the keys of the plug-in and those of every sink.
  public let section: ConfigSection

  init(name: String, plugin: PluginSection) {
    self.name = name
    type = plugin.type
    isEnabled = plugin.section.value(SinkSection.enabled)
    retryMaxAge = plugin.section.value(SinkSection.retry)
    quietHours = plugin.section.value(SinkSection.quiet)
    rateLimit = plugin.section.value(SinkSection.rate)
    onFailure = plugin.section.value(SinkSection.failure)
    section = plugin.section
  }

  private static let enabled = ConfigKey("enabled", .boolean, default: true, "Whether the sink gets anything.")
  private static let maxAge = ConfigKey(
    "max_age", .duration(atLeast: 60), default: 86_400, "How long a delivery is tried again before it is given up.")
  private static let retry = ConfigKey(
    "retry", .section([maxAge]) { $0.value(maxAge) }, default: maxAge.defaultValue,
    "How deliveries that failed are tried again.")

  private static let quiet = ConfigKey(
    "quiet_hours", optional: QuietHours.configType, "The hours in which it gets nothing; what fires then is held.")
  private static let rate = ConfigKey(
    "rate_limit", optional: .rateLimit, "How many attempts may begin within a second, minute, hour or day.")
  private static let failure = ConfigKey(
    "on_failure", optional: .located(.line), "The sink that is told when a delivery is given up.")

  /// The keys of every sink besides `type`.
  static let keys: [any ConfigKeyDescription] = [enabled, retry, quiet, rate, failure]
}

extension ConfigType where Value == PluginSection {
  /// The section of a plug-in, selected by its key `type`.
  ///
  /// - Parameters:
  ///   - kind: `store` or `sink`, for messages.
  ///   - keys: the keys of every such section besides `type`.
  static func plugin(_ kind: String, _ plugins: [PluginDescription], keys: [any ConfigKeyDescription]) -> ConfigType {
    let common = [PluginSection.typeKey as any ConfigKeyDescription] + keys
    let shape = ConfigShape.plugin(common, plugins)
    return ConfigType(shape: shape) { node, report in
      guard case .mapping(let entries) = node.content else {
        report.mismatch(node, shape)
        return nil
      }
      guard let type = entries.first(where: { $0.key == "type" })?.value else {
        // Without a type, any plug-in's key is accepted; a key that none has is misspelt, perhaps `type` itself.
        let section = ConfigSection(
          entries, at: node.position, keys: common + plugins.flatMap(\.keys).map(UncheckedKey.init),
          context: report.context)
        report.append(section.diagnostics)
        return nil
      }
      guard let name = ConfigType<String>.line.decode(type, &report) else { return nil }
      guard let plugin = plugins.first(where: { $0.type == name }) else {
        report.error(message(unknown: name, kind: kind, known: plugins.map(\.type)), at: type.position)
        return nil
      }
      var section = ConfigSection(entries, at: node.position, keys: common + plugin.keys, context: report.context)
      plugin.check(&section)
      report.append(section.drainDiagnostics())
      return PluginSection(type: name, section: section)
    }
  }

  private static func message(unknown name: String, kind: String, known: [String]) -> String {
    let message = "unknown \(kind) type \(inQuotes(name)): known are \(known.joined(separator: ", "))"
    guard let nearest = Suggestion.nearest(to: name, among: known) else { return message }
    return "\(message); did you mean \(inQuotes(nearest))?"
  }
}

/// A key whose value is not checked.
private struct UncheckedKey: ConfigKeyDescription {
  let key: any ConfigKeyDescription

  init(_ key: any ConfigKeyDescription) { self.key = key }

  var names: [String] { key.names }
  var summary: String { key.summary }
  var shape: ConfigShape { key.shape }
  func shape(of name: String) -> ConfigShape { key.shape(of: name) }
  var isRequired: Bool { false }
  var defaultText: String? { key.defaultText }

  func read(from section: inout ConfigSection) -> (any Sendable)? { nil }
}
