import BelfryTestKit
import Foundation
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

extension EscalationFixture {
  /// The sinks of the fixture, one of them with recipients of its own and quiet hours.
  static let activeSinks =
    sinks.map { ActiveSink(name: $0, sink: RecordingSink()) } + [
      ActiveSink(
        name: "mail", sink: RecordingSink(recipients: ["team@example.org"]),
        quietHours: QuietHours(
          from: TimeOfDay(minutesSinceMidnight: 12 * 60), to: TimeOfDay(minutesSinceMidnight: 13 * 60)))
    ]

  func explain() throws -> Explanation {
    try engine.belfry.read { try $0.explain(1, settings: engine.settings, sinks: Self.activeSinks) }
  }

  /// The reminders of the next days with whom they reach and the steps that follow.
  func entries(days: Double = 1) throws -> [ForecastEntry<PreviewedReminder>] {
    try engine.belfry.read { reading in
      var forecast = Forecast(reading, settings: engine.settings, sinks: Self.activeSinks)
      return try forecast.entries(
        of: reading.preview(from: reading.now, until: reading.now + days * 86_400, limit: 100).rings)
    }
  }

  /// The same, as `10:10 step 2 of 3 to ben; then anna and ben 10:30 and 2 more times`.
  func plan(days: Double = 1) throws -> [String] {
    try engine.belfry.read { reading in
      let moment = Moment(zone: reading.planner.floatingZone, now: reading.now)
      return try entries(days: days).map { entry in
        let instant = entry.reminder.fireDate.date
        let words = [entry.reach.words, moment.words(entry.steps, after: instant)].compactMap(\.self)
        return "\(moment.zone.wallTime(at: instant).time) " + words.joined(separator: "; ")
      }
    }
  }

  /// The time of an instant, as in `10:10`.
  func clock(_ instant: Date) throws -> String {
    try engine.belfry.read { "\($0.planner.floatingZone.wallTime(at: instant).time)" }
  }

  /// The rings to come of all escalations of the item, as `10:10 ben-phone 2.1`, one for each message.
  func expected() throws -> [String] {
    try explain().unanswered.flatMap(\.rings).filter { !$0.isMade }.flatMap { ring in
      let time = try clock(ring.fireDate.date)
      return ring.receivers.map { "\(time) \($0.sink) \(ring.place.step).\(ring.place.ring)" }
    }
  }

  /// The messages of some minutes of the day, likewise, as the daemon makes them.
  func made(from first: Int, to last: Int) throws -> [String] {
    try (first...last).flatMap { minute in
      let time = TimeOfDay(minutesSinceMidnight: minute).description
      return try ring(time).map { "\(time) \($0)" }
    }
  }
}
