import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The alarms of a to-do as lead times, and the components that say more than a lead time.
struct TodoAlarms {
  /// The lead times without duplicates, the longest first, as items have them.
  private(set) var leads: [CalendarDuration] = []
  /// The interval at which all of them ring again.
  private(set) var nag: CalendarDuration?
  /// The end of the snooze.
  private(set) var snoozedUntil: Date?
  /// The numbers of the lines at which the alarms start, by lead time.
  private(set) var lines: [CalendarDuration: [Int]] = [:]
  /// The alarms that were acknowledged.
  private(set) var acknowledged = AcknowledgedAlarms()
  /// The instant of the last alarm of a to-do without due date, which becomes its due date.
  var lastInstant: Date? { instants.map(\.instant).max() }
  /// The parts not imported, in a few words each.
  private(set) var leftOut: [String] = []
  /// A sentence for each alarm that rings another number of times here.
  private(set) var notUnderstood: [String] = []
  /// The components to be kept: alarms that ring, in the order of ``leads``, then all others.
  var kept: [CalendarComponent] {
    ringing.sorted { ($0.lead.days, $0.lead.minutes) > ($1.lead.days, $1.lead.minutes) }.map(\.alarm) + others
  }

  private var ringing: [(lead: CalendarDuration, alarm: CalendarComponent)] = []
  private var others: [CalendarComponent] = []
  private var instants: [(instant: Date, alarm: CalendarComponent)] = []
  /// True if Belfry wrote the nag itself, so that no alarm of the to-do has another count.
  private let isNagOwn: Bool

  /// The alarms of a to-do.
  ///
  /// - Parameters:
  ///   - nag: the interval in Belfry's own property, which takes precedence over the alarms.
  ///   - basis: `nil` without a due date.
  ///   - text: the item's text, which alarms repeat.
  ///   - uuid: the item's UUID, from which the UIDs of Belfry's alarms are derived.
  init(
    of todo: CalendarComponent, text: String, uuid: UUID?, nag: CalendarDuration?, basis: AlarmBasis?, floating: Zone
  ) {
    self.nag = nag
    isNagOwn = nag != nil
    var hasPlace = false
    let isFromStart = basis.map { $0.start != nil && $0.start != $0.due } ?? false
    for alarm in todo.components {
      guard alarm.name == "VALARM" else {
        others.append(alarm)
        continue
      }
      switch AlarmMeaning(alarm, basis: basis, floating: floating) {
      case .lead(let lead):
        readRepetition(alarm)
        if !leads.contains(lead) { leads.append(lead) }
        lines[lead, default: []].append(alarm.line)
        if let instant = alarm.acknowledgement { acknowledged.note(instant, of: lead) }
        let alarm = alarm.unmarked(item: uuid, lead: lead)
        if !alarm.isPlainAlarm(text: text, nag: self.nag, isFromStart: isFromStart) { ringing.append((lead, alarm)) }
      case .snooze(let instant):
        snoozedUntil = max(snoozedUntil ?? instant, instant)
      case .instant(let instant):
        readRepetition(alarm)
        instants.append((instant, alarm))
      case .silent:
        others.append(alarm)
      case .place:
        leftOut.append("VALARM at a place")
        others.append(alarm)
        hasPlace = true
      case .broken(let words):
        leftOut.append(words)
      case .unsupported(let words):
        leftOut.append(words)
        others.append(alarm)
      }
    }
    addInstants()
    // An alarm at a place means that the user wants a reminder: if nothing else rings, the due date does.
    if hasPlace, leads.isEmpty, basis != nil { leads = [.zero] }
    leads.sort { ($0.days, $0.minutes) > ($1.days, $1.minutes) }
    readMozillaSnooze(todo)
    acknowledged.all = todo.all("X-MOZ-LASTACK").compactMap { Date(utcValue: $0.value) }.max()
  }

  private mutating func addInstants() {
    guard let last = lastInstant else { return }
    for (instant, alarm) in instants {
      let minutes =
        (last.timeIntervalSince1970 / 60).rounded(.down) - (instant.timeIntervalSince1970 / 60).rounded(.down)
      let lead = CalendarDuration(days: 0, minutes: Int(minutes))
      if !leads.contains(lead) { leads.append(lead) }
      if let instant = alarm.acknowledgement { acknowledged.note(instant, of: lead) }
      ringing.append((lead, alarm))
    }
  }

  // An item rings again until it is checked, and has no count of its rings.
  private mutating func readRepetition(_ alarm: CalendarComponent) {
    guard let count = alarm.all("REPEAT").first?.value else { return }
    guard let repetition = alarm.alarmRepetition, nag == nil || nag == repetition else {
      if count != "0" { leftOut.append("REPEAT of a VALARM") }
      return
    }
    nag = repetition
    if !isNagOwn, Int(count) != Planner.nagLimit {
      notUnderstood.append(
        "its VALARM with REPEAT:\(count) rings again every \(repetition) until it is checked, "
          + "up to \(Planner.nagLimit) times")
    }
  }

  /// Thunderbird keeps a snooze, and the time of the last dismissal, in the to-do.
  private mutating func readMozillaSnooze(_ todo: CalendarComponent) {
    guard let snooze = todo.mozillaSnooze else { return }
    snoozedUntil = max(snoozedUntil ?? snooze, snooze)
  }
}

extension CalendarComponent {
  /// The time at which an alarm was acknowledged last.
  var acknowledgement: Date? { all("ACKNOWLEDGED").compactMap { Date(utcValue: $0.value) }.max() }

  /// The end of Thunderbird's snooze; `nil` if there is none, or it is over.
  var mozillaSnooze: Date? {
    guard let snooze = all("X-MOZ-SNOOZE-TIME").first.flatMap({ Date(utcValue: $0.value) }) else { return nil }
    if let last = all("X-MOZ-LASTACK").first.flatMap({ Date(utcValue: $0.value) }), last >= snooze { return nil }
    return snooze
  }
}
