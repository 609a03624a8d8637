import ConfigKeys

extension Settings {
  /// The top-level keys other than stores and sinks, in the order of the reference.
  static let keys: [any ConfigKeyDescription] = [
    defaultListKey, defaultTimeKey, timeZoneKey, missedKey, alertKey, categoriesKey, routesKey, answersKey, webKey,
    historyKey, heartbeatKey, metricsKey,
  ]

  private static let standard = Settings()
  private static let defaultListKey = ConfigKey(
    "default_list", .line, default: standard.defaultList, "The list of `belfry add` where none is named.")
  private static let defaultTimeKey = ConfigKey(
    "default_time", .timeOfDay, default: standard.defaultTime, "The time that a bare date means.")
  private static let timeZoneKey = ConfigKey(
    "time_zone", .zone, default: standard.timeZone, "The zone of items that have none of their own.")
  private static let missedKey = ConfigKey(
    "missed", MissedPolicy.configType, default: standard.missed,
    "What becomes of reminders that passed while nothing was running.")
  private static let alertKey = ConfigKey(
    "alert", AlertStyle.configType, default: standard.alert, "How an alert sounds and what its button says.")
  private static let historyKey = ConfigKey(
    "history", .calendarDuration, default: standard.history, "How long finished deliveries are kept.")

  private static let answersKey = ConfigKey(
    "answers", AnswerSettings.configType, default: standard.answers, "How reminders are answered where they rang.")
  private static let webKey = ConfigKey(
    "web", WebSettings.configType, default: standard.web, "The web face, which `belfry web` starts.")
  private static let heartbeatKey = ConfigKey(
    "heartbeat", optional: Heartbeat.configType, "Where the daemon says now and then that it is alive.")
  private static let metricsKey = ConfigKey(
    "metrics", optional: MetricsSection.configType, "Where the daemon writes what a monitoring system wants to know.")

  static let categoriesKey = ConfigKey(
    "categories", .map(of: CategoryDraft.configType) { name, draft in draft.category(identifier: name) }, default: [],
    "Kinds of reminders with the actions that they offer, each under an identifier of your choice.")

  /// The routes; their names are checked once all sinks are known.
  static let routesKey = ConfigKey(
    "routes", .list(of: .located(RouteDraft.configType)), default: [],
    "Which sinks get what; the first that matches decides, unless it says `continue: true`.")

  /// The settings of a checked file.
  init(_ section: ConfigSection) {
    defaultList = section.value(Settings.defaultListKey)
    defaultTime = section.value(Settings.defaultTimeKey)
    timeZone = section.value(Settings.timeZoneKey)
    missed = section.value(Settings.missedKey)
    alert = section.value(Settings.alertKey)
    categories = section.value(Settings.categoriesKey)
    routes = section.value(Settings.routesKey).map(\.value.route)
    answers = section.value(Settings.answersKey)
    web = section.value(Settings.webKey)
    history = section.value(Settings.historyKey)
    heartbeat = section.value(Settings.heartbeatKey)
    metricsFile = section.value(Settings.metricsKey)
  }
}

extension MissedPolicy {
  private static let standard = MissedPolicy()
  private static let policyKey = ConfigKey(
    "policy", .choice(Policy.self), default: standard.policy,
    "Which ring: the latest of each item, all, or none.")
  private static let graceKey = ConfigKey(
    "grace", .duration(atLeast: 60), default: standard.graceSeconds, "Up to how late a reminder is not yet missed.")
  private static let maxAgeKey = ConfigKey(
    "max_age", .calendarDuration, default: standard.maxAge, "Beyond which age none rings.")

  /// The section `missed`.
  static let configType = ConfigType<MissedPolicy>.section([policyKey, graceKey, maxAgeKey]) { section in
    MissedPolicy(
      policy: section.value(policyKey), graceSeconds: section.value(graceKey), maxAge: section.value(maxAgeKey))
  }
}

extension AlertStyle {
  private static let standard = AlertStyle()
  private static let soundKey = ConfigKey("sound", .line, default: standard.sound, "The sound's name.")
  private static let actionKey = ConfigKey("action", .line, default: standard.action, "What the button says.")

  /// The section `alert` at the top of the file.
  static let configType = ConfigType<AlertStyle>.section([soundKey, actionKey]) { section in
    AlertStyle(sound: section.value(soundKey), action: section.value(actionKey))
  }
}

/// The section `alert` of a category, which may leave out either key.
struct AlertOverride: Sendable {
  let sound: String?
  let action: String?

  private static let soundKey = ConfigKey(
    "sound", optional: .line, "The sound's name in place of the general one.")
  private static let actionKey = ConfigKey(
    "action", optional: .line, "What the button says in place of the general text.")

  static let configType = ConfigType<AlertOverride>.section([soundKey, actionKey]) { section in
    AlertOverride(sound: section.value(soundKey), action: section.value(actionKey))
  }
}
