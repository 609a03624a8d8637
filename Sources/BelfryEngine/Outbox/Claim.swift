import BelfryModel
import CivilTime
import FoundationEssentials

/// A claim in progress: marks due reminders as fired and writes their messages and deliveries, in one transaction.
struct Claim {
  let change: Change
  let settings: Settings
  let sinks: [ActiveSink]
  let badge: Int
  var result = ClaimResult()
  /// The batch size if a sink groups reminders: the reminders of one minute must be claimed together to share a
  /// message.
  static let largestGroup = 10_000
  /// True if reminders have fired or ended at times that are now in the future, since the clock was set back.
  private let isClockBehind: Bool
  private var routing: Routing
  private var offers: Offers
  private var messages = MessageGroups()

  /// A claim for the enabled sinks, in the config's order.
  init(change: Change, settings: Settings, sinks: [ActiveSink]) throws {
    self.change = change
    self.settings = settings
    self.sinks = sinks
    routing = Routing(
      settings, to: sinks, numbers: try change.numbers(of: settings.people), at: change.now,
      in: change.planner.floatingZone)
    offers = Offers(settings)
    isClockBehind = try change.transaction.hasEndedReminder(after: change.stamp)
    badge = try change.transaction.uncheckedCount(listID: nil, dueBefore: change.now)
  }

  /// Claims a batch of due reminders.
  mutating func claimDue(_ batch: ClaimBatch) throws -> ClaimResult {
    let limit = sinks.contains { $0.sink.grouping != .none } ? max(batch.limit, Self.largestGroup) : batch.limit
    let due = try change.transaction.claimable(at: change.now, limit: limit, besides: batch.stuck, change.log)
    try claim(
      due.count < limit ? due : due.withoutPartOfMinute(), limit: limit, claimsFollowers: batch.claimsFollowers)
    for group in messages.groups { try write(group.contents, firedAt: group.fireDate, to: group.recipient) }
    result.stuck.formUnion(batch.stuck)
    let more = try change.transaction.claimable(at: change.now, limit: 1, besides: result.stuck, change.log)
    result.hasMore = !more.isEmpty
    return result
  }

  // Claims in order of fire date. A follower that is already due is inserted at its place.
  private mutating func claim(_ due: [Reminder], limit: Int, claimsFollowers: Bool) throws {
    var waiting = due.sorted { $0.isClaimed(before: $1) }
    var known = Set(waiting.map(\.id))
    var count = 0
    while count < min(limit, waiting.count), !change.stop.wasMade {
      // The follower may be known already, since an edit may have scheduled it.
      if let next = try claimOrSetAside(waiting[count]), claimsFollowers, next.fireDate.date <= change.now,
        known.insert(next.id).inserted
      {
        let place = waiting[count...].firstIndex { next.isClaimed(before: $0) }
        waiting.insert(next, at: place ?? waiting.endIndex)
        result.followers += 1
      }
      count += 1
    }
  }

  // Claims a reminder. If its owner's record cannot be read, the reminder stays scheduled until the record is repaired.
  private mutating func claimOrSetAside(_ reminder: Reminder) throws -> Reminder? {
    let outcome = try change.log.attempt(reminder.occurrence.owner) { try claim(reminder) }
    if let outcome { return outcome }
    try change.transaction.put(reminder)
    result.stuck.insert(reminder.id)
    return nil
  }

  // Returns the follower that was scheduled.
  private mutating func claim(_ reminder: Reminder) throws -> Reminder? {
    // A reminder claimed earlier in this batch may have cancelled the nag or step, or moved the step.
    let kind = reminder.occurrence.kind
    guard try !kind.isNag && !kind.isEscalation || isStillScheduled(reminder) else { return nil }
    // The message shows the state after this reminder has fired.
    try close(reminder, as: .fired)
    guard let subject = try subject(of: reminder), let plan = try plan(of: subject) else {
      try close(reminder, as: .cancelled)
      return nil
    }
    let escalation = routing.escalation(forList: subject.listName, category: subject.category)
    guard try belongs(reminder, on: escalation, plan) else { return nil }
    // The reminder itself can ring, so it does, even if its follower cannot be planned.
    let missed = settings.missed
    let decision = try change.log.attempt(plan.owner) { try change.decide(reminder, plan, missed) } ?? .fire
    if decision == .miss { try close(reminder, as: .missed) }
    // A missed nag is still followed by the next, since only a check, a snooze or a newer reminder ends nagging.
    if escalation == nil, decision == .fire || kind.isNag { try nag(after: reminder, plan) }
    let next =
      try change.log.attempt(plan.owner) { try change.scheduleFollowing(reminder, subject, plan, missed) } ?? nil
    guard decision == .fire else {
      result.missed += 1
      return next
    }
    if isClockBehind, reminder.beginsEscalation { try change.putBehind(reminder) }
    let ring = try escalation.flatMap { try ClaimedRing(reminder, on: $0, of: plan, in: change) }
    let recipients = recipients(of: subject, ring)
    try ring?.goOn(reachedNobody: recipients.isEmpty)
    // Read again: scheduling a follower changes the next fire date in the message.
    let isFollowed = next != nil || ring != nil || plan.nag != nil
    if let fired = isFollowed ? try self.subject(of: reminder) : subject {
      try send(reminder, fired, ring, to: recipients)
    }
    result.fired += 1
    return next
  }

