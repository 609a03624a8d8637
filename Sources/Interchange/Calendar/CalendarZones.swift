import BelfryEngine
import BelfryModel
import CivilTime
import ICalendar

/// The time zones of the TZIDs of one calendar (RFC 5545, section 3.2.19).
///
/// A TZID is resolved by its name: an IANA name, a Windows name, the X-LIC-LOCATION of its VTIMEZONE, or a path that
/// ends in an IANA name. Any other has the rules of its VTIMEZONE, for which a zone is searched.
struct CalendarZones {
  /// The most locations that are remembered, and the most unknown names that are looked up.
  private static let most = 300
  /// The most searches for the zones of definitions.
  private static let mostSearches = 100
  /// The most definitions that are remembered.
  private static let mostDefinitions = 30

  /// The rules of a TZID around the times of a year.
  private struct Period: Hashable {
    let identifier: String
    let year: Int
  }

  private let planner: Planner
  private var locations: [String: String] = [:]
  private var components: [String: CalendarComponent] = [:]
  private var definitions: [String: ZoneDefinition] = [:]
  private var found: [String: ItemZone] = [:]
  private var matches: [Period: ZoneMatch] = [:]
  private var searches = 0
  private var unknown: Set<String> = []
  /// The last TZID that was looked up and whose rules no zone has, with the zone in its place. The caller resets it.
  var inexactMatch: (identifier: String, zone: ItemZone)?

  /// The machine's zones, without any VTIMEZONE.
  init(planner: Planner) { self.planner = planner }

  /// True if a component has a TZID that no VTIMEZONE so far, and no name, gives a zone.
  mutating func lacksZone(of component: CalendarComponent) -> Bool {
    component.properties.contains { property in
      guard let identifier = property.parameter("TZID") else { return false }
      return components[identifier] == nil && definitions[identifier] == nil && named(identifier) == nil
    }
  }

  /// Adds a VTIMEZONE.
  mutating func add(_ component: CalendarComponent) {
    guard let identifier = component.all("TZID").first.map({ CalendarText.unescaped($0.value) }) else { return }
    if let location = component.all("X-LIC-LOCATION").first?.value, locations.count < Self.most {
      locations[identifier] = location
      unknown.remove(identifier)
    }
    guard components.count + definitions.count < Self.mostDefinitions, named(identifier) == nil else { return }
    definitions[identifier] = nil
    components[identifier] = component
  }

  /// The zone that has the rules of a TZID around a time.
  ///
  /// - Throws: a fault at `line` for an unknown TZID, which says what to do.
  mutating func zone(_ identifier: String, at time: CivilDateTime, line: Int) throws(CalendarFault) -> ZoneMatch {
    if let zone = named(identifier) { return ZoneMatch(zone) }
    if let definition = definition(identifier) { return match(identifier, definition, at: time) }
    throw CalendarFault(
      line: line,
      reason: """
        its TZID \(inQuotes(identifier)) is not a known time zone: write an IANA name such as Europe/Zurich, \
        or that name as X-LIC-LOCATION into its VTIMEZONE
        """)
  }

  private mutating func named(_ identifier: String) -> ItemZone? {
    if let zone = found[identifier] { return zone }
    guard !unknown.contains(identifier), unknown.count < Self.most else { return nil }
    guard let zone = lookUp(identifier) else {
      unknown.insert(identifier)
      return nil
    }
    found[identifier] = zone
    return zone
  }

  // The changes are listed only once the TZID is used.
  private mutating func definition(_ identifier: String) -> ZoneDefinition? {
    if let component = components.removeValue(forKey: identifier) {
      definitions[identifier] = ZoneDefinition(component)
    }
    return definitions[identifier]
  }

  private mutating func match(
    _ identifier: String, _ definition: ZoneDefinition, at time: CivilDateTime
  ) -> ZoneMatch {
    let period = Period(identifier: identifier, year: time.date.year)
    if let match = matches[period] { return match }
    // A search takes milliseconds.
    searches += 1
    let match =
      searches > Self.mostSearches
      ? ZoneMatch(utcFor: definition, at: time) : ZoneMatch(definition, at: time, planner: planner)
    if match.isExact { matches[period] = match } else { inexactMatch = (identifier, match.zone) }
    return match
  }

  private func lookUp(_ identifier: String) -> ItemZone? {
    if let name = WindowsZones.name(of: identifier.lowercased()) { return iana(name) }
    if let location = locations[identifier], let zone = iana(location) { return zone }
    if let zone = iana(identifier) { return zone }
    let parts = identifier.split(separator: "/")
    guard identifier.utf8.first == UInt8(ascii: "/"), parts.count > 1 else { return nil }
    // Such as /Europe/Vienna and /freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires.
    for count in [3, 2, 1] where parts.count >= count {
      if let zone = iana(parts.suffix(count).joined(separator: "/")) { return zone }
    }
    return nil
  }

  private func iana(_ name: String) -> ItemZone? {
    (try? planner.zone(.fixed(name))).map { .fixed($0.identifier) }
  }
}
