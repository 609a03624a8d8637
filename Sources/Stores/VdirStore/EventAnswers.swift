import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Interchange

/// The answers to an event's reminders, as marks at its alarms.
struct EventAnswers {
  /// An answer that ends the ringing of an occurrence, or of one alarm of it.
  private struct Ending {
    let wallTime: WallTime
    /// The lead time of the alarm; `nil` for all of the occurrence.
    let lead: CalendarDuration?
    let date: Date
    var isTakenBack = false
  }

  private let event: Item
  private let zone: Zone
  private let now: Date
  private let snooze: Reminder?
  private var endings: [Ending] = []

  /// The answers to an event as stored.
  init(_ event: Item, in view: any StoreView, planner: Planner, now: Date) throws {
    (self.event, self.now) = (event, now)
    zone = planner.displayZone(event.zone)
    snooze = try view.reminders(of: .item(event.id), at: nil, state: .scheduled).first { $0.occurrence.kind.isSnooze }
    for answer in try view.answers(of: .item(event.id)) where answer.effect == .done {
      let isOfOne = answer.operation == .acknowledge || answer.operation == .snooze
      guard isOfOne || answer.operation == .check else { continue }
      endings.append(
        Ending(
          wallTime: answer.wallTime, lead: isOfOne ? answer.lead : nil, date: answer.date,
          isTakenBack: answer.takenBackAt != nil))
    }
    // A check without an answer, by a command or on a page.
    if let checkedAt = event.checkedAt, let due = event.due, checkedAt != due.instant.date || event.recurrence != nil {
      let over = event.recurrence == nil ? (event.isChecked ? due.local : nil) : event.lastChecked?.due
      if let over { endings.append(Ending(wallTime: over, lead: nil, date: checkedAt)) }
    }
    if let snooze {
      endings.append(
        Ending(wallTime: snooze.occurrence.wallTime, lead: putOff(by: snooze), date: snooze.changedAt))
    }
  }

  /// The marks to write at the alarms on these lines, of the event itself or of one changed occurrence.
  ///
  /// - Parameters:
  ///   - uuid: the identity from which the UIDs of alarms derive.
  ///   - due: the time of the occurrence; `nil` for the event itself.
  func marks(_ uuid: UUID, lines: [CalendarDuration: [Int]], at due: WallTime? = nil) -> AlarmMarks {
    var marks = AlarmMarks(text: event.text, now: now)
    for (lead, lines) in lines {
      let own = endings.filter { ($0.lead == nil || $0.lead == lead) && (due == nil || $0.wallTime == due) }
      let time = own.filter { !$0.isTakenBack }.map { end($0, lead) }.max()
      marks.takenBack.formUnion(own.filter(\.isTakenBack).map { end($0, lead) })
      for line in lines {
        let uid = line == lines.first ? AlarmPlaces.uid(uuid, lead) : nil
        marks.alarms.append(AlarmMarks.Alarm(line: line, uid: uid, acknowledged: time))
      }
    }
    if let snooze, due == nil || snooze.occurrence.wallTime == due, let line = lines[putOff(by: snooze)]?.first {
      marks.snooze = (line, snooze.fireDate.date)
    }
    return marks
  }

  // An alarm that did not ring yet ends with its occurrence, since it would still ring in other programs.
  private func end(_ ending: Ending, _ lead: CalendarDuration) -> Date {
    ending.lead == nil ? max(ending.date, instant(ending.wallTime, lead)).wholeSeconds : ending.date.wholeSeconds
  }

  private func instant(_ time: WallTime, _ lead: CalendarDuration) -> Date {
    guard !event.isDueAllDay else {
      return zone.instant(of: time.adding(days: -lead.days, minutes: -lead.minutes)).instant
    }
    return zone.instant(of: time.adding(days: -lead.days)).instant.addingTimeInterval(-60 * Double(lead.minutes))
  }

  // A snooze by a command puts off the alarm that rang last.
  private func putOff(by snooze: Reminder) -> CalendarDuration {
    let occurrence = snooze.occurrence
    guard !event.alerts.contains(occurrence.lead) || occurrence.lead == .zero else { return occurrence.lead }
    let rung = event.alerts.filter { instant(occurrence.wallTime, $0) <= snooze.changedAt }
    return rung.max { instant(occurrence.wallTime, $0) < instant(occurrence.wallTime, $1) }
      ?? event.alerts.first ?? .zero
  }
}
