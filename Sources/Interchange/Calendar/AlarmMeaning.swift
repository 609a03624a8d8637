import BelfryEngine
import CivilTime
import FoundationEssentials
import ICalendar

/// The meaning of a VALARM for Belfry (RFC 5545, section 3.6.6; RFC 9074).
///
/// DISPLAY, AUDIO and EMAIL all remind, since Belfry's sinks decide how. An acknowledged alarm has rung and does not
/// ring again; it stays a lead time for the next due date.
enum AlarmMeaning: Hashable {
  /// Rings this long before the due date.
  case lead(CalendarDuration)
  /// Rings once more (RFC 9074, section 7).
  case snooze(Date)
  /// Rings at an instant, in a to-do without due date.
  case instant(Date)
  /// Does not ring: ACTION:NONE, or a snooze that is over.
  case silent
  /// Rings on arriving at a place or leaving it (RFC 9074, section 8). Its TRIGGER has no meaning.
  case place
  /// Has no readable TRIGGER; the value says why, in a few words.
  case broken(String)
  /// Asks for something that Belfry does not support, named in a few words.
  case unsupported(String)

  /// The meaning of an alarm. An alarm without a readable TRIGGER is broken.
  ///
  /// - Parameter basis: `nil` for a to-do without due date.
  init(_ alarm: CalendarComponent, basis: AlarmBasis?, floating: Zone) {
    guard alarm.all("PROXIMITY").isEmpty, alarm.all("X-APPLE-PROXIMITY").isEmpty else {
      self = .place
      return
    }
    guard let property = try? alarm.single("TRIGGER") else {
      self = .broken("VALARM without exactly one TRIGGER")
      return
    }
    let acknowledged = alarm.acknowledgement
    let isSnooze = alarm.all("RELATED-TO").contains { $0.parameter("RELTYPE")?.uppercased() == "SNOOZE" }
    if alarm.all("ACTION").first?.value.uppercased() == "NONE" {
      self = .silent
    } else if let moment = CalendarMoment(property.value) {
      let instant = Self.instant(moment, zone: basis?.zone ?? floating)
      if isSnooze, let acknowledged, acknowledged >= instant {
        self = .silent
      } else if isSnooze, basis != nil {
        self = .snooze(instant)
      } else if let basis {
        self = basis.lead(at: instant).map(Self.lead) ?? .unsupported("VALARM after the due date")
      } else {
        self = acknowledged.map { $0 >= instant } ?? false ? .silent : .instant(instant)
      }
    } else if let trigger = SignedDuration(property.value) {
      guard let basis else {
        self = .unsupported("VALARM without a due date")
        return
      }
      let fromStart = property.parameter("RELATED")?.uppercased() != "END"
      self = basis.lead(trigger, fromStart: fromStart).map(Self.lead) ?? .unsupported("VALARM after the due date")
    } else {
      self = .broken("VALARM whose TRIGGER is neither a time nor a duration such as -PT15M")
    }
  }

  private static func instant(_ moment: CalendarMoment, zone: Zone) -> Date {
    switch moment {
    case .utc(let time): Date(utc: time)
    case .local(let time): zone.instant(of: WallTime(civil: time)).instant
    case .date(let date): zone.start(of: date)
    }
  }
}

extension CalendarComponent {
  /// The interval at which an alarm rings again (REPEAT and DURATION, RFC 5545, section 3.8.6.2), in whole minutes.
  ///
  /// - Returns: `nil` if it rings once, or if the interval is not in whole minutes.
  var alarmRepetition: CalendarDuration? {
    guard let count = all("REPEAT").first.flatMap({ Int($0.value) }), count > 0,
      let pause = all("DURATION").first.flatMap({ SignedDuration($0.value) }),
      pause.days >= 0, pause.seconds >= 0, pause.seconds % 60 == 0, pause.days > 0 || pause.seconds > 0
    else { return nil }
    return CalendarDuration(days: pause.days, minutes: pause.seconds / 60)
  }

  /// True if an alarm is one that Belfry itself would write for a to-do with this text and nag.
  func isPlainAlarm(text: String, nag: CalendarDuration?, isFromStart: Bool) -> Bool {
    guard components.isEmpty, properties.count <= 5 else { return false }
    return properties.allSatisfy { property in
      switch property.name {
      case "ACTION": property.value == "DISPLAY"
      case "DESCRIPTION": property.parameters.isEmpty && CalendarText.unescaped(property.value) == text
      case "TRIGGER":
        (SignedDuration(property.value)?.seconds).map { $0 % 60 == 0 } ?? false
          && property.parameters.allSatisfy { $0.name == "RELATED" || $0.name == "VALUE" }
          && (!isFromStart || property.parameter("RELATED") == "END")
      case "REPEAT": property.value == "\(Planner.nagLimit)"
      case "DURATION": nag != nil && alarmRepetition == nag
      default: false
      }
    }
  }
}
