import BelfryCore
import FoundationEssentials

/// How a calendar tells that an alarm was put off (RFC 9074, section 7): the alarm is acknowledged, and another one, at an
/// instant, names it by its UID.
///
/// Belfry's alarms have no UID. One that was put off gets one that follows from item and lead time, so that what Belfry
/// wrote is told from what others did.
struct SnoozeMark {
  /// What the alarm that was put off is called.
  let uid: String
  /// The lines that the alarm gets that was put off.
  let lines: [String]
  private let until: Date

  /// The mark of a snooze on one of an item's alarms.
  ///
  /// - Parameter kept: the alarm as another program wrote it, which may have a UID already.
  init(_ snooze: Reminder, of lead: CalendarDuration, item: UUID, kept: CalendarComponent?) {
    let own = kept?.all("UID").first?.value
    uid = own ?? Self.uid(item, lead)
    lines = (own == nil ? ["UID:\(uid)"] : []) + ["ACKNOWLEDGED:\(DueText.utc(snooze.changedAt))"]
    until = snooze.fireDate.date
  }

  /// The UID that Belfry gives an alarm.
  static func uid(_ item: UUID, _ lead: CalendarDuration) -> String {
    UUID(namespace: .belfry, name: "alarm \(item.text) \(lead.iso8601)").text
  }

  /// The TRIGGER of the alarm that rings instead.
  var trigger: String { "TRIGGER;VALUE=DATE-TIME:\(DueText.utc(until))" }

  /// What ties that alarm to the one that was put off.
  var relation: String { "RELATED-TO;RELTYPE=SNOOZE:\(uid)" }
}

extension CalendarComponent {
  /// An alarm that nobody has seen to.
  var unacknowledged: CalendarComponent { without("ACKNOWLEDGED") }

  /// An alarm as it was before Belfry marked it; itself where others gave it its UID.
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
