import BelfryTestKit
import Foundation
import Testing

@testable import ICalendar
@testable import Interchange
import TestSupport

struct CalendarZoneTests {
  private static let names = [
    "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu",
    "Europe/Dublin", "America/Sao_Paulo", "Asia/Tehran", "Asia/Jerusalem", "America/Nuuk", "America/Santiago",
    "Africa/Cairo", "Asia/Gaza", "Europe/Lisbon", "Africa/Monrovia", "Antarctica/Troll", "Europe/Volgograd",
    "Pacific/Kiritimati", "Asia/Kolkata", "America/Havana", "Etc/GMT+5", "Europe/Moscow", "America/Asuncion",
    "America/Cambridge_Bay", "America/Boa_Vista", "America/Argentina/Tucuman", "Africa/El_Aaiun", "Asia/Amman",
  ]

  /// Compares the zone that each VTIMEZONE describes, as icalendar reads it without its name, with zoneinfo: at local
  /// noon of each day and on both sides of each transition.
  private static let program = """
    import sys
    from datetime import datetime, timedelta, timezone
    from zoneinfo import ZoneInfo, _zoneinfo
    import icalendar
    calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
    compared = 0
    for component in calendar.walk('VTIMEZONE'):
        name = str(component['TZID'])
        theirs, ours = ZoneInfo(name), component.to_tz(lookup_tzid=False)
        changes = [t for t in _zoneinfo.ZoneInfo(name)._trans_utc if 86400 * 400 < t < 2145916800]
        walls = [datetime(1971, 1, 2, 12) + timedelta(days=d) for d in range(0, 24440, 3)]
        for t in changes:
            instant = datetime.fromtimestamp(t, timezone.utc)
            before = theirs.utcoffset(instant.astimezone(theirs) - timedelta(days=1))
            for hours in (-30, -5, 5, 30):
                walls.append((instant + before).replace(tzinfo=None) + timedelta(hours=hours))
        for wall in walls:
            there = wall.replace(tzinfo=theirs)
            if there.astimezone(timezone.utc).astimezone(theirs).replace(tzinfo=None) != wall:
                continue  # The clocks skip it, and readers differ about what it means then.
            a, b = wall.replace(tzinfo=theirs).utcoffset(), wall.replace(tzinfo=ours).utcoffset()
            compared += 1
            if a != b:
                print('different', name, wall, a, b)
    print('compared', compared)
    """

  @Test("a VTIMEZONE has the offsets of its zone from 1970 through 2037, as icalendar reads it")
  func offsets() throws {
    var lines = CalendarLines()
    lines.append("BEGIN:VCALENDAR")
    lines.append("VERSION:2.0")
    lines.append("PRODID:test")
    for name in Self.names {
      for line in ZoneComponent.lines(try CalendarTesting.zones.zone(name)) { lines.append(line) }
    }
    lines.append("END:VCALENDAR")
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let file = URL(filePath: folder.file("zones.ics"))
    try Data(lines.bytes).write(to: file)
    let output = try Python.run(Self.program, [file.path]).split(separator: "\n")
    #expect(output.filter { $0.hasPrefix("different") }.prefix(20) == [])
    #expect(output.last?.hasPrefix("compared 2") ?? false, "\(output.last ?? "nothing")")
  }

  @Test("a VTIMEZONE is short where two rules say all")
  func length() throws {
    let lines = ZoneComponent.lines(try CalendarTesting.zones.zone("Europe/Zurich"))
    #expect(lines.contains("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"))
    #expect(lines.count < 60)
  }
}