  // Returns false after cancelling the reminder: a nag if an escalation applies now, or a step or ring that the config
  // no longer has.
  private mutating func belongs(_ reminder: Reminder, on escalation: Escalation?, _ plan: OwnerPlan) throws -> Bool {
    switch reminder.occurrence.kind {
    case .planned, .snooze: return true
    case .nag:
      guard escalation != nil else { return true }
    case .escalation(let place):
      if let escalation, escalation.step(at: place) != nil { return true }
      result.lostSteps += 1
      if let escalation, escalation.step(place.step) == nil {
        try change.findStep(of: escalation, inPlaceOf: reminder, plan)
      }
    }
    try close(reminder, as: .cancelled)
    return false
  }

  private mutating func recipients(of subject: ReminderSubject, _ ring: ClaimedRing?) -> [Recipient] {
    if let ring { return routing.recipients(of: ring.step.to) }
    return routing.recipients(forList: subject.listName, category: subject.category)
  }

  private func isStillScheduled(_ reminder: Reminder) throws -> Bool {
    try change.transaction
      .reminders(of: reminder.occurrence.owner, at: reminder.occurrence.wallTime, state: .scheduled)
      .contains { $0.id == reminder.id && $0.fireDate == reminder.fireDate }
  }

  private mutating func close(_ reminder: Reminder, as state: Reminder.State) throws {
    result.claimed.insert(reminder.id)
    var closed = reminder
    closed.state = state
    closed.changedAt = change.stamp
    try change.transaction.put(closed)
  }

  // A newer reminder ends the nagging for earlier ones. There is no nag while a snooze is scheduled.
  private mutating func nag(after reminder: Reminder, _ plan: OwnerPlan) throws {
    guard plan.nag != nil else { return }
    let scheduled = try change.transaction.reminders(of: plan.owner, at: nil, state: .scheduled)
    for other in scheduled where other.occurrence.kind.isNag { try close(other, as: .cancelled) }
    guard !scheduled.contains(where: \.occurrence.kind.isSnooze) else { return }
    let known = try change.transaction.reminders(of: plan.owner, at: reminder.occurrence.wallTime, state: nil)
    if let next = plan.nextNag(after: reminder, known: known, now: change.now) { try change.schedule(next) }
  }

  private mutating func send(
    _ reminder: Reminder, _ subject: ReminderSubject, _ ring: ClaimedRing?, to recipients: [Recipient]
  ) throws {
    if recipients.isEmpty { result.unreached.append(unreached(reminder, subject, ring)) }
    let content = ReminderContent(
      reminder: reminder, subject: subject,
      actions: offers.actions(for: reminder.occurrence.owner, category: subject.category), settings: settings,
      badge: badge, escalation: ring?.note(settings.people, since: change.planner.displayZone(subject.zone)),
      urgency: ring?.step.urgency, planner: change.planner, now: change.now)
    for recipient in recipients {
      let repeats = reminder.occurrence.kind.isNag || reminder.occurrence.kind.isEscalation
      if repeats, try change.holds(content, of: reminder.occurrence.owner, to: recipient) { continue }
      if recipient.sink.sink.grouping == .none {
        try write([content], firedAt: reminder.fireDate, to: recipient)
      } else {
        messages.add(content, of: subject.listName, at: reminder.fireDate, to: recipient)
      }
    }
  }

  private func unreached(_ reminder: Reminder, _ subject: ReminderSubject, _ ring: ClaimedRing?) -> UnreachedRing {
    UnreachedRing(
      owner: reminder.occurrence.owner, text: subject.text,
      step: ring.map { ring in
        let escalation = ring.plan.escalation
        return UnreachedRing.Step(
          escalation: escalation.name, number: ring.place.step, isLast: ring.place.step == escalation.steps.count)
      },
      reason: ring.map { routing.silence(of: $0.step.to) }
        ?? routing.silence(forList: subject.listName, category: subject.category))
  }

