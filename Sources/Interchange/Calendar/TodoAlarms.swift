import BelfryCore
import FoundationEssentials

/// The alarms of a to-do, in Belfry's words, and the lines of those that say more than that.
struct TodoAlarms {
  /// Without repetitions, the longest first, as items have them.
  private(set) var leads: [CalendarDuration] = []
  /// How often all of them ring again.
  private(set) var nag: CalendarDuration?
  /// When it was put off to.
  private(set) var snoozedUntil: Date?
  /// When the last alarm rings of a to-do without due date, which is due then.
  var lastInstant: Date? { instants.map(\.instant).max() }
  /// What was not taken over, in a few words each.
  private(set) var leftOut: [String] = []
  /// The components to be kept: those that ring, in the order of ``leads``, then all others.
  var kept: [CalendarComponent] {
    ringing.sorted { ($0.lead.days, $0.lead.minutes) > ($1.lead.days, $1.lead.minutes) }.map(\.alarm) + others
  }

  private var ringing: [(lead: CalendarDuration, alarm: CalendarComponent)] = []
  private var others: [CalendarComponent] = []
  private var instants: [(instant: Date, alarm: CalendarComponent)] = []

  /// The alarms of a to-do.
  ///
  /// - Parameters:
  ///   - nag: what Belfry itself wrote about ringing again; it comes before what the alarms say.
  ///   - basis: `nil` without a due date.
  ///   - text: the item's text, which alarms repeat.
  ///   - uuid: the item's identity, which the UIDs follow from that Belfry gives to alarms.
  /// - Throws: a fault about an alarm that cannot be read.
  init(
    of todo: CalendarComponent, text: String, uuid: UUID?, nag: CalendarDuration?, basis: AlarmBasis?, floating: Zone
  ) throws(CalendarFault) {
    self.nag = nag
    let isFromStart = basis.map { $0.start != nil && $0.start != $0.due } ?? false
    for alarm in todo.components {
      guard alarm.name == "VALARM" else {
        others.append(alarm)
        continue
      }
      switch try AlarmMeaning(alarm, basis: basis, floating: floating) {
      case .lead(let lead):
        readRepetition(alarm)
        if !leads.contains(lead) { leads.append(lead) }
        let alarm = alarm.unmarked(item: uuid, lead: lead)
        if !alarm.isPlainAlarm(text: text, nag: self.nag, isFromStart: isFromStart) { ringing.append((lead, alarm)) }
      case .snooze(let instant):
        snoozedUntil = max(snoozedUntil ?? instant, instant)
      case .instant(let instant):
        readRepetition(alarm)
        instants.append((instant, alarm))
      case .silent:
        others.append(alarm)
      case .unsaid(let words):
        leftOut.append(words)
        others.append(alarm)
      }
    }
    takeInstants()
    leads.sort { ($0.days, $0.minutes) > ($1.days, $1.minutes) }
    readMozillaSnooze(todo)
  }

  private mutating func takeInstants() {
    guard let last = lastInstant else { return }
    for (instant, alarm) in instants {
      let minutes =
        (last.timeIntervalSince1970 / 60).rounded(.down) - (instant.timeIntervalSince1970 / 60).rounded(.down)
      let lead = CalendarDuration(days: 0, minutes: Int(minutes))
      if !leads.contains(lead) { leads.append(lead) }
      ringing.append((lead, alarm))
    }
  }

  private mutating func readRepetition(_ alarm: CalendarComponent) {
    guard !alarm.all("REPEAT").isEmpty else { return }
    guard let repetition = alarm.alarmRepetition, nag == nil || nag == repetition else {
      if alarm.all("REPEAT").first?.value != "0" { leftOut.append("REPEAT of a VALARM") }
      return
    }
    nag = repetition
  }

  /// Thunderbird keeps a snooze in the to-do, and in the same place when it was last dismissed.
  private mutating func readMozillaSnooze(_ todo: CalendarComponent) {
    guard let snooze = todo.mozillaSnooze else { return }
    snoozedUntil = max(snoozedUntil ?? snooze, snooze)
  }
}

extension CalendarComponent {
  /// Until when Thunderbird has put a to-do off; `nil` where it has not, or where that is over.
  var mozillaSnooze: Date? {
    guard let snooze = all("X-MOZ-SNOOZE-TIME").first.flatMap({ Date(utcValue: $0.value) }) else { return nil }
    if let last = all("X-MOZ-LASTACK").first.flatMap({ Date(utcValue: $0.value) }), last >= snooze { return nil }
    return snooze
  }
}
