import BelfryModel
import CivilTime
import FoundationEssentials

/// An explanation why an item or a list's own reminder will fire, has fired or has not, and where its messages went.
public struct Explanation: Sendable {
  /// The item that is explained, or the list with its own reminder.
  public let subject: ExplainedSubject
  /// The result in one line.
  public let verdict: String
  /// The reasons, one line each.
  public let reasons: [String]
  /// The urgency of its reminders, unless a step of the escalation has its own.
  public let urgency: Urgency
  /// The escalation of its reminders; `nil` for none.
  public let escalation: ExplainedEscalation?
  /// Every reminder that the store still has, soonest first.
  public let reminders: [ExplainedReminder]
  /// Its escalations as they go if nobody answers: those under way, and those that scheduled reminders begin.
  public let unanswered: [UnansweredEscalation]
  /// The names of the people who answered, by number.
  public let people: [Int64: String]
}

/// A reminder with its deliveries and answers.
public struct ExplainedReminder: Sendable {
  /// The stored reminder.
  public let reminder: Reminder
  /// Its place in an escalation; `nil` for none.
  public let step: ExplainedStep?
  /// Its deliveries, each with its attempts.
  public let deliveries: [ExplainedDelivery]
  /// Its answers, also those that were taken back.
  public let answers: [Answer]
}

/// The escalation of the reminders of an item or list, and where the config names it.
public struct ExplainedEscalation: Hashable, Sendable {
  /// The steps, and what follows an answer.
  public let escalation: Escalation
  /// The part of the config that it comes from.
  public let origin: EscalationOrigin
  /// The interval of the item's nag, which the escalation replaces; `nil` for none.
  public let nag: CalendarDuration?
}

/// A delivery with its message and attempts.
public struct ExplainedDelivery: Hashable, Sendable {
  /// The delivery in its present state.
  public let delivery: Delivery
  /// The message that it carries.
  public let message: Message
  /// Every attempt, oldest first, with the receiver's reply.
  public let attempts: [AttemptRecord]
}

extension Explanation {
  /// The explanation without the deliveries and answers that must not be shown.
  package func keeping(
    where isShown: (Message) throws -> Bool, answers isAnswerShown: (Answer) throws -> Bool
  ) rethrows -> Explanation {
    Explanation(
      subject: subject, verdict: verdict, reasons: reasons, urgency: urgency, escalation: escalation,
      reminders: try reminders.map { explained in
        ExplainedReminder(
          reminder: explained.reminder, step: explained.step,
          deliveries: try explained.deliveries.filter { try isShown($0.message) },
          answers: try explained.answers.filter(isAnswerShown))
      }, unanswered: unanswered, people: people)
  }
}

extension Reading {
  /// Explains an item.
  ///
  /// - Parameters:
  ///   - settings: the settings of the present config.
  ///   - sinks: its enabled sinks.
  /// - Throws: ``BelfryError`` `.notFound`.
  public func explain(_ id: Int64, settings: Settings, sinks: [ActiveSink]) throws -> Explanation {
    guard let listing = try view.item(id: id) else { throw BelfryError.noItem(id) }
    return try explain(.item(listing), settings: settings, sinks: sinks)
  }

  /// Explains a list's own reminder.
  ///
  /// - Throws: what the store throws.
  public func explain(_ list: Checklist, settings: Settings, sinks: [ActiveSink]) throws -> Explanation {
    guard let summary = try view.listSummaries(of: list.id, now: now).first else {
      throw BelfryError.noList(list.id)
    }
    return try explain(.list(summary), settings: settings, sinks: sinks)
  }

  private func explain(_ subject: ExplainedSubject, settings: Settings, sinks: [ActiveSink]) throws -> Explanation {
    let owner = subject.owner
    let known = try view.reminders(of: owner).sorted { $0.isExplained(before: $1) }
    let deliveries = try view.deliveries(of: owner, state: nil).map { delivery, message in
      ExplainedDelivery(delivery: delivery, message: message, attempts: try view.attempts(of: delivery.id))
    }
    let answers = try view.answers(of: owner)
    let history = OwnerHistory(subject: subject, known: known, deliveries: deliveries, people: try view.people())
    var forecast = Forecast(self, settings: settings, sinks: sinks)
    let escalation = forecast.escalation(of: subject)
    let unanswered = try forecast.ifUnanswered(history)
    let source = settings.urgency(of: subject)
    let urgency = source.urgency == .normal ? [] : ["urgency \(source.urgency), \(source.words)"]
    return Explanation(
      subject: subject, verdict: try verdict(subject, known, unanswered),
      reasons: try reasons(subject, escalation) + urgency + forecast.aims(of: history),
      urgency: source.urgency, escalation: escalation,
      reminders: known.map { reminder in
        ExplainedReminder(
          reminder: reminder, step: forecast.step(of: reminder, history),
          deliveries: history.deliveries(of: reminder), answers: answers.filter { $0.reminderID == reminder.id })
      },
      unanswered: unanswered, people: try view.personNames())
  }

