import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The share of the work that a daemon does on a store with several. It is 10:00 in Zurich, and reminders are due.
@Suite struct DaemonPartTests {
  private var fixture = EngineFixture()
  private let store: SharedStore
  private let lock = ScriptedLock()
  private let chat = RecordingSink(concurrency: 2)
  private let mail = RecordingSink(concurrency: 2)

  init() throws {
    try fixture.setClock("2026-11-21T09:00:00+01:00")
    store = SharedStore(fixture.store)
    fixture.store = store
    for number in 1...4 { try fixture.add("\(number)", due: "2026-11-21T10:00") }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
  }

  private func daemon() throws -> TestDaemon {
    try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "chat", sink: chat), ActiveSink(name: "mail", sink: mail)], lock: lock)
  }

  @Test("one that does not lead claims nothing, and sends what the leader has claimed for its sinks")
  func follower() async throws {
    lock.set(DaemonPart(term: nil, sinks: ["mail": 1], poll: 5))
    let daemon = try daemon()
    let next = try await daemon.tick()
    #expect(next == fixture.time.now + 5)
    #expect(try fixture.deliveries().isEmpty && mail.texts.isEmpty)
    try fixture.claim(["chat", "mail"])
    try daemon.scheduler.storeChanged()
    try await daemon.settle()
    #expect(mail.texts == ["1", "2", "3", "4"] && chat.texts.isEmpty)
    #expect(lock.offers.map(\.sinks) == [["chat", "mail"]])
  }

  @Test("one that leads claims for every sink, and sends through its own")
  func leader() async throws {
    lock.set(DaemonPart(term: 3, sinks: ["chat": 1], elsewhere: ["mail"], poll: 5))
    try await daemon().tick()
    #expect(try fixture.deliveries().count == 8)
    #expect(chat.texts == ["1", "2", "3", "4"] && mail.texts.isEmpty)
  }

  @Test("a sink that another one shall have is given up once nothing of it is under way")
  func givenUp() async throws {
    lock.set(DaemonPart(term: 1, sinks: ["chat": 1, "mail": 1], poll: 5))
    let daemon = try daemon()
    chat.hang()
    try await daemon.tick(hanging: 4)
    await chat.waitForAttempts(2)
    lock.set(DaemonPart(term: 1, sinks: ["mail": 1], leaving: ["chat"], poll: 5))
    try daemon.scheduler.drain()
    #expect(lock.givenUp.isEmpty)
    chat.release()
    try await daemon.settle()
    try daemon.scheduler.drain()
    #expect(lock.givenUp == ["chat"])
    #expect(chat.texts == ["1", "2"] && mail.texts.count == 4)
    lock.set(DaemonPart(term: 1, sinks: ["mail": 1, "chat": 3], poll: 5))
    try await daemon.tick()
    #expect(chat.texts == ["1", "2", "3", "4"])
  }

  @Test("an outcome whose begin does not hold any more is not recorded")
  func takenOver() async throws {
    lock.set(DaemonPart(term: nil, sinks: ["chat": 1], poll: 5))
    try fixture.claim(["chat"])
    store.lostBegins = [2]
    let daemon = try daemon()
    try await daemon.tick()
    #expect(chat.texts == ["1", "2", "3", "4"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .pending, .delivered, .delivered])
    #expect(daemon.events.contains { $0.message.hasPrefix("delivery 2: another belfryd has taken it over") })
  }

  @Test("what follows from an outcome is left to the leader, who is called")
  func followUp() async throws {
    lock.set(DaemonPart(term: nil, sinks: ["chat": 1], poll: 5))
    try fixture.claim(["chat"])
    let refusing = RecordingSink { _, _ in .never(reason: "no") }
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "chat", sink: refusing)], lock: lock)
    try await daemon.tick()
    #expect(try fixture.deliveries().allSatisfy { $0.state == .dead && $0.awaitsFollowUp })
    #expect(lock.calls > 0)
    lock.set(DaemonPart(term: 2, sinks: ["chat": 1], poll: 5))
    try await daemon.tick()
    #expect(try fixture.deliveries().allSatisfy { !$0.awaitsFollowUp })
  }

  @Test("a wake-up by which it leads asks for a tick at once, and one of a leader follows up on others' outcomes")
  func wokenToLead() async throws {
    lock.set(DaemonPart(term: nil, sinks: ["chat": 1], poll: 5))
    let daemon = try daemon()
    try await daemon.tick()
    lock.set(DaemonPart(term: 4, sinks: ["chat": 1], elsewhere: ["mail"], poll: 5))
    #expect(try daemon.scheduler.storeChanged() == fixture.time.now)
    try await daemon.tick()
    #expect(chat.texts == ["1", "2", "3", "4"])
    try fixture.store.write { transaction in
      var delivery = try #require(try transaction.delivery(id: 1))
      delivery.awaitsFollowUp = true
      try transaction.update(delivery)
    }
    #expect(try daemon.scheduler.storeChanged() != fixture.time.now)
    #expect(try fixture.deliveries().allSatisfy { !$0.awaitsFollowUp })
  }

  @Test("a reload whose sinks cannot be offered is made up for at the next tick")
  func notOffered() async throws {
    lock.set(DaemonPart(term: 1, sinks: ["chat": 1], poll: 5))
    let daemon = try daemon()
    let new = RecordingSink()
    lock.isAway = true
    #expect(throws: BelfryError.self) {
      try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "chat", sink: new)])
    }
    lock.isAway = false
    for _ in 1...2 { try await daemon.tick() }
    #expect(chat.texts.isEmpty && new.texts == ["1", "2", "3", "4"])
    #expect(lock.offers.last?.sinks == ["chat"])
  }

  @Test("a reload that failed, and a lease that was not trusted for a while, leave a sink paused")
  func staysPaused() async throws {
    let gone = RecordingSink { _, _ in .never(reason: "410 Gone", pausesSink: true) }
    let role = DaemonPart(term: 1, sinks: ["chat": 1], poll: 5)
    lock.set(role)
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "chat", sink: gone)], lock: lock)
    try await daemon.tick()
    #expect(gone.attempts.count == 1)
    lock.isAway = true
    #expect(throws: BelfryError.self) {
      try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "chat", sink: chat)])
    }
    lock.isAway = false
    try await daemon.tick()
    lock.set(DaemonPart(term: nil, sinks: [:], poll: 5))
    try daemon.scheduler.drain()
    lock.set(role)
    try await daemon.tick()
    #expect(chat.attempts.isEmpty)
    // Another daemon had it meanwhile.
    lock.set(DaemonPart(term: 1, sinks: ["chat": 3], poll: 5))
    try await daemon.tick()
    #expect(chat.texts == ["2", "3", "4"])
  }

  @Test("deliveries of a sink that another daemon has or lately had are not given up")
  func elsewhere() async throws {
    try fixture.claim(["pager"])
    lock.set(DaemonPart(term: 1, sinks: [:], elsewhere: ["pager"], poll: 5))
    let daemon = try daemon()
    try await daemon.tick()
    #expect(try fixture.deliveries().filter { $0.sink == "pager" }.allSatisfy { $0.state == .pending })
    lock.set(DaemonPart(term: 1, sinks: [:], poll: 5))
    try await daemon.tick()
    #expect(try fixture.deliveries().filter { $0.sink == "pager" }.allSatisfy { $0.state == .dead })
  }

  @Test(
    "deliveries of a sink of another machine are given up once no daemon has had it for long",
    arguments: [(DaemonPart.usualPatience, "10 minutes"), (DaemonPart.lonePatience, "2 days")])
  func abandoned(patience: Double, words: String) async throws {
    try fixture.claim(["pager"])
    let sinks = [ActiveSink(name: "chat", sink: chat), ActiveSink(name: "pager", sink: mail, isHere: false)]
    lock.set(DaemonPart(term: 1, sinks: ["chat": 1], poll: 5))
    let daemon = try TestDaemon(fixture.belfry, sinks: sinks, lock: lock)
    try await daemon.tick()
    #expect(try fixture.deliveries().filter { $0.sink == "pager" }.map(\.state) == Array(repeating: .pending, count: 4))
    // One that is on this machine is only about to be taken.
    lock.set(DaemonPart(term: 1, sinks: [:], abandoned: ["pager", "chat"], patience: patience, poll: 5))
    try await daemon.tick()
    let dead = try fixture.deliveries().filter { $0.sink == "pager" }
    #expect(dead.map(\.state) == Array(repeating: .dead, count: 4))
    #expect(dead.first?.lastError == "for \(words), no running belfryd has had the sink 'pager'")
    #expect(try fixture.deliveries().allSatisfy { $0.sink == "pager" || $0.state != .dead })
  }
}

