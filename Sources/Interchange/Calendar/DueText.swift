import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The text of an item's or a list's times.
struct DueText {
  /// The form of the due date.
  let form: DueForm
  /// The IANA zone, which needs a VTIMEZONE; `nil` for floating times and for UTC.
  let zoneName: String?
  /// The value of Belfry's property if the form does not say that the item's zone is UTC, or that the item floats.
  let zoneMark: String?
  private let isUTC: Bool

  /// The form for a due date in a zone.
  ///
  /// - Parameter floatingZone: the name of the zone in which a floating time is written; `nil` for none.
  init(zone: ItemZone, isDate: Bool, floatingZone: String? = nil) {
    let name: String?
    switch zone {
    case .floating: name = isDate ? nil : floatingZone
    case .fixed(let own): name = own
    }
    isUTC = name == Zone.utc.identifier
    zoneName = isUTC ? nil : name
    form = name != nil ? .zoned : isDate ? .date : .floating
    zoneMark = zone == .floating ? name.map { _ in BelfryProperty.floating } : isUTC ? name : nil
  }

  /// A property with a time, such as `DUE;TZID=Europe/Zurich:20261121T090000`.
  func line(_ name: String, _ wall: WallTime) -> String {
    guard form != .date else { return "\(name);VALUE=DATE:\(wall.date.basicText)" }
    let zone = zoneName.map { ";TZID=\(ParameterText.escaped($0))" } ?? ""
    return "\(name)\(zone):\(wall.civil)\(isUTC ? "Z" : "")"
  }

  /// The property with Belfry's own rule, which is written with an RRULE and a due date.
  static func ownRule(_ recurrence: Recurrence, beside rule: String, due: WallTime) -> String {
    let parameters = "\(BelfryProperty.ofDue)=\(due.basicText);\(BelfryProperty.ofRule)=\(ParameterText.escaped(rule))"
    return anchored("\(BelfryProperty.repeatRule);\(parameters)", recurrence.start, recurrence.rule.description)
  }

  /// A property with the anchor of its value.
  static func anchored(_ name: String, _ start: WallTime, _ value: String) -> String {
    "\(name);\(BelfryProperty.start)=\(start.basicText):\(value)"
  }
}

extension WallTime {
  /// The time as `20261121T0900`, which is not the form of any value of RFC 5545.
  var basicText: String { String(civil.description.dropLast(2)) }

  /// The time that such a text gives; `nil` for any other text.
  init?(basicText: String) {
    guard case .local(let time)? = CalendarMoment("\(basicText)00") else { return nil }
    self.init(civil: time)
  }
}

extension CalendarProperty {
  /// The anchor of a property of Belfry's own.
  var anchor: WallTime? { parameter(BelfryProperty.start).flatMap(WallTime.init(basicText:)) }
}
