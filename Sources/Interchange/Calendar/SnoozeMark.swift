import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The snooze of an alarm in a calendar (RFC 9074, section 7): the alarm is acknowledged, and a second alarm, at an
/// instant, refers to its UID.
///
/// Belfry's alarms have no UID. A snoozed one gets a UID derived from item and lead time, by which Belfry recognises
/// it.
struct SnoozeMark {
  /// The UID of the snoozed alarm.
  let uid: String
  /// The lines added to the snoozed alarm.
  let lines: [String]
  private let until: Date

  /// The mark of a snooze on one of an item's alarms.
  ///
  /// - Parameter kept: the alarm of another program, which may have a UID already.
  init(_ snooze: Reminder, of lead: CalendarDuration, item: UUID, kept: CalendarComponent?) {
    let own = kept?.all("UID").first?.value
    uid = own ?? Self.uid(item, lead)
    lines = (own == nil ? ["UID:\(uid)"] : []) + ["ACKNOWLEDGED:\(snooze.changedAt.utcValue)"]
    until = snooze.fireDate.date
  }

  /// The UID that Belfry gives an alarm.
  static func uid(_ item: UUID, _ lead: CalendarDuration) -> String {
    UUID(namespace: .belfry, name: "alarm \(item.text) \(lead.iso8601)").text
  }

  /// The TRIGGER of the alarm that rings instead.
  var trigger: String { "TRIGGER;VALUE=DATE-TIME:\(until.utcValue)" }

  /// The relation of that alarm to the snoozed one.
  var relation: String { "RELATED-TO;RELTYPE=SNOOZE:\(uid)" }
}

extension CalendarComponent {
  /// The alarm without its acknowledgement.
  var unacknowledged: CalendarComponent { without("ACKNOWLEDGED") }

  /// The alarm without Belfry's marks; the alarm itself if another program gave it its UID.
  func unmarked(item: UUID?, lead: CalendarDuration) -> CalendarComponent {
    guard let item, all("UID").first?.value == SnoozeMark.uid(item, lead) else { return self }
    return unacknowledged.without("UID")
  }

  private func without(_ name: String) -> CalendarComponent {
    var component = self
    component.properties.removeAll { $0.name == name }
    return component
  }
}
