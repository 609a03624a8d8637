import CivilTime
import ConfigKeys

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
