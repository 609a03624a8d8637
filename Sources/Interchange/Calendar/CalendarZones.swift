import BelfryEngine
import BelfryModel
import CivilTime
import ICalendar

/// The time zones of the TZIDs of one calendar (RFC 5545, section 3.2.19).
///
/// A TZID is resolved by its name: an IANA name, a Windows name, the X-LIC-LOCATION of its VTIMEZONE, or a path that
/// ends in an IANA name. The rules in a VTIMEZONE are ignored.
struct CalendarZones {
  /// The most VTIMEZONEs that are remembered, and the most unknown names that are looked up.
  private static let most = 300

  private let planner: Planner
  private var locations: [String: String] = [:]
  private var found: [String: ItemZone] = [:]
  private var unknown: Set<String> = []

  /// The machine's zones, without any VTIMEZONE.
  init(planner: Planner) { self.planner = planner }

  /// Adds a VTIMEZONE, which must precede its use.
  mutating func add(_ component: CalendarComponent) {
    guard let identifier = component.all("TZID").first?.value,
      let location = component.all("X-LIC-LOCATION").first?.value, locations.count < Self.most
    else { return }
    locations[identifier] = location
    unknown.remove(identifier)
  }

  /// The zone of a TZID.
  ///
  /// - Throws: a fault at `line` for an unknown one, which says what to do.
  mutating func zone(_ identifier: String, line: Int) throws(CalendarFault) -> ItemZone {
    if let zone = found[identifier] { return zone }
    if !unknown.contains(identifier), unknown.count < Self.most {
      if let zone = lookUp(identifier) {
        found[identifier] = zone
        return zone
      }
      unknown.insert(identifier)
    }
    throw CalendarFault(
      line: line,
      reason: """
        its TZID \(inQuotes(identifier)) is not a known time zone: write an IANA name such as Europe/Zurich, \
        or that name as X-LIC-LOCATION into its VTIMEZONE, which must precede it
        """)
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
