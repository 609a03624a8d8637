import FoundationEssentials

/// A time zone: the offset of its clocks from UTC at any instant.
///
/// Zones come from a `ZoneDatabase`, which reads the system's zone files. A zone is a value: it keeps the rules with
/// which it was read; ask the database again after an update. Zones with the same identifier are equal.
public struct Zone: Sendable, Hashable {
  /// The zone's name: an IANA name such as `Europe/Zurich`, a POSIX rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, or the
  /// path of a zone file without a known name.
  public let identifier: String
  let rules: ZoneRules

  init(identifier: String, rules: ZoneRules) {
    self.identifier = identifier
    self.rules = rules
  }

  /// Coordinated universal time, which needs no zone file.
  public static let utc = Zone(identifier: "UTC", rules: .utc)

  /// Seconds east of UTC at an instant.
  public func offset(at instant: Date) -> Int { rules.type(at: Zone.seconds(instant)).offset }

  /// The zone's abbreviation at an instant, such as `CET`, `CEST` or `+0545`.
  public func abbreviation(at instant: Date) -> String { rules.type(at: Zone.seconds(instant)).abbreviation }

  /// The wall time at an instant, to the minute.
  public func wallTime(at instant: Date) -> WallTime {
    let seconds = Zone.seconds(instant)
    return WallTime(minutesSinceEpoch: floorQuotient(seconds + rules.type(at: seconds).offset, 60))
  }

  /// The number of instants that a wall time has, and the choice made.
  public enum Resolution: Hashable, Sendable {
    /// The clocks show the wall time once.
    case exact
    /// The clocks skip the wall time, so it moved forward by the length of the gap, in minutes.
    case gap(minutesMoved: Int)
    /// The clocks show the wall time twice, and the first was chosen.
    case overlap
  }

  /// The instant of a wall time.
  ///
  /// A skipped time moves forward by the length of the gap: 02:30 becomes 03:30, and a day that a country leaves out
  /// becomes the next one. For a time that comes twice, the first instant is returned.
  public func instant(of wall: WallTime) -> (instant: Date, resolution: Resolution) {
    let local = wall.minutesSinceEpoch * 60
    // No offset is larger, so only changes within this reach matter.
    let reach = 26 * 3_600
    var offset = rules.type(at: local - reach).offset
    let changes = rules.changes(after: local - reach, through: local + reach)
    var start = Int.min
    var previous = local - offset
    var shown: Int?
    var gap = (instant: previous, seconds: 0)
    for index in 0...changes.count {
      let end = index < changes.count ? changes[index].at : Int.max
      let candidate = local - offset
      if candidate < start, previous >= start {
        gap = (previous, previous - candidate)
      } else if candidate >= start, candidate < end {
        if let shown { return (Zone.date(shown), .overlap) }
        shown = candidate
      }
      previous = candidate
      start = end
      if index < changes.count { offset = changes[index].offset }
    }
    if let shown { return (Zone.date(shown), .exact) }
    return (Zone.date(gap.instant), .gap(minutesMoved: gap.seconds / 60))
  }

  /// The instant at which a day begins.
  package func start(of date: CivilDate) -> Date { instant(of: WallTime(midnightOf: date)).instant }

  /// True if the zone's clocks do not change within a span.
  package func isSteady(from first: Date, through last: Date) -> Bool {
    rules.changes(after: Zone.seconds(first), through: Zone.seconds(last)).isEmpty
  }

  /// True if both zones have the same rules, whatever their names: `false` if an update of the zone data changed this
  /// zone.
  public func hasSameRules(as other: Zone) -> Bool { rules == other.rules }

  /// True if this is UTC under any name, such as `Etc/UTC`.
  var isUTC: Bool { rules.isUTC }

  /// True if both have the same identifier.
  public static func == (lhs: Zone, rhs: Zone) -> Bool { lhs.identifier == rhs.identifier }

  /// Hashes the identifier, since zones of one name are equal.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// Whole seconds after 1970-01-01T00:00Z, floored and clamped so that sums cannot overflow. NaN becomes the
  /// earliest.
  static func seconds(_ instant: Date) -> Int {
    let seconds = instant.timeIntervalSinceReferenceDate.rounded(.down)
    let limit = Double(TZif.instantLimit)
    guard seconds > -limit else { return -TZif.instantLimit }
    return Int(min(seconds, limit)) + 978_307_200
  }

  private static func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}
