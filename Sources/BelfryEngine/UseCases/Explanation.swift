import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// An explanation why an item will fire, has fired or has not, and where its messages went.
public struct Explanation: Sendable {
  /// The item.
  public let listing: ItemListing
  /// The answer in one line.
  public let verdict: String
  /// The reasons, one line each.
  public let reasons: [String]
  /// Every reminder that the store still has, soonest first, with its deliveries.
  public let reminders: [(reminder: Reminder, deliveries: [ExplainedDelivery], answers: [Answer])]
}

/// A delivery with its message and attempts.
public struct ExplainedDelivery: Hashable, Sendable {
  /// The delivery.
  public let delivery: Delivery
  /// The message that it carries.
  public let message: Message
  /// Every attempt, oldest first.
  public let attempts: [AttemptRecord]
}

extension Reading {
  /// Explains an item.
  ///
  /// - Parameter sinks: the enabled sinks to which it is routed.
  /// - Throws: ``BelfryError`` `.notFound`.
  public func explain(_ id: Int64, sinks: [ActiveSink]) throws -> Explanation {
    guard let listing = try view.item(id: id) else { throw BelfryError.noItem(id) }
    let known = try view.reminders(of: .item(id))
      .sorted { ($0.fireDate, $0.id.uuidString) < ($1.fireDate, $1.id.uuidString) }
    let deliveries = try view.deliveries(of: .item(id), state: nil).map { delivery, message in
      ExplainedDelivery(delivery: delivery, message: message, attempts: try view.attempts(of: delivery.id))
    }
    let answers = try view.answers(of: .item(id))
    return Explanation(
      listing: listing, verdict: try verdict(listing.item, known),
      reasons: try reasons(listing.item, sinks: sinks.map(\.name)) + quiet(known, sinks),
      reminders: known.map { reminder in
        (
          reminder, deliveries.filter { $0.message.contents.contains { $0.reminderID == reminder.id } },
          answers.filter { $0.reminderID == reminder.id }
        )
      })
  }

  // Quiet hours are in the floating zone, as in the outbox.
  private func quiet(_ known: [Reminder], _ sinks: [ActiveSink]) -> [String] {
    let zone = planner.floatingZone
    guard let next = known.first(where: { $0.state == .scheduled })?.fireDate.date else { return [] }
    return sinks.compactMap { sink in
      guard let hours = sink.quietHours, let end = hours.end(of: next, in: zone) else { return nil }
      return "\(sink.name) is quiet from \(hours.from) to \(hours.to): held until \(zone.readable(end))"
    }
  }

  private func verdict(_ item: Item, _ known: [Reminder]) throws -> String {
    let zone = displayZone(item.zone)
    let scheduled = known.filter { $0.state == .scheduled }.map(\.fireDate)
    if let next = scheduled.first(where: { $0.date > now }) {
      return "It will ring \(zone.readable(next.date)), \(RelativeTime.words(from: now, to: next.date))."
    }
    if let due = scheduled.first {
      return "Its time came \(zone.readable(due.date)); it rings as soon as the daemon runs."
    }
    if let setAside = try setAside(item) { return "It will not ring: \(setAside)." }
    if let last = known.last(where: { $0.state == .fired }) {
      return "It rang \(zone.readable(last.fireDate.date)) and will not ring again."
    }
    if let missed = known.last(where: { $0.state == .missed }) {
      return "It was missed: \(zone.readable(missed.fireDate.date)) passed while nothing was running."
    }
    if planner.plan(of: item) == nil { return "It will not ring: \(item.reasonForSilence)." }
    if planner.fault(of: item.zone) != nil {
      return "It will not ring: the system does not know its time zone '\(item.zone)'."
    }
    return "It will not ring: its time was already past when it was asked for."
  }

  private func reasons(_ item: Item, sinks: [String]) throws -> [String] {
    var reasons: [String] = []
    let zone = displayZone(item.zone)
    if let due = item.due {
      reasons.append(
        "due \(zone.readable(due.instant.date)) (\(due.local) on the clock of \(zone.identifier), \(item.zone == .floating ? "floating" : "fixed"))"
      )
      switch zone.instant(of: due.local).resolution {
      case .exact: break
      case .gap(let minutes): reasons.append("the clocks skip that time: it counts \(minutes) minutes later")
      case .overlap: reasons.append("the clocks show that time twice: the first counts")
      }
    } else {
      reasons.append("no due date")
    }
    reasons.append(item.isChecked ? "checked" : "unchecked")
    reasons.append(item.shouldRemind ? "reminder on" : "reminder off")
    if item.alerts != [.zero] {
      reasons.append("rings \(item.alerts.map { $0 == .zero ? "when due" : "\($0) before" }.joined(separator: ", "))")
    }
    if let recurrence = item.recurrence {
      reasons.append(
        "repeats \(recurrence.rule.words), from \(recurrence.start), counted from when it is \(recurrence.origin.rawValue)"
      )
    }
    if let setAside = try setAside(item) { reasons.append("\(setAside); \(setAside.advice)") }
    if let nag = item.nag { reasons.append("rings again every \(nag) until checked") }
    reasons.append(
      sinks.isEmpty ? "goes to no sink: none is enabled and routed" : "goes to \(sinks.joined(separator: ", "))")
    return reasons
  }

  /// An explanation as in `--json`.
  public func json(_ explanation: Explanation) -> JSONValue {
    let zone = displayZone(explanation.listing.item.zone)
    return [
      "item": json(explanation.listing),
      "verdict": .string(explanation.verdict),
      "reasons": .array(explanation.reasons.map { .string($0) }),
      "reminders": .array(
        explanation.reminders.map { reminder, deliveries, answers in
          [
            "reminder_id": .uuid(reminder.id),
            "kind": .string(reminder.occurrence.kind.name),
            "due_local": .string(reminder.occurrence.wallTime.description),
            "alert": .string(reminder.occurrence.lead.iso8601),
            "fire_date": .instant(reminder.fireDate.date, zone),
            "state": .string(reminder.state.name),
            "deliveries": .array(deliveries.map(json)),
            "answers": .array(answers.map(json)),
          ]
        }),
    ]
  }

  // A delivery as in other JSON output, with all its attempts.
  private func json(_ explained: ExplainedDelivery) -> JSONValue {
    let zone = planner.floatingZone
    var object = json(explained.delivery, of: explained.message).objectValue ?? [:]
    object.append(
      "history",
      .array(
        explained.attempts.map {
          [
            "started_at": .instant($0.startedAt, zone), "outcome": .string($0.outcome.name),
            "words": .optional($0.words),
          ]
        }))
    return .object(object)
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
