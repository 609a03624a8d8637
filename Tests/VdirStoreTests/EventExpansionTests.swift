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
                if not alarms or not all(map(relative, alarms)):
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
                            times |= {instant(found['DTSTART'].dt, alarm['TRIGGER'].dt) for alarm in alarms if rings(alarm)}
                    text = alone.to_ical()
                except Exception:
                    continue
                open(f'{folder}/{number}.ics', 'wb').write(text)
                for time in sorted(time for time in times if time and now < time < until):
                    print(f'event {number}', time.strftime('%Y-%m-%dT%H:%M'), sep='\\t')
    """

  @Test("ring at the same times for two years")
  func agree() throws {
    let place = try Place()
    let belfry = place.belfry(readsEvents: true)
    try belfry.store.write { try $0.setPlannedZone("UTC") }
    let output = try Python.run(Self.program, [place.path("home")] + Corpus.calendars.map(\.path))
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
    #expect(taken.count >= (Corpus.isThere ? 200 : 1) && outlook.setAside.isEmpty)
    for text in taken { #expect(found[text, default: []] == expected[text, default: []], "\(text)") }
  }
}
