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
    let dying = Array(sinks.values)
    dying.forEach { $0.hang() }
    defer { dying.forEach { $0.release() } }
    _ = try daemon?.scheduler.tick()
    try model.tick(nil)
    model.crash()
    try restart(sinks: model.enabledSinks, isAfterCrash: true)
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
