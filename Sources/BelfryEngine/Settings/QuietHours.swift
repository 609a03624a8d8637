import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials

/// The hours of each day in which a sink or person gets nothing; messages are held until they end.
public struct QuietHours: Hashable, Sendable {
  /// The beginning, in the zone of floating items.
  public let from: TimeOfDay
  /// The end: on the same day, or on the next if it is not after `from`.
  public let to: TimeOfDay
  /// The least urgency that they do not hold; `nil` if they hold every message.
  public let except: Urgency?

  /// Quiet hours; `nil` if both times are the same.
  init?(from: TimeOfDay, to: TimeOfDay, except: Urgency? = nil) {
    guard from != to else { return nil }
    (self.from, self.to, self.except) = (from, to, except)
  }

  /// The hours in words: `from 22:00 to 07:00, except critical reminders`.
  package var words: String {
    let exception: String? =
      switch except {
      case nil: nil
      case .critical: "except critical reminders"
      case .some(let least): "except what is \(least) or more urgent"
      }
    return ["from \(from) to \(to)", exception].compactMap(\.self).joined(separator: ", ")
  }

  /// True if they hold messages of an urgency.
  package func holds(_ urgency: Urgency) -> Bool { except.map { urgency < $0 } ?? true }

  /// The end of the quiet hours at an instant; `nil` if the instant is outside them.
  package func end(of instant: Date, in zone: Zone) -> Date? {
    let local = zone.wallTime(at: instant)
    let isOverMidnight = to < from
    let isQuiet = isOverMidnight ? local.time >= from || local.time < to : local.time >= from && local.time < to
    guard isQuiet else { return nil }
    let day = WallTime(date: local.date, time: to)
    let end = zone.instant(of: isOverMidnight && local.time >= from ? day.adding(days: 1) : day).instant
    // In an hour that the clocks show twice, the end may already have passed the first time.
    return end > instant ? end : nil
  }
}

extension Sequence<QuietHours?> {
  /// The first instant from `instant` on at which none of these quiet hours hold a message of an urgency.
  func permitted(_ urgency: Urgency, from instant: Date, in zone: Zone?) -> Date {
    guard let zone else { return instant }
    let hours = compactMap(\.self).filter { $0.holds(urgency) }
    // The end of one may lie within the other, so each is applied twice.
    return (hours + hours).reduce(instant) { permitted, hours in hours.end(of: permitted, in: zone) ?? permitted }
  }
}

extension QuietHours {
  /// The section `quiet_hours` of a sink or person.
  static let configType = ConfigType<QuietHours>.section { section in
    let from = section.require("from", .timeOfDay, "The start, on the local clock.")
    let to = section.require("to", .located(.timeOfDay), "The end; on the next day if it is earlier than the start.")
    var except: Urgency?
    let exceptKey = section.read(
      "except", &except, .choice, "The least urgency that is sent all the same, such as `critical`; none by default.")
    if except == .low { section.error("'except: low' would hold nothing", at: exceptKey.value) }
    guard let from, let to else { return nil }
    guard let hours = QuietHours(from: from, to: to.value, except: except) else {
      section.error("the quiet hours begin and end at \(from): name two times", at: to.position)
      return nil
    }
    return hours
  }
}
