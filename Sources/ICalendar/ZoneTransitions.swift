import CivilTime
import FoundationEssentials

/// One change of a zone's clocks.
struct ZoneTransition: Hashable {
  /// Seconds after 1970-01-01T00:00Z.
  let instant: Int
  /// Seconds east of UTC before and after.
  let from: Int
  let to: Int
  /// The abbreviation of the zone's time after the change.
  let name: String

  /// Seconds after 1970-01-01T00:00 on the clock before the change, as in a VTIMEZONE.
  var local: Int { instant + from }

  /// The changes of a zone's clocks from 1970 through a year, in order.
  ///
  /// No two lie within five days of each other: the nearest since 1970 are a week apart.
  static func all(of zone: Zone, throughYear year: Int) -> [ZoneTransition] {
    let step = 5 * 86_400
    let end = (year - 1969) * 365 * 86_400 + (year - 1969) / 4 * 86_400
    var found: [ZoneTransition] = []
    var low = 0
    var before = ZoneClock(zone, at: low)
    while low < end {
      let high = low + step
      let after = ZoneClock(zone, at: high)
      if after != before {
        let instant = change(of: zone, from: before, low: low, high: high)
        found.append(ZoneTransition(instant: instant, from: before.offset, to: after.offset, name: after.name))
      }
      (low, before) = (high, after)
    }
    return found
  }

  private static func change(of zone: Zone, from before: ZoneClock, low: Int, high: Int) -> Int {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = (low + high) / 2
      if ZoneClock(zone, at: middle) == before { low = middle } else { high = middle }
    }
    return high
  }
}

/// The offset and abbreviation of a zone at an instant.
private struct ZoneClock: Equatable {
  let offset: Int
  let name: String

  init(_ zone: Zone, at seconds: Int) {
    let instant = Date(timeIntervalSince1970: Double(seconds))
    offset = zone.offset(at: instant)
    name = zone.abbreviation(at: instant)
  }
}
