import BelfryTestKit
import Foundation
import Synchronization
import Testing
import Transport
@testable import BelfryEngine
@testable import BelfryModel

/// When an attempt may begin. It is 10:00 in Zurich, and reminders are due.
@Suite struct BeginTests {
  /// A store that counts its changes, and one whose begins are committed.
  enum Kind: CaseIterable {
    case counting
    case shared
  }

  private var fixture = EngineFixture()

  init() throws { try fixture.setClock("2026-11-21T09:00:00+01:00") }

  /// Adds items that are due at 10:00, and moves the clock there.
  private mutating func ring(_ count: Int, in kind: Kind) throws {
    if kind == .shared { fixture.store = SharedStore(fixture.store) }
    let drafts = try (0..<count).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T10:00"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
  }

  private func daemon(_ sink: any ReminderSink) throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  @Test(
    "what was read ahead is not attempted after an answer of which nobody has told the daemon",
    arguments: Kind.allCases)
  mutating func answered(kind: Kind) async throws {
    try ring(20, in: kind)
    let sink = RecordingSink(concurrency: 2)
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 20)
    await sink.waitForAttempts(2)
    _ = try fixture.belfry.setChecked(true, Array(4...20))
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["0", "1", "2"])
    #expect(try fixture.deliveries().filter { $0.state == .discarded }.count == 17)
  }

  @Test(
    "an attempt that does not start within its second is begun anew, unless it was answered",
    arguments: Kind.allCases)
  mutating func tooLate(kind: Kind) async throws {
    try ring(4, in: kind)
    let sink = BlockedSink()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 4)
    await sink.waitUntilBlocked()
    // The first attempt keeps the thread of the sink; the others were begun, and wait for it.
    _ = try fixture.belfry.setChecked(true, [3])
    fixture.time.uptime += 0.9
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["0", "1", "3"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .delivered, .discarded, .delivered])
  }

  @Test("an attempt that starts within its second is not begun twice", arguments: Kind.allCases)
  mutating func inTime(kind: Kind) async throws {
    try ring(4, in: kind)
    let sink = BlockedSink()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 4)
    await sink.waitUntilBlocked()
    fixture.time.uptime += 0.7
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["0", "1", "2", "3"])
    #expect(try fixture.deliveries().allSatisfy { $0.attempts == 1 })
  }

  @Test("what a claim itself discards is not attempted, though it was read ahead")
  func discardedByClaim() async throws {
    try fixture.add("0", due: "2026-11-21T09:01")
    try fixture.setClock("2026-11-21T09:01:00+01:00")
    let end = try instant("2026-11-21T09:05:00+01:00")
    let alert = Alert(key: "disk", text: "Disk", notes: nil, startsAt: nil, state: .firing(until: end))
    let list = ListChoice("Alerts", createsMissing: true)
    let item = try only(
      fixture.belfry.take([alert], to: AlertDestination(list: list, category: nil, mayChange: { _ in true })))
    _ = try fixture.edit(item.item.id) { $0.nag = .set(try lead("5m")) }
    try fixture.setClock("2026-11-21T09:02:00+01:00")
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(1)
    // The claim of the nag finds that the alert has expired, and checks its item.
    try fixture.setClock("2026-11-21T09:07:00+01:00")
    try await daemon.tick(hanging: 2)
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["0"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .discarded])
  }

  @Test("a begin that fails is made again, in order", arguments: Kind.allCases)
  mutating func failing(kind: Kind) async throws {
    try ring(6, in: .counting)
    let failing = FailingStore(fixture.store)
    failing.isFailing = false
    fixture.store = kind == .shared ? SharedStore(failing) : failing
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 6)
    await sink.waitForAttempts(1)
    failing.isFailing = true
    sink.release()
    await #expect(throws: BelfryError.self) { try await daemon.settle() }
    failing.isFailing = false
    try await daemon.settle()
    #expect(sink.texts == (0..<6).map { "\($0)" })
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }

  @Test("what is due later when it is to be begun goes out then", arguments: Kind.allCases)
  mutating func dueLater(kind: Kind) async throws {
    try ring(2, in: kind)
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(1)
    let later = fixture.time.now + 20
    try fixture.store.write { transaction in
      var delivery = try #require(try transaction.delivery(id: 2))
      delivery.nextAttemptAt = later
      try transaction.update(delivery)
    }
    sink.release()
    #expect(try await daemon.settle() == later)
    #expect(sink.texts == ["0"])
    fixture.time.now = later
    try await daemon.tick()
    #expect(sink.texts == ["0", "1"])
  }

  @Test("an attempt that ends after it was abandoned is not recorded a second time", arguments: Kind.allCases)
  mutating func abandoned(kind: Kind) async throws {
    try ring(2, in: kind)
    let sink = RecordingSink(concurrency: 2)
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(2)
    daemon.scheduler.stop()
    #expect(try daemon.scheduler.abandon() == 2)
    #expect(daemon.scheduler.inFlightCount == 0)
    sink.release()
    for _ in 0..<1_000 { await Task.yield() }
    try daemon.scheduler.drain()
    for id in [Int64(1), 2] {
      #expect(try fixture.store.read { try $0.attempts(of: id) }.map(\.outcome) == [.unknown])
    }
  }

  @Test("a stop calls for the recording of outcomes that a tick has left")
  mutating func stopped() async throws {
    try ring(1, in: .counting)
    let sink = RecordingSink()
    sink.hang()
    let wakes = Mutex(0)
    let scheduler = Scheduler(
      belfry: fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)], random: { 0 }, log: { _ in },
      wake: { wakes.withLock { $0 += 1 } })
    try scheduler.start()
    _ = try scheduler.tick()
    await sink.waitForAttempts(1)
    sink.release()
    while wakes.withLock({ $0 }) == 0 { await Task.yield() }
    scheduler.stop()
    #expect(wakes.withLock { $0 } == 2)
    #expect(scheduler.inFlightCount == 1)
  }

  @Test("a wake with nothing to begin or record does not use the store", arguments: Kind.allCases)
  mutating func nothingToDo(kind: Kind) async throws {
    let watched = WatchedStore(fixture.store)
    fixture.store = watched
    try ring(2, in: kind)
    let sink = RecordingSink(concurrency: 2)
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(2)
    let whileUnderWay = watched.uses
    for _ in 0..<10 { try daemon.scheduler.drain() }
    #expect(watched.uses == whileUnderWay)
    sink.release()
    try await daemon.settle()
    let idle = watched.uses
    #expect(idle > whileUnderWay)
    for _ in 0..<10 { try daemon.scheduler.drain() }
    #expect(watched.uses == idle)
  }
}

/// A sink whose first attempt blocks its thread until it is released.
private final class BlockedSink: ReminderSink {
  let recipients: [String?] = [nil]
  let concurrency = 4
  private let gate = DispatchSemaphore(value: 0)
  private let sent = Mutex<[String]>([])
  private let blocked = AsyncStream.makeStream(of: Void.self)

  var texts: [String] { sent.withLock { $0 } }

  func waitUntilBlocked() async { for await _ in blocked.stream {} }

  func release() { gate.signal() }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    block(attempt.message.contents.first?.text ?? "")
    return .delivered
  }

  // The compiler refuses to block in an asynchronous function.
  private func block(_ text: String) {
    let isFirst = sent.withLock { sent in
      sent.append(text)
      return sent.count == 1
    }
    guard isFirst else { return }
    blocked.continuation.finish()
    gate.wait()
  }
}
