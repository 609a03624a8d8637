import BelfryCore
import Foundation

/// The alarms to be written of an item: for each lead time the kept ones that still mean it, or else a plain one.
struct AlarmWriting {
  /// One VALARM.
  enum Alarm: Hashable {
    /// As another program wrote it, or another component that belongs to the item.
    case kept(CalendarComponent)
    /// Of Belfry's own, with the value of its TRIGGER, related to the due date.
    case plain(trigger: String)
  }

  /// In the order in which they are written.
  private(set) var alarms: [Alarm] = []
  private var contradictions: Set<Int> = []

  /// The alarms of an item with these kept parts.
  ///
  /// - Parameter basis: `nil` for an item without due date.
  init(_ item: Item, segments: [KeptSegment], basis: AlarmBasis?) {
    var ringing: [CalendarDuration: [CalendarComponent]] = [:]
    var others: [CalendarComponent] = []
    for case (let index, .component(let component)) in segments.enumerated() {
      guard component.name == "VALARM" else {
        others.append(component)
        continue
      }
      switch try? AlarmMeaning(component, basis: basis, floating: .utc) {
      case .lead(let lead)?:
        let repetition = component.alarmRepetition
        if item.shouldRemind, item.alerts.contains(lead), repetition == nil || repetition == item.nag {
          ringing[lead, default: []].append(component)
        } else {
          contradictions.insert(index)
        }
      case .silent?, .unsaid?: others.append(component)
      case .snooze?, .instant?, nil: contradictions.insert(index)
      }
    }
    if item.shouldRemind, let basis {
      for lead in item.alerts {
        if let kept = ringing[lead] {
          alarms += kept.map(Alarm.kept)
        } else if let trigger = basis.trigger(lead) {
          alarms.append(.plain(trigger: trigger))
        }
      }
    }
    alarms += others.map(Alarm.kept)
  }

  /// Whether the component with this index among an item's kept parts would ring otherwise than the item does.
  func contradicts(_ index: Int) -> Bool { contradictions.contains(index) }
}
