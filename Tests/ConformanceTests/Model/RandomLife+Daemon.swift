import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation

/// The daemon of a random run: it ticks, is killed during a tick, and restarts.
extension RandomLife {
  func tick() async throws {
    tell("tick at \(time.now)")
    try await daemon?.tick()
    let (now, seed) = (time.now, seed)
    try model.tick { sending, instant in
      Self.answer(seed, sending.ring.owner, instant, sending.sink, sending.recipient, now)
    }
  }

  /// Kills the daemon while its sinks are working, so that the outcomes are unknown.
  func crash() throws {
    tell("tick at \(time.now), killed in the middle")
    let dying = sinks
    let known = dying.mapValues(\.attempts.count)
    dying.values.forEach { $0.hang() }
    defer { dying.values.forEach { $0.release() } }
    _ = try daemon?.scheduler.tick()
    try model.tick(nil)
    try restart(sinks: model.enabledSinks, isAfterCrash: true)
    for (name, sink) in dying {
      let lost = try lostAttempts(of: name)
      let begun = Set(sink.attempts.dropFirst(known[name] ?? 0).map(\.deliveryID))
      guard begun.isSubset(of: lost.ids) else { throw Difference("\(begun) were begun, \(lost.ids) may have arrived") }
      let new = lost.sendings.subtracting(model.reached)
      guard new.count <= 2 * sink.concurrency else { throw Difference("\(new) may have arrived, more than were begun") }
      model.reached.formUnion(new)
    }
    model.crash()
  }

  // The pending deliveries of a sink of which an attempt may have arrived, and those among them that are no updates.
  private func lostAttempts(of sink: String) throws -> (ids: Set<Int64>, sendings: Set<Facts.Sending>) {
    try store.read { view in
      var (ids, sendings) = (Set<Int64>(), Set<Facts.Sending>())
      try view.visitDeliveries(DeliveryQuery(state: .pending, sink: sink)) { delivery, message in
        guard try view.attempts(of: delivery.id).contains(where: \.outcome.mayHaveArrived) else { return .next }
        ids.insert(delivery.id)
        guard message.update == nil, let id = message.contents.first?.reminderID,
          let occurrence = try view.reminder(id: id)?.occurrence
        else { return .next }
        let ring = Facts.Ring(owner: occurrence.owner, local: occurrence.wallTime, lead: occurrence.lead)
        sendings.insert(Facts.Sending(ring: ring, sink: sink, recipient: delivery.recipient))
        return .next
      }
      return (ids, sendings)
    }
  }

  func restart(sinks names: Set<String>, isAfterCrash: Bool = false) throws {
    tell("restart in \(model.machineZone) with \(names.sorted())")
    settings.timeZone = .named(model.machineZone)
    store = try fixture.open()
    let seed = seed
    sinks = [:]
    for (name, recipients) in NaiveBelfry.sinks where names.contains(name) {
      sinks[name] = RecordingSink(
        recipients: recipients, concurrency: name == "mail" ? 3 : 1, canWithdraw: name == NaiveBelfry.withdrawing
      ) { attempt, _ in
        guard let content = attempt.message.contents.first else { return .never(reason: "no content") }
        return Self.answer(
          seed, content.owner, content.fireDate.date, name, attempt.recipient, attempt.startedAt)
      }
    }
    let active = sinks.sorted { $0.key < $1.key }.map { ActiveSink(name: $0.key, sink: $0.value) }
    // Without jitter, since some formats do not keep fractions of seconds.
    daemon = try TestDaemon(belfry, sinks: active, isAfterCrash: isAfterCrash)
    model.enabledSinks = names
    model.closeWithoutSink()
  }

  /// The outcome of an attempt: the same for the model and for Belfry.
  private static func answer(
    _ seed: UInt64, _ owner: ReminderOwner, _ instant: Date, _ sink: String, _ recipient: String?,
    _ now: Date
  ) -> DeliveryOutcome {
    let number: Int64 =
      switch owner {
      case .item(let id): id
      case .list(let id): -id
      }
    var mixed =
      seed &+ UInt64(bitPattern: number) &* 1_000_003 &+ UInt64(now.timeIntervalSince1970) &* 31
    mixed =
      mixed &+ UInt64(instant.timeIntervalSince1970) &* 17
      &+ UInt64(recipient == "x" ? 7 : sink.utf8.count)
    var random = SeededGenerator(seed: mixed)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: return .delivered
    case 5..<7: return .later(reason: "busy")
    case 7: return .unknown(reason: "no answer")
    case 8: return .later(reason: "slow down", retryAfter: now + 100)
    default: return .never(reason: "no such user")
    }
  }
}
