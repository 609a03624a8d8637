import BelfryEngine
import CLinuxEvents
import CivilTime
import FoundationEssentials

/// The checks of `belfry doctor` for the machine's clock and zone.
struct MachineChecks {
  let now: Date
  let zones: ZoneDatabase
  let environment: [String: String]

  /// The finding about the clock.
  ///
  /// - Parameter lastWrite: the time of the store's last write.
  func clock(lastWrite: Date?) -> Finding {
    let year = Zone.utc.wallTime(at: now).date.year
    let words = Zone.utc.readable(now)
    guard (2026...2100).contains(year) else {
      return .fail("clock", .internalError, "the clock says \(words)", advice: "set it: timedatectl set-ntp true")
    }
    if let lastWrite, lastWrite > now + 60 {
      return .warning(
        "clock", "the clock says \(words), and the store was written later than that",
        advice: "check that the clock is right: it was set back")
    }
    if belfry_clock_is_synchronized() == 0 {
      return .warning(
        "clock", "\(words), not synchronised", advice: "'timedatectl set-ntp true' keeps it right, where you may set it"
      )
    }
    return .ok("clock", words)
  }

  /// The finding about the zone in use, and whether variable, config and store agree.
  ///
  /// - Parameters:
  ///   - configured: the zone by the config.
  ///   - planned: the zone of the store's last planning.
  func zone(_ configured: Zone, setting: Settings.TimeZone, planned: String?) -> Finding {
    if let value = environment["TZ"], !value.isEmpty, value != ":" {
      let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
      if zones.zone(recordedAs: name) == nil {
        return .warning(
          "zone", "the variable TZ says '\(value)', which is not a zone: \(configured.identifier) is used",
          advice: "set TZ to a name such as Europe/Zurich, or unset it")
      }
    }
    if let planned, planned != configured.identifier {
      return .warning(
        "zone", "reminders are planned in \(planned), and this machine is in \(configured.identifier)",
        advice: "the daemon replans when it sees the change; 'time_zone: \(planned)' in the config keeps it")
    }
    let origin = setting == .local ? "the machine's" : "from the config"
    return .ok("zone", "\(configured.identifier) (\(configured.abbreviation(at: now))), \(origin)")
  }
}
