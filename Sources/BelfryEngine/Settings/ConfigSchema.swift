import ConfigKeys

/// The keys of a config: Belfry's own, and those of the stores and sinks.
public struct ConfigSchema: Sendable {
  /// The stores.
  public let stores: [PluginDescription]
  /// The sinks.
  public let sinks: [PluginDescription]

  let storeKey: ConfigKey<PluginSection?>
  let sinksKey: ConfigKey<[SinkSection]?>

  /// The schema with these stores and sinks.
  package init(stores: [PluginDescription], sinks: [PluginDescription]) {
    self.stores = stores
    self.sinks = sinks
    storeKey = ConfigKey("store", optional: .plugin("store", stores, keys: []), "Where the items live.")
    let sink = ConfigType<PluginSection>.plugin("sink", sinks, keys: SinkSection.keys)
    sinksKey = ConfigKey(
      "sinks", optional: .map(of: sink) { SinkSection(name: $0, plugin: $1) },
      "Where reminders go, each sink under a name of your choice.")
  }

  /// The top-level keys, in the order of the reference.
  public var keys: [any ConfigKeyDescription] { [storeKey, sinksKey] + Settings.keys }
}
