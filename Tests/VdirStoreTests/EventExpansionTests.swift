import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import TestSupport
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, and the machine's zone is UTC.
@Suite("Events of calendars of other programs, expanded by another library")
struct EventExpansionTests {
  /// Writes each series with alarms into a file of its own, and prints its name with each time at which it rings by
  /// recurring_ical_events.
  private static let program = """
    import collections, datetime, sys
    import icalendar, recurring_ical_events
    folder, *paths = sys.argv[1:]
    day, UTC = datetime.timedelta(days=1), datetime.timezone.utc
    now = datetime.datetime(2026, 11, 21, 8, tzinfo=UTC)
    until = now + 690 * day
    def relative(alarm):
        trigger = alarm.get('TRIGGER')
        return trigger is not None and isinstance(trigger.dt, datetime.timedelta)
    def rings(alarm):
        return str(alarm['TRIGGER'].params.get('RELATED', '')).upper() != 'END' and str(alarm.get('ACTION', '')).upper() != 'NONE'
    def instant(start, offset):
        if not isinstance(start, datetime.datetime):
            return datetime.datetime.combine(start, datetime.time(), UTC) + offset
        start = start if start.tzinfo else start.replace(tzinfo=UTC)
        if offset > 0 * day:
            return None
        # Days are days on the wall clock.
        return (start + offset).astimezone(UTC) if offset.seconds == 0 else start.astimezone(UTC) + offset
    number = 0
    for path in paths:
        try:
            calendars = icalendar.Calendar.from_ical(open(path, 'rb').read(), multiple=True)
        except Exception:
            continue
        for calendar in calendars:
            series = collections.defaultdict(list)
            for event in calendar.walk('VEVENT'):
                series[str(event.get('UID', ''))].append(event)
            for events in series.values():
                masters = [event for event in events if 'RECURRENCE-ID' not in event]
                if len(masters) != 1 or str(masters[0].get('STATUS', '')).upper() == 'CANCELLED':
                    continue
                alarms = masters[0].walk('VALARM')
                if not alarms or not all(relative(alarm) for event in events for alarm in event.walk('VALARM')):
                    continue
                number += 1
                alone = icalendar.Calendar()
                for zone in calendar.walk('VTIMEZONE'):
                    alone.add_component(zone)
                for event in events:
                    event['UID'] = event['SUMMARY'] = f'event {number}'
                    alone.add_component(event)
                try:
                    times = set()
                    for found in recurring_ical_events.of(alone).between(now - 40 * day, until + 40 * day):
                        if str(found.get('STATUS', '')).upper() != 'CANCELLED':
                            later = 'RANGE' in getattr(found.get('RECURRENCE-ID'), 'params', ())
                            own = found.walk('VALARM') or (alarms if later else [])
                            times |= {instant(found['DTSTART'].dt, alarm['TRIGGER'].dt) for alarm in own if rings(alarm)}
                    text = alone.to_ical()
                except Exception:
                    continue
                open(f'{folder}/{number}.ics', 'wb').write(text)
                for time in sorted(time for time in times if time and now < time < until):
                    print(f'event {number}', time.strftime('%Y-%m-%dT%H:%M'), sep='\\t')
    """

  /// Series of our own: zones, floating and all-day ones, ends by count and date, dates left out and added, occurrences
  /// that are moved, cancelled, or have alarms of their own, and all later ones moved.
  private static let series: [[[String]]] = [
    [["DTSTART:20261101T090000Z", "DTEND:20261101T100000Z", "RRULE:FREQ=DAILY;INTERVAL=3;COUNT=60", "-PT15M"]],
    [["DTSTART;TZID=Europe/Berlin:20250330T023000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;BYDAY=SU,WE", "-P1D", "PT0S"]],
    [["DTSTART;TZID=America/New_York:20200101T203000", "RRULE:FREQ=MONTHLY;BYDAY=-1FR", "-PT2H"]],
    [
      [
        "DTSTART:20261201T070000", "RRULE:FREQ=DAILY;UNTIL=20270115T070000", "EXDATE:20261224T070000,20261225T070000",
        "PT0S",
      ]
    ],
    [["DTSTART;VALUE=DATE:20200229", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "-PT6H"]],
    [
      [
        "DTSTART;VALUE=DATE:20261130", "DTEND;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;COUNT=9",
        "EXDATE;VALUE=DATE:20261214", "-P1D",
      ]
    ],
    [["DTSTART:20261123T090000Z", "RRULE:FREQ=WEEKLY;COUNT=12", "RDATE:20261126T110000Z,20270301T120000Z", "-PT5M"]],
    [
      ["DTSTART:20261102T090000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO,TH", "-PT10M"],
      ["RECURRENCE-ID:20261203T090000Z", "DTSTART:20261204T170000Z"],
      ["RECURRENCE-ID:20261207T090000Z", "DTSTART:20261207T090000Z", "STATUS:CANCELLED"],
      ["RECURRENCE-ID:20261210T090000Z", "DTSTART:20261210T120000Z", "-PT1H", "PT0S"],
      ["RECURRENCE-ID:20261214T090000Z", "DTSTART:20261214T090000Z", "-P2D"],
    ],
    [
      ["DTSTART;TZID=Europe/Berlin:20261012T180000", "RRULE:FREQ=WEEKLY;COUNT=30", "-PT30M"],
      ["RECURRENCE-ID;TZID=Europe/Berlin:20270329T180000", "DTSTART;TZID=Europe/Berlin:20270330T190000", "-PT5M"],
    ],
    [
      ["DTSTART:20261116T090000Z", "DTEND:20261116T093000Z", "RRULE:FREQ=DAILY;COUNT=90", "-PT10M"],
      ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261201T090000Z", "DTSTART:20261201T103000Z", "DTEND:20261201T110000Z"],
    ],
  ]

  private static var calendar: String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//own"]
    for (number, events) in series.enumerated() {
      for event in events {
        lines += ["BEGIN:VEVENT", "UID:own-\(number)", "DTSTAMP:20261101T000000Z", "SUMMARY:Own"]
        for line in event where line.contains(":") { lines.append(line) }
        for trigger in event where !trigger.contains(":") {
          lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:\(trigger)", "END:VALARM"]
        }
        lines.append("END:VEVENT")
      }
    }
    return (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  @Test("ring at the same times for two years")
  func agree() throws {
    let place = try Place()
    let belfry = place.belfry(readsEvents: true)
    try belfry.store.write { try $0.setPlannedZone("UTC") }
    let own = place.folder.file("own.ics")
    try Self.calendar.write(toFile: own, atomically: true, encoding: .utf8)
    let output = try Python.run(Self.program, [place.path("home"), own] + Corpus.calendars.map(\.path))
    var expected: [String: Set<String>] = [:]
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: "\t").map(String.init)
      expected[parts[0], default: []].insert(parts[1])
    }
    _ = try belfry.planEdits()
    let until = Sample.now.addingTimeInterval(690 * 86_400)
    let outlook = try belfry.read { try $0.preview(from: Sample.now, until: until, limit: 100_000) }
    var found: [String: Set<String>] = [:]
    for ring in outlook.rings where ring.fireDate.date > Sample.now {
      found[ring.text, default: []].insert(Zone.utc.wallTime(at: ring.fireDate.date).description)
    }
    let taken = try belfry.store.items().map(\.text)
    #expect(taken.count >= (Corpus.isThere ? 200 : Self.series.count) && outlook.setAside.isEmpty)
    for text in taken { #expect(found[text, default: []] == expected[text, default: []], "\(text)") }
  }
}
