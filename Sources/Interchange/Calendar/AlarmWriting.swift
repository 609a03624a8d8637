import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The alarms of an item: for each lead time the kept alarms or a plain one, and the alarms of a snooze.
struct AlarmWriting {
  /// One VALARM, with the lines to add to it.
  enum Alarm: Hashable {
    /// An alarm as another program wrote it, or another component of the item.
    case kept(CalendarComponent, adding: [String] = [])
    /// An alarm of Belfry's own, with its TRIGGER.
    case plain(trigger: String, adding: [String] = [])
  }

  /// The alarms in the order in which they are written.
  private(set) var alarms: [Alarm] = []
  private var contradictions: Set<Int> = []

  /// The alarms of an item with these kept parts.
  ///
  /// - Parameter basis: `nil` for an item without due date.
  init(_ item: Item, snooze: Reminder?, segments: [KeptSegment], basis: AlarmBasis?) {
    var ringing: [CalendarDuration: [CalendarComponent]] = [:]
    var others: [CalendarComponent] = []
    for case (let index, .component(let component)) in segments.enumerated() {
      guard component.name == "VALARM" else {
        others.append(component)
        continue
      }
      switch AlarmMeaning(component, basis: basis, floating: .utc) {
      case .lead(let lead):
        let repetition = component.alarmRepetition
        if item.shouldRemind, item.alerts.contains(lead), repetition == nil || repetition == item.nag {
          ringing[lead, default: []].append(component)
        } else {
          contradictions.insert(index)
        }
      case .silent, .place, .unsupported: others.append(component)
      case .snooze, .instant, .broken: contradictions.insert(index)
      }
    }
    if item.shouldRemind, let basis {
      let putOff = snooze.map { basis.lastLead(of: item.alerts, until: $0.changedAt) }
      for lead in item.alerts {
        let mark =
          lead == putOff ? snooze.map { SnoozeMark($0, of: lead, item: item.uuid, kept: ringing[lead]?.first) } : nil
        write(lead, ringing[lead] ?? [], mark, basis)
      }
    }
    alarms += others.map { .kept($0) }
  }

  private mutating func write(
    _ lead: CalendarDuration, _ kept: [CalendarComponent], _ mark: SnoozeMark?, _ basis: AlarmBasis
  ) {
    if let mark, let first = kept.first {
      alarms.append(.kept(first.unacknowledged, adding: mark.lines))
    } else if let first = kept.first {
      alarms.append(.kept(first))
    } else if let trigger = basis.trigger(lead) {
      alarms.append(.plain(trigger: "TRIGGER;RELATED=END:\(trigger)", adding: mark?.lines ?? []))
    }
    alarms += kept.dropFirst().map { .kept($0) }
    if let mark { alarms.append(.plain(trigger: mark.trigger, adding: [mark.relation])) }
  }

  /// True if the kept component with this index would ring differently from the item.
  func contradicts(_ index: Int) -> Bool { contradictions.contains(index) }
}
