import CivilTime
import ConfigKeys

/// The section of the store.
public struct StoreSection: Sendable {
  /// The plug-in, with the values of the section.
  public let plugin: any StorePlugin

  /// The word after `type:` in the store's section.
  public var type: String { Swift.type(of: plugin).type }

  /// The section, for its secrets.
  package let section: ConfigSection

  /// True if the store is on a server.
  package var isOnServer: Bool { Swift.type(of: plugin).isOnServer }
}

/// The section of a sink.
public struct SinkSection: Sendable {
  private let draft: SinkDraft
  /// The plug-in, with the values of its own keys.
  public let plugin: any SinkPlugin

  init?(_ draft: SinkDraft) {
    guard let plugin = draft.plugin else { return nil }
    self.draft = draft
    self.plugin = plugin
  }

  /// The name in the config.
  public var name: String { draft.name }
  /// The word after `type:` in the sink's section.
  public var type: String { Swift.type(of: plugin).type }
  /// True if the sink gets reminders.
  public var isEnabled: Bool { draft.isEnabled }
  /// The age in seconds, counted from the first permitted attempt, at which a delivery is given up.
  public var retryMaxAge: Int { draft.retry.maxAge }
  /// The hours in which nothing is sent; `nil` for none.
  public var quietHours: QuietHours? { draft.quietHours }
  /// The limit on attempts per interval; `nil` for none.
  public var rateLimit: RateLimit? { draft.rateLimit }
  /// The name of the sink that gets notices about failed deliveries of this one.
  public var onFailure: Located<String>? { draft.onFailure }
  /// The name of the only machine whose daemon sends through it; `nil` for any.
  public var host: String? { draft.host }
  /// The section, for the positions of its keys and its secrets.
  package var section: ConfigSection { draft.section }
}

/// The section of a sink, which may be invalid.
struct SinkDraft: NamedDraft {
  var name = ""
  fileprivate(set) var isEnabled = true
  fileprivate var retry = RetrySection()
  fileprivate(set) var quietHours: QuietHours?
  fileprivate var rateLimit: RateLimit?
  fileprivate(set) var onFailure: Located<String>?
  fileprivate(set) var host: String?
  fileprivate let plugin: (any SinkPlugin)?
  fileprivate let section: ConfigSection

  /// The place of its type.
  var position: SourcePosition { section.position(of: ConfigSchema.typeKey) }
  /// True if it belongs to one machine, and does not say to which one.
  var lacksHost: Bool { host == nil && plugin.map { type(of: $0).isOnMachine } ?? false }
  /// The reason why it needs a `web.public_url` with https; `nil` if it needs none.
  var webFaceNeed: String? { plugin?.webFaceNeed }

  fileprivate init(_ section: inout ConfigSection, _ plugin: (any SinkPlugin.Type)?) {
    section.read("enabled", &isEnabled, .boolean, "Whether the sink is used.")
    section.read("retry", &retry, RetrySection.configType, "The retries of failed deliveries.")
    section.read(
      "quiet_hours", &quietHours, QuietHours.configType,
      "The hours in which nothing is sent; reminders that fire then are held.")
    section.read(
      "rate_limit", &rateLimit, .rateLimit, "The maximum number of attempts per second, minute, hour or day.")
    section.read("on_failure", &onFailure, .located(.line), "The sink that gets a notice when a delivery is given up.")
    section.read(
      "host", &host, .line,
      "The machine whose daemon sends through the sink, where several share a store: the name that `hostname` prints.")
    self.plugin = plugin?.init(&section)
    self.section = section
  }
}

/// The section `retry` of a sink.
private struct RetrySection: Sendable {
  var maxAge = 86_400

  static let configType = ConfigType<RetrySection>.section { section in
    var retry = RetrySection()
    section.read(
      "max_age", &retry.maxAge, .duration(atLeast: 60),
      "The time for which a delivery is retried before it is given up.")
    return retry
  }
}

extension ConfigType where Value == StoreSection {
  /// The section of one of these stores.
  static func store(_ stores: [any StorePlugin.Type]) -> ConfigType {
    plugin("store", stores.map { $0 }) { section, index in
      index.flatMap { stores[$0].init(&section) }.map { StoreSection(plugin: $0, section: section) }
    }
  }
}

extension ConfigType where Value == [SinkDraft] {
  /// The sections of sinks, each of one of these types.
  static func sinks(_ sinks: [any SinkPlugin.Type]) -> ConfigType {
    let sink = ConfigType<SinkDraft>.plugin("sink", sinks.map { $0 }) { section, index in
      SinkDraft(&section, index.map { sinks[$0] })
    }
    return .map(of: sink)
  }
}

extension ConfigType {
  /// The section of a plug-in, selected by its key `type`.
  ///
  /// - Parameters:
  ///   - kind: `store` or `sink`, for messages.
  ///   - plugins: the plug-ins, which are converted one by one, since the conversion of a whole array looks up a
  ///     conformance for each.
  ///   - read: reads the keys of every such section, and those of the plug-in with this index, if there is one.
  fileprivate static func plugin(
    _ kind: String, _ plugins: [any ConfigPlugin.Type],
    read: @escaping @Sendable (inout ConfigSection, Int?) -> Value?
  ) -> ConfigType {
    @Sendable func shape() -> ConfigShape {
      let keys = ConfigSection.keys { section in
        _ = section.pluginType()
        _ = read(&section, nil)
      }
      return .plugin(keys, plugins)
    }
    return ConfigType(shape: shape()) { node, report in
      guard case .mapping(let entries) = node.content else {
        report.mismatch(node, shape())
        return nil
      }
      var section = ConfigSection(entries, at: node.position, context: report.context)
      let type = section.pluginType()
      let index = plugins.firstIndex { $0.type == type?.value }
      if let type, index == nil {
        report.error(message(unknown: type.value, kind: kind, known: plugins.map { $0.type }), at: type.position)
      }
      let value = read(&section, index)
      // Without a known type, any plug-in's key is accepted; a key that no plug-in has is misspelt, perhaps `type` itself.
      let others = index == nil ? plugins.flatMap { $0.keys.flatMap(\.names) } : []
      report.append(section.finish(knowing: others))
      return value
    }
  }

  private static func message(unknown name: String, kind: String, known: [String]) -> String {
    let message = "unknown \(kind) type \(inQuotes(name)): known are \(known.joined(separator: ", "))"
    guard let nearest = Suggestion.nearest(to: name, among: known) else { return message }
    return "\(message); did you mean \(inQuotes(nearest))?"
  }
}

extension ConfigSection {
  fileprivate mutating func pluginType() -> Located<String>? {
    require(ConfigSchema.typeKey, .located(.line), "The type of store or sink.")
  }
}
