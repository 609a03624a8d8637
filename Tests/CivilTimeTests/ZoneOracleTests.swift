import CivilTime
import Foundation
import TestSupport
import Testing

/// Python's zoneinfo, an independent reader of the same zone files, must agree about every zone of the system.
@Suite struct ZoneOracleTests {
  /// For each zone, instants and wall times: random ones from 1970 to 9998, and those around each change of the clocks.
  private static let program = """
    import sys, random
    from datetime import datetime, timedelta, timezone
    from zoneinfo import ZoneInfo, available_timezones
    from zoneinfo import _zoneinfo
    rnd = random.Random(20261121)
    epoch = datetime(1970, 1, 1)
    y2100, y9998 = 4102444800, 253339228800
    out = []
    for name in sorted(available_timezones() - {"localtime", "posixrules"}):
        zone, plain = ZoneInfo(name), _zoneinfo.ZoneInfo(name)
        changes = [t for t in plain._trans_utc if t >= 0]
        rule = plain._tz_after
        if hasattr(rule, 'transitions'):
            for year in [2038, 2099] + [rnd.randrange(2040, 9990) for _ in range(6)]:
                changes += [t - rule.std.utcoff.total_seconds() for t in rule.transitions(year)]
        changes = [int(t) for t in changes]
        instants = [rnd.randrange(0, y2100) for _ in range(30)] + [rnd.randrange(y2100, y9998) for _ in range(10)]
        walls = [rnd.randrange(0, y2100) for _ in range(20)] + [rnd.randrange(y2100, y9998) for _ in range(10)]
        for t in changes:
            instants += [t - 1, t, t + 1]
            offset = int((epoch + timedelta(seconds=t)).replace(tzinfo=timezone.utc).astimezone(zone).utcoffset().total_seconds())
            walls += [t + offset + 60 * m for m in (-91, -61, -31, -1, 0, 1, 29, 59, rnd.randrange(-1500, 1500))]
        out.append('z ' + name)
        for t in instants:
            d = (epoch + timedelta(seconds=t)).replace(tzinfo=timezone.utc).astimezone(zone)
            out.append('i %d %d %s' % (t, d.utcoffset().total_seconds(), d.tzname()))
        for w in walls:
            w = w // 60 * 60
            d = epoch + timedelta(seconds=w)
            a, b = (int(d.replace(tzinfo=zone, fold=f).utcoffset().total_seconds()) for f in (0, 1))
            out.append('w %d %d %d' % (w // 60, w - a, b - a))
    print('\\n'.join(out))
    """

  @Test("offsets, abbreviations, gaps and overlaps of all zones are those of Python's zoneinfo")
  func agreesWithPython() throws {
    var zone = Zone.utc
    var zones = 0
    var gaps = 0
    var overlaps = 0
    var differences: [String] = []
    for line in try Python.run(ZoneOracleTests.program).split(separator: "\n") {
      let fields = line.split(separator: " ")
      switch fields[0] {
      case "z":
        zone = try TimeTesting.database.zone(String(fields[1]))
        zones += 1
      case "i":
        let instant = Date(timeIntervalSince1970: try #require(Double(fields[1])))
        if zone.offset(at: instant) != Int(fields[2]) || zone.abbreviation(at: instant) != fields[3] {
          differences.append(
            "\(zone.identifier) \(line): \(zone.offset(at: instant)) \(zone.abbreviation(at: instant))")
        }
      default:
        let wall = WallTime(minutesSinceEpoch: try #require(Int(fields[1])))
        let (instant, resolution) = zone.instant(of: wall)
        // Python distinguishes gaps from overlaps by the direction in which the offset changes between its two answers.
        let shift = try #require(Int(fields[3]))
        let expected: Zone.Resolution = shift == 0 ? .exact : shift > 0 ? .gap(minutesMoved: shift / 60) : .overlap
        gaps += shift > 0 ? 1 : 0
        overlaps += shift < 0 ? 1 : 0
        if instant.timeIntervalSince1970 != Double(fields[2]) || resolution != expected {
          differences.append("\(zone.identifier) \(wall) \(line): \(instant.timeIntervalSince1970) \(resolution)")
        }
      }
    }
    #expect(differences.prefix(20) == [])
    #expect(zones > 400 && gaps > 10_000 && overlaps > 10_000, "\(zones) zones, \(gaps) gaps, \(overlaps) overlaps")
  }
}
