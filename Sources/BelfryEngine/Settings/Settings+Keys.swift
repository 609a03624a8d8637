import CivilTime
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

extension ConfigType where Value == Settings.TimeZone {
  /// `local` or an IANA name that the system knows.
  public static var zone: ConfigType {
    textual(.zone, write: \.description) { text, context throws(ConfigProblem) in
      guard text != "local" else { return .local }
      do throws(UnknownZone) {
        return .named(try context.zones.zone(text).identifier)
      } catch {
        throw ConfigProblem(Self.message(error))
      }
    }
  }

  private static func message(_ error: UnknownZone) -> String {
    if let reason = error.reason { return "the time zone \(inQuotes(error.identifier)) cannot be read: \(reason)" }
    let problem = "unknown time zone \(inQuotes(error.identifier))"
    guard !error.nearest.isEmpty else { return "\(problem): write local or an IANA name such as Europe/Zurich" }
    return "\(problem); did you mean \(error.nearest.map(inQuotes).joined(separator: " or "))?"
  }
}
