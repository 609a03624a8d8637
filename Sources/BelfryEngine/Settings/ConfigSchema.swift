import ConfigKeys

/// The keys of a config: Belfry's own, and those of the stores and sinks.
public struct ConfigSchema: Sendable {
  static let storeKey = "store"
  static let sinksKey = "sinks"
  /// The key that names the type of store or sink.
  static let typeKey = "type"

  /// The stores.
  public let stores: [any StorePlugin.Type]
  /// The sinks.
  public let sinks: [any SinkPlugin.Type]

  /// The schema with these stores and sinks.
  package init(stores: [any StorePlugin.Type], sinks: [any SinkPlugin.Type]) {
    self.stores = stores
    self.sinks = sinks
  }

  /// The top-level keys, in the order of the reference.
  public var keys: [ConfigKey] { ConfigSection.keys { _ = ConfigContents(&$0, self) } }
}

/// The values of a file, with the positions for checks once all sinks and categories are known.
struct ConfigContents {
  var settings = Settings()
  private(set) var store: StoreSection?
  /// The sinks; `nil` if the section of sinks itself is invalid.
  private(set) var sinks: [SinkDraft]?
  private(set) var routes: [Located<RouteDraft>] = []
  let sinksKey: KeyPlace
  let categoriesKey: KeyPlace
  let routesKey: KeyPlace

  /// Reads the top-level keys.
  init(_ section: inout ConfigSection, _ schema: ConfigSchema) {
    section.read(ConfigSchema.storeKey, &store, .store(schema.stores), "Where the items live.")
    sinksKey = section.read(
      ConfigSchema.sinksKey, &sinks, .sinks(schema.sinks),
      "Where reminders go, each sink under a name of your choice.")
    section.read(
      "default_list", &settings.defaultList, .line, "The list of `belfry add` where none is named.")
    section.read("default_time", &settings.defaultTime, .timeOfDay, "The time that a bare date means.")
    section.read("time_zone", &settings.timeZone, .zone, "The zone of items that have none of their own.")
    section.read(
      "missed", &settings.missed, MissedPolicy.configType,
      "What becomes of reminders that passed while nothing was running.")
    section.read("alert", &settings.alert, AlertStyle.configType, "How an alert sounds and what its button says.")
    categoriesKey = section.read(
      "categories", &settings.categories, .map(of: CategoryDraft.configType) { $1.category(identifier: $0) },
      "Kinds of reminders with the actions that they offer, each under an identifier of your choice.")
    section.read(
      "actions", &settings.actions, .actions,
      "The actions of an item's reminder whose category has none, at most 4: `done` and `later` where absent.")
    routesKey = section.read(
      "routes", &routes, .list(of: .located(RouteDraft.configType)),
      "Which sinks get what; the first that matches decides, unless it says `continue: true`.")
    section.read(
      "answers", &settings.answers, AnswerSettings.configType, "How reminders are answered where they rang.")
    section.read("web", &settings.web, WebSettings.configType, "The web face, which `belfry web` starts.")
    section.read("history", &settings.history, .calendarDuration, "How long finished deliveries are kept.")
    section.read(
      "heartbeat", &settings.heartbeat, Heartbeat.configType, "Where the daemon says now and then that it is alive.")
    section.read(
      "metrics", &settings.metricsFile, MetricsSection.configType,
      "Where the daemon writes what a monitoring system wants to know.")
    settings.routes = routes.map(\.value.route)
    for sink in sinks ?? [] { settings.failureTargets[sink.name] = sink.onFailure?.value }
  }
}
