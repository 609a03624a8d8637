import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The zone that is used for a TZID.
struct ZoneMatch: Hashable {
  let zone: ItemZone
  /// The minutes that the TZID's clock is ahead of the zone's.
  private(set) var minutesAhead = 0
  /// False if the zone agrees with the TZID's rules at one time, but not before and after it.
  private(set) var isExact = true

  /// A zone by its name.
  init(_ zone: ItemZone) { self.zone = zone }

  /// The zone with the rules of a VTIMEZONE around a time.
  ///
  /// If no zone has them, the first zone with the same offset at that time, preferably one with all changes of the
  /// rules; if there is none, UTC.
  init(_ definition: ZoneDefinition, at time: CivilDateTime, planner: Planner) {
    let offset = definition.offset(onClock: time)
    let search = ZoneSearch(planner: planner, offset: offset)
    let history = definition.offsets(around: time)
    if let zone = search.first(where: { $0.offsets(over: history.span) == history }) {
      self.init(.fixed(zone.identifier))
      return
    }
    let instant = Date(timeIntervalSince1970: Double(time.secondsSinceEpoch - offset))
    let listed = history.throughLastChange.flatMap { history in
      search.first { $0.offset(at: instant) == offset && $0.offsets(over: history.span) == history }
    }
    if let zone = listed ?? search.first(where: { $0.offset(at: instant) == offset }) {
      self.init(.fixed(zone.identifier))
      isExact = false
    } else {
      self.init(utcFor: definition, at: time)
    }
  }

  /// UTC. Times near this one are moved by the offset that a VTIMEZONE has at this time.
  init(utcFor definition: ZoneDefinition, at time: CivilDateTime) {
    self.init(.fixed(Zone.utc.identifier))
    minutesAhead = definition.offset(onClock: time) / 60
    isExact = false
  }
}

/// The zones of the system, in an order that puts the likely ones first.
private struct ZoneSearch {
  /// For each rule by which many people live, the zone to find: others with the same rule precede it in the alphabet.
  private static let likely = [
    "Europe/Berlin", "Europe/London", "Europe/Helsinki", "America/New_York", "America/Chicago", "America/Denver",
    "America/Los_Angeles", "America/Anchorage", "America/Halifax", "Australia/Sydney", "Australia/Adelaide",
    "Pacific/Auckland", "Asia/Kolkata",
  ]

  let planner: Planner
  /// Seconds east of UTC.
  let offset: Int

  /// The first zone that fulfils a condition, from the machine's zone, the likely zones, the zone that always has the
  /// offset, and all others in alphabetical order.
  func first(where fulfils: (Zone) -> Bool) -> Zone? {
    let likely = [planner.floatingZone.identifier] + Self.likely + [constant].compactMap(\.self)
    return first(of: likely, where: fulfils) ?? first(of: planner.zoneNames, where: fulfils)
  }

  private func first(of names: [String], where fulfils: (Zone) -> Bool) -> Zone? {
    names.lazy.compactMap { planner.zone(ifKnown: $0) }.first(where: fulfils)
  }

  // Etc/GMT-1 is one hour east of UTC.
  private var constant: String? {
    guard offset % 3_600 == 0 else { return nil }
    return offset == 0 ? Zone.utc.identifier : "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3_600)"
  }
}
