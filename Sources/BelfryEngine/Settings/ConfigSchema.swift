import ConfigKeys

/// Everything that a config may say: the keys of Belfry itself, and the stores and sinks that there are.
public struct ConfigSchema: Sendable {
  /// The stores.
  public let stores: [PluginDescription]
  /// The sinks.
  public let sinks: [PluginDescription]

  let storeKey: ConfigKey<PluginSection?>
  let sinksKey: ConfigKey<[SinkSection]?>

  /// The schema with these stores and sinks.
  public init(stores: [PluginDescription], sinks: [PluginDescription]) {
    self.stores = stores
    self.sinks = sinks
    storeKey = ConfigKey("store", optional: .plugin("store", stores, keys: []), "Where the items live.")
    let sink = ConfigType<PluginSection>.plugin("sink", sinks, keys: SinkSection.keys)
    sinksKey = ConfigKey(
      "sinks", optional: .map(of: sink) { SinkSection(name: $0, plugin: $1) },
      "Where reminders go, each sink under a name of your choice.")
  }

  /// The keys at the top of the file, in the order in which a reference shows them.
  public var keys: [any ConfigKeyDescription] { [storeKey, sinksKey] + Settings.keys }
}
