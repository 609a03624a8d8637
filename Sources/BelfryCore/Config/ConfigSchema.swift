/// What the config may say about one kind of store or sink.
public struct PluginDescription: Sendable {
  /// The word after `type:`.
  public let type: String
  /// What it is, on one line.
  public let summary: String
  /// The keys that its section has beside those that every store or sink has.
  public let keys: [any ConfigKeyDescription]
  /// Reports what is wrong between the keys; called where the section was read, whether or not single keys are wrong.
  public let check: @Sendable (inout ConfigSection) -> Void

  /// A description; without `check` nothing can be wrong between the keys.
  public init(
    type: String, summary: String, keys: [any ConfigKeyDescription],
    check: @escaping @Sendable (inout ConfigSection) -> Void = { _ in }
  ) {
    self.type = type
    self.summary = summary
    self.keys = keys
    self.check = check
  }
}

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