/// A place among daemons that a test decides.
private final class ScriptedLock: DaemonLock {
  private struct State {
    var part = DaemonPart()
    var offers: [DaemonOffer] = []
    var givenUp: Set<String> = []
    var calls = 0
    var isAway = false
  }

  private let state = Mutex(State())

  let wasAbandoned = false
  var part: DaemonPart { state.withLock { $0.part } }
  var givenUp: Set<String> { state.withLock { $0.givenUp } }
  var calls: Int { state.withLock { $0.calls } }
  /// The different offers so far.
  var offers: [DaemonOffer] { state.withLock { $0.offers } }

  func set(_ part: DaemonPart) { state.withLock { $0.part = part } }

  /// True if nothing can be offered now.
  var isAway: Bool {
    get { state.withLock { $0.isAway } }
    set { state.withLock { $0.isAway = newValue } }
  }

  func offer(_ offer: DaemonOffer) throws {
    try state.withLock { state in
      guard !state.isAway else { throw BelfryError(.tryAgain, "the server is away") }
      if state.offers.last != offer { state.offers.append(offer) }
    }
  }

  func giveUp(_ sinks: Set<String>) { state.withLock { $0.givenUp.formUnion(sinks) } }
  func callOthers() { state.withLock { $0.calls += 1 } }
  func release() {}
  func abandon() {}
}