  // Writes a message; its contents cannot change afterwards.
  private mutating func write(
    _ contents: [ReminderContent], firedAt fireDate: FireDate, to recipient: Recipient
  ) throws {
    let sink = recipient.sink
    let message = Message(
      id: Message.id(sink: sink.name, reminders: contents.map(\.reminderID), person: recipient.number),
      sink: sink.name, person: recipient.number, contents: contents, createdAt: change.stamp,
      domain: sink.sink.messageDomain, tokens: try sink.tokens(claimedAt: change.stamp, in: change.transaction),
      isWithdrawable: sink.sink.canWithdraw(contents.map(\.alert.urgency).max() ?? .normal))
    result.outgoing += try change.transaction
      .add(message, to: recipient, fireDate: fireDate, in: change.planner.floatingZone)
      .map { OutgoingDelivery(delivery: $0, message: message) }
  }

  // Returns `nil` for an item whose alert has expired.
  private func plan(of subject: ReminderSubject) throws -> OwnerPlan? {
    switch subject {
    case .item(let listing):
      try change.expireAlert(of: listing.item) ? nil : change.planner.plan(of: listing.item)
    case .list(let list, _): change.planner.plan(of: list)
    }
  }

  // Returns `nil` if there is nothing left to remind of: the owner was deleted, or the list has no unchecked item.
  private func subject(of reminder: Reminder) throws -> ReminderSubject? {
    switch reminder.occurrence.owner {
    case .item(let id):
      return try change.transaction.item(id: id).map(ReminderSubject.item)
    case .list(let id):
      guard let list = try change.transaction.list(id: id), list.reminder != nil else { return nil }
      let unchecked = try change.transaction.readingPastFaults(change.log.leaveOut) {
        try change.transaction.listings(ItemQuery(listID: id))
      }
      return unchecked.isEmpty ? nil : .list(list, unchecked: unchecked)
    }
  }
}

extension Change {
  // Schedules the follower in the same transaction, so that a crash never loses a repeat.
  fileprivate func scheduleFollowing(
    _ reminder: Reminder, _ subject: ReminderSubject, _ plan: OwnerPlan, _ missed: MissedPolicy
  ) throws -> Reminder? {
    guard plan.series.repeats, reminder.occurrence.kind == .planned,
      let next = try plan.following(reminder, policy: missed, now: now, isOver: isOver)
    else { return nil }
    let due = try planner.resolve(next.occurrence.wallTime, in: plan.series.zone)
    guard let scheduled = try schedule(next) else { return nil }
    if case .list(var list, _) = subject, var own = list.reminder {
      own.due = due
      list.reminder = own
      try transaction.update(list)
    }
    return scheduled
  }

  fileprivate func decide(_ reminder: Reminder, _ plan: OwnerPlan, _ missed: MissedPolicy) throws -> ClaimDecision {
    // The steps of an escalation are never missed.
    if reminder.occurrence.kind.isEscalation { return .fire }
    return try missed.decide(fireDate: reminder.fireDate, now: now) {
      let owner = reminder.occurrence.owner
      let latest = missed.latestMissed(at: now)
      return try transaction.hasScheduled(owner, after: reminder.fireDate, through: latest)
        || ([reminder] + transaction.reminders(of: owner, at: nil, state: .scheduled)).contains {
          plan.hasOccurrence(behind: $0, after: reminder.fireDate, until: latest)
        }
    }
  }
}

extension Reminder {
  // Orders by fire date. Within a minute, nags and escalation steps come last, since the other reminders cancel them; a
  // later step comes before an earlier one.
  fileprivate func isClaimed(before other: Reminder) -> Bool {
    (fireDate, occurrence.kind.rank) < (other.fireDate, other.occurrence.kind.rank)
  }
}

extension Occurrence.Kind {
  fileprivate var rank: Int {
    switch self {
    case .planned, .snooze: 0
    case .nag: 1
    case .escalation(let place): EscalationPlace.steps.upperBound + 2 - place.step
    }
  }
}

extension [Reminder] {
  /// The reminders without those of the last minute, some of which the limit may have cut off; all of them if they
  /// share one minute. They must be in the order of their fire dates.
  fileprivate func withoutPartOfMinute() -> [Reminder] {
    guard let first, let last, first.fireDate < last.fireDate else { return self }
    return Array(prefix { $0.fireDate < last.fireDate })
  }
}
