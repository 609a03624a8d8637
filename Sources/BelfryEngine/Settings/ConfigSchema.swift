import ConfigKeys

/// The keys of a config: Belfry's own, and those of the stores and sinks.
public struct ConfigSchema: Sendable {
  static let storeKey = "store"
  static let sinksKey = "sinks"
  static let webKey = "web"
  static let timeZoneKey = "time_zone"
  /// The key that names the type of store or sink.
  package static let typeKey = "type"

  /// The types of store that a config can name.
  public let stores: [any StorePlugin.Type]
  /// The types of sink that a config can name.
  public let sinks: [any SinkPlugin.Type]

  /// The schema with these stores and sinks.
  package init(stores: [any StorePlugin.Type], sinks: [any SinkPlugin.Type]) {
    self.stores = stores
    self.sinks = sinks
  }

  /// The top-level keys, in the order of the reference.
  public var keys: [ConfigKey] { ConfigSection.keys { _ = ConfigContents(&$0, self) } }
}

/// The values of a file, with the positions for checks once all names are known.
struct ConfigContents {
  var settings = Settings()
  private(set) var store: StoreSection?
  /// The sinks; `nil` if the section of sinks itself is invalid.
  private(set) var sinks: [SinkDraft]?
  private(set) var people: [PersonDraft] = []
  private(set) var escalations: [EscalationDraft] = []
  private(set) var categories: [CategoryDraft] = []
  private(set) var lists: [ListRuleDraft] = []
  private(set) var routes: [Located<RouteDraft>] = []
  let sinksKey: KeyPlace
  let peopleKey: KeyPlace
  let escalationsKey: KeyPlace
  let categoriesKey: KeyPlace
  let routesKey: KeyPlace

  init(_ section: inout ConfigSection, _ schema: ConfigSchema) {
    section.read(ConfigSchema.storeKey, &store, .store(schema.stores), "The store of the items.")
    sinksKey = section.read(
      ConfigSchema.sinksKey, &sinks, .sinks(schema.sinks),
      "The sinks that deliver reminders, each under a name of your choice.")
    section.read(
      "default_list", &settings.defaultList, .line, "The default list of `belfry add`.")
    section.read("default_time", &settings.defaultTime, .timeOfDay, "The time of day of a date without one.")
    section.read(
      ConfigSchema.timeZoneKey, &settings.timeZone, .zone, "The time zone of items without one of their own.")
    section.read(
      "missed", &settings.missed, MissedPolicy.configType,
      "The handling of reminders that were missed while no daemon was running.")
    section.read("alert", &settings.alert, AlertStyle.configType, "The sound, the button and the urgency of alerts.")
    peopleKey = section.read(
      "people", &people, .map(of: PersonDraft.configType),
      "The people whom sinks reach, each under a name of your choice, for routes and escalations.")
    escalationsKey = section.read(
      "escalations", &escalations, .map(of: EscalationDraft.configType),
      "The steps in which a reminder reaches more people until somebody answers, each list under a name of your choice."
    )
    categoriesKey = section.read(
      "categories", &categories, .map(of: CategoryDraft.configType),
      "The categories of reminders, each under an identifier of your choice.")
    section.read(
      "actions", &settings.actions, .actions,
      "The actions of item reminders whose category has none, at most 4; by default `done` and `later`.")
    section.read(
      "lists", &lists, .map(of: ListRuleDraft.configType),
      "Rules for lists, under their names with the wildcards * and ?; the first match applies.")
    routesKey = section.read(
      "routes", &routes, .list(of: .located(RouteDraft.configType)),
      "The rules that select the sinks of a reminder; the first match applies, unless it has `continue: true`.")
    section.read(
      "answers", &settings.answers, AnswerSettings.configType, "The links and buttons by which reminders are answered.")
    section.read(
      ConfigSchema.webKey, &settings.web, WebSettings.configType, "The web face, which `belfry web` starts.")
    section.read(
      "history", &settings.history, .calendarDuration,
      "The time for which closed deliveries, past reminders and answers are kept.")
    section.read(
      "heartbeat", &settings.heartbeat, Heartbeat.configType,
      "Regular requests by which a monitoring service sees that the daemon is alive.")
    section.read(
      "metrics", &settings.metricsFile, MetricsSection.configType,
      "Metrics for a monitoring system.")
    settings.people = people.map(\.person)
    settings.escalations = escalations.map(\.escalation)
    settings.categories = categories.map(\.category)
    settings.lists = lists.map(\.rule)
    settings.routes = routes.map(\.value.route)
    for sink in sinks ?? [] {
      settings.failureTargets[sink.name] = sink.onFailure?.value
      settings.sinkQuietHours[sink.name] = sink.quietHours
    }
  }
}
