import BelfryModel
import CivilTime
import FoundationEssentials

/// An escalation as it goes if nobody answers.
public struct UnansweredEscalation: Hashable, Sendable {
  /// The instant at which it began, or will begin.
  public let start: Date
  /// True if it has begun.
  public let isUnderWay: Bool
  /// The next ringing, which ends it; `nil` for none.
  public let end: FireDate?
  /// Its past and future rings, soonest first.
  public let rings: [UnansweredRing]
}

/// A ring of an escalation as it goes if nobody answers.
public struct UnansweredRing: Hashable, Sendable {
  /// Its run, step and ring.
  public let place: EscalationPlace
  /// The full minute at which it rings.
  public let fireDate: FireDate
  /// The stored place of a past ring; `nil` for a future one.
  public let step: ExplainedStep?
  /// The urgency of its alerts.
  public let urgency: Urgency
  /// Each recipient; for a past ring, with the state of the delivery to them.
  public internal(set) var receivers: [Receiver]
  /// The people whom the config names and who are away.
  public let absentees: [Absentee]

  /// A recipient of the ring.
  public struct Receiver: Hashable, Sendable {
    /// The name of the sink.
    public let sink: String
    /// The name of the person; `nil` for no one in particular.
    public let person: String?
    /// The name by which the sink knows the recipient; `nil` for a sink without recipients.
    public let address: String?
    /// The end of the quiet hours that hold the message; `nil` if none do.
    public let heldUntil: Date?
    /// True if nothing is sent, since quiet hours hold an earlier message to the same receiver.
    public internal(set) var isOmitted = false
    /// The state of the delivery; `nil` if it is still to come.
    public let state: Delivery.State?

    fileprivate func isFor(_ other: Receiver) -> Bool { sink == other.sink && person == other.person }
  }

  /// True if it is in the past.
  public var isMade: Bool { step != nil }

  /// A person who is away.
  public struct Absentee: Hashable, Sendable {
    /// The name of the person.
    public let person: String
    /// The time at which the person returns.
    public let until: Date
  }
}

extension Forecast {
  /// The escalations as they go if nobody answers: those under way, then those that scheduled reminders begin.
  mutating func ifUnanswered(_ history: OwnerHistory) throws -> [UnansweredEscalation] {
    let scheduled = history.known.filter { $0.state == .scheduled }
    guard let first = scheduled.first, let escalation = escalation(of: history.coming(first)),
      let plan = reading.planner.plan(of: history.subject)
    else { return [] }
    return try scheduled.compactMap(\.run).uniqued().map { try underWay($0, on: escalation, plan, history) }
      + scheduled.filter(\.beginsEscalation).map { try begin(with: $0, on: escalation, plan, history.subject) }
  }

  private mutating func underWay(
    _ occurrence: Occurrence, on escalation: Escalation, _ plan: OwnerPlan, _ history: OwnerHistory
  ) throws -> UnansweredEscalation {
    let underWay = try EscalationUnderWay(occurrence, in: reading.view)
    let course = try course(of: underWay, on: escalation, plan)
    let made = ([underWay.ringing].compactMap(\.self) + underWay.made).map { ring in
      let place = ring.place ?? .first
      return UnansweredRing(
        place: place, fireDate: ring.fireDate, step: step(of: ring, history),
        urgency: settings.urgency(of: history.subject, escalation.step(at: place)).urgency,
        receivers: receivers(of: ring, history),
        absentees: absentees(among: escalation.step(place.step)?.to ?? [], at: ring.changedAt))
    }
    return UnansweredEscalation(
      start: course.start, isUnderWay: true, end: course.end,
      rings: (made.sorted { $0.place.number < $1.place.number }
        + course.rings(from: underWay.scheduled, now: reading.now).map { coming($0, on: escalation, history.subject) })
        .withOmissions)
  }

