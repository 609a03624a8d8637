import ConfigKeys

extension MissedPolicy {
  /// The section `missed`.
  static let configType = ConfigType<MissedPolicy>.section { section in
    var missed = MissedPolicy()
    section.read(
      "policy", &missed.policy, .choice, "The missed reminders that ring: the latest of each item, all or none.")
    section.read(
      "grace", &missed.graceSeconds, .duration(atLeast: 60), "The delay up to which a reminder is late but not missed.")
    section.read("max_age", &missed.maxAge, .calendarDuration, "The age beyond which no missed reminder rings.")
    return missed
  }
}

/// The section `metrics`.
enum MetricsSection {
  static let configType = ConfigType<String>.section { section in
    section.require(
      "file", .path,
      "The file, written each minute in the text format of Prometheus, for node_exporter's textfile collector.")
  }
}
