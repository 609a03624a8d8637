import BelfryEngine
import Foundation

/// The daemon's work, and user actions on deliveries.
extension NaiveBelfry {
  /// Closes deliveries whose sink no longer exists.
  mutating func closeWithoutSink() {
    for (sending, state) in facts.sendings
    where state.state == .pending && !enabledSinks.contains(sending.sink) {
      begin()
      close(sending, .dead)
      facts.sendings[sending]?.error =
        "the sink '\(sending.sink)' is switched off or not in the config"
    }
  }

  /// The daemon is killed: deliveries that were due before they were discarded may have arrived.
  mutating func crash() {
    for (sending, state) in facts.sendings where sending.sink == Self.withdrawing && !reached.contains(sending) {
      let due = state.last.map { $0 + Self.delays[min(state.attempts, Self.delays.count) - 1] } ?? state.permittedFrom
      guard state.state == .discarded, let closed = state.closed, due <= closed else { continue }
      reached.insert(sending)
      if isEnded(sending) { facts.answeredCopies.insert(sending) }
    }
  }

  /// A tick of the daemon; without `answer` it is killed before it learns the outcomes of its attempts.
  mutating func tick(_ answer: ((Facts.Sending, Date) -> DeliveryOutcome)?) throws {
    try followZone()
    closeWithoutSink()
    claim()
    guard let answer else { return }
    for (sending, state) in facts.sendings
    where state.state == .pending && enabledSinks.contains(sending.sink) {
      if let next = state.next, next <= now { attempt(sending, answer(sending, state.instant)) }
    }
  }

  private mutating func followZone() throws {
    guard facts.zone != machineZone else { return }
    let isFirst = facts.zone == nil
    facts.zone = machineZone
    guard !isFirst else { return }
    for (id, item) in facts.items where item.zone == .floating && item.local != nil {
      let instant = try item.local.map { try resolve($0, .floating) }
      facts.items[id]?.instant = instant
      try replan(.item(id))
    }
    for (id, list) in facts.lists {
      guard let own = list.own, own.zone == .floating else { continue }
      let instant = try resolve(own.local, .floating)
      facts.lists[id]?.own?.instant = instant
      try replan(.list(id))
    }
  }

  private mutating func claim() {
    let due = facts.rings.filter { $0.value.state == .scheduled && $0.value.instant <= now }
    func isMissed(_ state: Facts.RingState) -> Bool {
      now.timeIntervalSince(state.instant) > Double(policy.graceSeconds)
    }
    for (ring, state) in due {
      var rings = true
      if isMissed(state) {
        let latest = due.filter { $0.key.owner == ring.owner && isMissed($0.value) }.map(
          \.value.instant
        ).max()
        switch policy.policy {
        case .all: rings = true
        case .skip: rings = false
        case .once: rings = state.instant == latest
        }
        if now.timeIntervalSince(state.instant) > 86_400 * Double(policy.maxAge.days) {
          rings = false
        }
      }
      facts.rings[ring]?.state = rings ? .fired : .missed
      if rings { send(ring, state.instant) }
    }
  }

  private mutating func send(_ ring: Facts.Ring, _ instant: Date) {
    let list: Int64? =
      switch ring.owner {
      case .item(let id): list(of: id)
      case .list(let id): id
      }
    let isWork = list.flatMap { facts.lists[$0] }?.name.lowercased().hasPrefix("work") ?? false
    for (sink, recipients) in Self.sinks
    where enabledSinks.contains(sink) && (!isWork || sink == "mail") {
      for recipient in recipients {
        facts.sendings[Facts.Sending(ring: ring, sink: sink, recipient: recipient)] =
          Facts.SendingState(
            instant: instant, state: .pending, permittedFrom: second, next: second)
      }
    }
  }

  private mutating func attempt(_ sending: Facts.Sending, _ outcome: DeliveryOutcome) {
    guard var state = facts.sendings[sending] else { return }
    state.attempts += 1
    state.last = second
    state.error = nil
    facts.sendings[sending] = state
    switch outcome {
    case .delivered, .unknown: reached.insert(sending)
    case .later, .never: break
    }
    switch outcome {
    case .delivered: close(sending, .delivered)
    case .never(let reason, _):
      close(sending, .dead)
      facts.sendings[sending]?.error = reason
    case .later(let reason, let retryAfter, _), .unknown(let reason, let retryAfter):
      facts.sendings[sending]?.error = reason
      let end = state.permittedFrom + Self.retryAge
      guard now < end else { return close(sending, .dead) }
      let delay = Self.delays[min(state.attempts, Self.delays.count) - 1]
      facts.sendings[sending]?.next = min(retryAfter ?? now + delay, end)
    }
  }

  // MARK: User actions on deliveries

  mutating func discardSending(_ sending: Facts.Sending) {
    begin()
    close(sending, .discarded)
  }

  /// Retries every dead delivery whose reminder is not over.
  mutating func retryDead() {
    begin()
    let second = second
    for (sending, state) in facts.sendings where state.state == .dead && !isEnded(sending) {
      facts.sendings[sending]?.state = .pending
      facts.sendings[sending]?.closed = nil
      facts.sendings[sending]?.next = second
      facts.sendings[sending]?.permittedFrom = second
    }
  }
}