  private func begin(
    with reminder: Reminder, on escalation: Escalation, _ plan: OwnerPlan, _ subject: ExplainedSubject
  ) throws -> UnansweredEscalation {
    let occurrence = reminder.occurrence
    let course = course(
      of: occurrence, on: escalation, plan, start: max(reading.now, reminder.fireDate.date),
      end: try nextRinging(of: plan, lead: occurrence.lead, after: reminder.fireDate.date))
    let rings = course.rings(from: [EscalationRing(place: .first, fireDate: reminder.fireDate)], now: reading.now)
    return UnansweredEscalation(
      start: course.start, isUnderWay: false, end: course.end,
      rings: rings.map { coming($0, on: escalation, subject) }.withOmissions)
  }

  private func coming(
    _ ring: EscalationRing, on escalation: Escalation, _ subject: ExplainedSubject
  ) -> UnansweredRing {
    let step = escalation.step(at: ring.place)
    let (names, urgency) = (step?.to ?? [], settings.urgency(of: subject, step).urgency)
    let instant = ring.fireDate.date
    return UnansweredRing(
      place: ring.place, fireDate: ring.fireDate, step: nil, urgency: urgency,
      receivers: receivers(of: names, urgency, at: instant),
      absentees: absentees(among: names, at: instant))
  }

  // The recipients of a past ring.
  private func receivers(of ring: Reminder, _ history: OwnerHistory) -> [UnansweredRing.Receiver] {
    history.rings(of: ring).map { explained in
      let delivery = explained.delivery
      return UnansweredRing.Receiver(
        sink: delivery.sink, person: history.person(of: explained.message), address: delivery.recipient,
        heldUntil: delivery.isHeld(at: reading.now) ? delivery.permittedFrom : nil, state: delivery.state)
    }
  }

  // The recipients of a future ring.
  private func receivers(of names: [String], _ urgency: Urgency, at instant: Date) -> [UnansweredRing.Receiver] {
    self.names.recipients(of: names, at: instant, in: zone).flatMap { recipient in
      let sink = sink(recipient)
      let permitted = [sink?.quietHours, recipient.person?.quietHours].permitted(
        urgency, from: instant, in: zone)
      let addresses = recipient.address.map { [$0] } ?? sink?.sink.receivers(for: recipient.person?.name) ?? []
      return addresses.map { address in
        UnansweredRing.Receiver(
          sink: recipient.sink, person: recipient.person?.name, address: address,
          heldUntil: permitted > instant ? permitted : nil, state: nil)
      }
    }
  }

  private func absentees(among names: [String], at instant: Date) -> [UnansweredRing.Absentee] {
    self.names.absentees(among: names, at: instant, in: zone).map { person in
      let ends = person.away.filter { $0.contains(instant, in: zone) }.map { zone.instant(of: $0.until).instant }
      return UnansweredRing.Absentee(person: person.name, until: ends.max() ?? instant)
    }
  }
}

extension [UnansweredRing] {
  /// The rings with their omissions: quiet hours hold only one message to each recipient, as in the outbox.
  fileprivate var withOmissions: [UnansweredRing] {
    var held: [UnansweredRing.Receiver] = []
    return map { ring in
      var ring = ring
      ring.receivers = ring.receivers.map { receiver in
        guard receiver.heldUntil != nil else { return receiver }
        var receiver = receiver
        receiver.isOmitted =
          !ring.isMade
          && held.contains { earlier in
            earlier.isFor(receiver) && earlier.heldUntil.map { $0 > ring.fireDate.date } ?? false
          }
        return receiver
      }
      held += ring.receivers.filter { !$0.isOmitted }
      return ring
    }
  }
}

extension Delivery {
  /// True if quiet hours hold its first attempt.
  fileprivate func isHeld(at now: Date) -> Bool { state == .pending && attempts == 0 && permittedFrom > now }
}

extension Reminder {
  /// The occurrence of the first ring of its run of the escalation; `nil` if it is not a step.
  fileprivate var run: Occurrence? {
    place.map { place in
      Occurrence(
        owner: occurrence.owner, wallTime: occurrence.wallTime, lead: occurrence.lead,
        kind: .escalation(EscalationPlace(run: place.run, step: 1, ring: 1)))
    }
  }
}
