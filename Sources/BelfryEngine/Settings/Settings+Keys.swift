import ConfigKeys

extension MissedPolicy {
  /// The section `missed`.
  static let configType = ConfigType<MissedPolicy>.section { section in
    var missed = MissedPolicy()
    section.read("policy", &missed.policy, .choice, "Which ring: the latest of each item, all, or none.")
    section.read(
      "grace", &missed.graceSeconds, .duration(atLeast: 60), "Up to how late a reminder is not yet missed.")
    section.read("max_age", &missed.maxAge, .calendarDuration, "Beyond which age none rings.")
    return missed
  }
}

extension AlertStyle {
  /// The section `alert` at the top of the file.
  static let configType = ConfigType<AlertStyle>.section { section in
    var alert = AlertStyle()
    section.read("sound", &alert.sound, .line, "The sound's name.")
    section.read("action", &alert.action, .line, "What the button says.")
    return alert
  }
}

/// The section `metrics`.
enum MetricsSection {
  static let configType = ConfigType<String>.section { section in
    section.require(
      "file", .path, "The file, written each minute in the text format of Prometheus, for node_exporter's collector.")
  }
}