  private func verdict(
    _ subject: ExplainedSubject, _ known: [Reminder], _ unanswered: [UnansweredEscalation]
  ) throws -> String {
    let zone = displayZone(subject.zone)
    // A step that the config no longer has is scheduled, but does not ring.
    let steps = unanswered.compactMap { $0.rings.first { !$0.isMade } }
    let dates = known.filter { $0.state == .scheduled && $0.place == nil }.map(\.fireDate) + steps.map(\.fireDate)
    if let next = dates.filter({ $0.date > now }).min() {
      let step = steps.first { $0.fireDate == next && $0.place.step > 1 }
      let words = step.map { ", as step \($0.place.step) of its escalation" } ?? ""
      return "It will ring \(zone.readable(next.date)), \(RelativeTime.words(from: now, to: next.date))\(words)."
    }
    if let due = dates.min() {
      return "It was due \(zone.readable(due.date)); it rings as soon as the daemon runs."
    }
    if let next = try unplanned(subject) {
      return "It will ring \(zone.readable(next.date)), \(RelativeTime.words(from: now, to: next.date))."
    }
    if let setAside = try setAside(subject) { return "It will not ring: \(setAside)." }
    if case .list(let summary) = subject, case .silent(let date)? = try bell(of: summary.list) {
      return "Nothing on the list is open: it rings \(zone.readable(date)) if anything is open then."
    }
    if let last = known.last(where: { $0.state == .fired }) {
      return "It rang \(zone.readable(last.fireDate.date)) and will not ring again."
    }
    if let missed = known.last(where: { $0.state == .missed }) {
      return "It was missed: \(zone.readable(missed.fireDate.date)) passed while nothing was running."
    }
    if planner.plan(of: subject) == nil { return "It will not ring: \(subject.reasonForSilence)." }
    if planner.fault(of: subject.zone) != nil {
      return "It will not ring: the system does not know its time zone '\(subject.zone)'."
    }
    return "It will not ring: its time was already past when it was set."
  }

  // The next fire date of an item that another program has just put into the store's file: no daemon has scheduled it
  // yet.
  private func unplanned(_ subject: ExplainedSubject) throws -> FireDate? {
    guard case .item = subject, try view.isEditedElsewhere(), let plan = planner.plan(of: subject),
      let first = try? plan.firstRingings(from: now)
    else { return nil }
    return first.compactMap { plan.reminder($0.first, lead: $0.lead)?.fireDate }.filter { $0.date > now }.min()
  }

  private func reasons(_ subject: ExplainedSubject, _ escalation: ExplainedEscalation?) throws -> [String] {
    var reasons: [String] = []
    let zone = displayZone(subject.zone)
    if let due = subject.due {
      reasons.append(
        "due \(zone.readable(due.instant.date)) (\(due.local) on the clock of \(zone.identifier), \(subject.zone == .floating ? "floating" : "fixed"))"
      )
      switch zone.instant(of: due.local).resolution {
      case .exact: break
      case .gap(let minutes): reasons.append("the clock skips that time: it is due \(minutes) minutes later")
      case .overlap: reasons.append("the clock shows that time twice: the first one counts")
      }
    } else {
      reasons.append("no due date")
    }
    switch subject {
    case .item(let listing): reasons += listing.item.switches
    case .list(let summary):
      reasons.append("\(summary.remaining) of \(counted(summary.items, "item")) open; rings while any is open")
    }
    if let recurrence = subject.recurrence {
      reasons.append(
        "repeats \(recurrence.rule.words), from \(recurrence.start), counted from when it is \(recurrence.origin.rawValue)"
      )
    }
    if let setAside = try setAside(subject) { reasons.append("\(setAside); \(setAside.advice)") }
    if let escalation {
      reasons += escalation.words
    } else if let nag = subject.nag {
      reasons.append("rings again every \(nag) until checked")
    }
    return reasons
  }
}

extension ExplainedSubject {
  // The reason why it asks for no reminder.
  fileprivate var reasonForSilence: String {
    switch self {
    case .item(let listing): listing.item.reasonForSilence
    case .list(let summary):
      "the list has no reminder of its own; belfry list remind \(summary.list.name.shellQuoted) --at WHEN gives it one"
    }
  }
}

extension Item {
  fileprivate var switches: [String] {
    var words = [isChecked ? "checked" : "unchecked", shouldRemind ? "reminder on" : "reminder off"]
    if alerts != [.zero] {
      words.append("rings \(alerts.map { $0 == .zero ? "when due" : "\($0) before" }.joined(separator: ", "))")
    }
    return words
  }
}

extension Reminder {
  // Steps that follow at once have the fire date of the one before.
  fileprivate func isExplained(before other: Reminder) -> Bool {
    (fireDate, place?.number ?? 0, id.uuidString) < (other.fireDate, other.place?.number ?? 0, other.id.uuidString)
  }
}

extension Occurrence.Kind {
  /// The word for commands and JSON.
  public var name: String {
    switch self {
    case .planned: "planned"
    case .snooze: "snooze"
    case .nag: "nag"
    case .escalation: "escalation"
    }
  }
}

extension Reminder.State {
  /// The word for commands and JSON.
  public var name: String {
    switch self {
    case .scheduled: "scheduled"
    case .fired: "fired"
    case .cancelled: "cancelled"
    case .missed: "missed"
    }
  }
}
