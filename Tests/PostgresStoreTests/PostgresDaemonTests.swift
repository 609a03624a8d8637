import BelfryModel
import BelfryTestKit
import Foundation
import PostgresStore
import Synchronization
import TestSupport
import Testing

@testable import BelfryEngine

/// The daemons of a store: their leases, who leads, and who has which sink.
@Suite struct PostgresDaemonTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  private func join(
    _ sinks: Set<String> = [], config: String = "", lease: Double = 2, changed: @escaping @Sendable () -> Void = {}
  ) throws -> (store: PostgresStore, lock: any DaemonLock) {
    let store = database.store(lease: lease)
    let lock = try store.joinDaemons(changed)
    try lock.offer(DaemonOffer(sinks: sinks, config: config))
    return (store, lock)
  }

  /// A daemon without the sink 'chat', which has seen a delivery for it.
  private func joinWithoutChat() async throws -> (store: PostgresStore, lock: any DaemonLock) {
    let one = try join(["a"])
    _ = try one.store.write { try $0.addSampleDeliveries(1) }
    try await waitUntil { one.lock.part.elsewhere.contains("chat") }
    return one
  }

  /// Has the leases of all members but one end at once. A daemon whose lease has ended joins again under a new number,
  /// and may be the first to take what it had.
  private func endLeases(exceptOf number: Int) throws {
    try database.server.run("UPDATE belfry.member SET until = to_timestamp(0) WHERE id <> \(number)")
  }

  @Test("a lost connection loses nothing")
  func reconnected() async throws {
    let (store, lock) = try join(["a"])
    let (identity, part) = (store.identity, lock.part)
    #expect(part.leads && part.sinks == ["a": 1])
    try database.endConnections()
    try store.addList("on a new connection")
    try await waitUntil { try database.server.run("SELECT count(*) FROM belfry.member WHERE until > now()") == "1" }
    #expect(lock.part == part && store.identity == identity)
    #expect(try store.read { try $0.lists().count } == 1)
    lock.release()
    #expect(try database.server.run("SELECT count(*) FROM belfry.member") == "0")
    #expect(try !database.store().lockForDaemon().wasAbandoned)
  }

  @Test("one that wants the store to itself is refused, with the name of the other")
  func alone() throws {
    let (_, lock) = try join()
    let found = try #require(throws: BelfryError.self) { _ = try database.store().lockForDaemon() }
    #expect(found.kind == .tryAgain)
    #expect(found.message.contains("another belfryd has it already (process \(getpid()) on "), "\(found)")
    lock.release()
    let alone = try database.store().lockForDaemon()
    try Check.throwsError(.tryAgain) { _ = try database.store().joinDaemons {} }
    alone.release()
  }

  @Test("two share the sinks evenly, and one leads; the other leads at once after an orderly end")
  func shared() async throws {
    let all: Set<String> = ["a", "b", "c", "d", "e"]
    let one = try join(all)
    #expect(one.lock.part.leads && Set(one.lock.part.sinks?.keys.map(\.self) ?? []) == all)
    let other = try join(all)
    #expect(!other.lock.part.leads && other.lock.part.sinks == [:])
    // Nothing of them is under way.
    try await waitUntil {
      one.lock.giveUp(one.lock.part.leaving)
      return other.lock.part.sinks?.count == 2 && one.lock.part.sinks?.count == 3
    }
    #expect(other.lock.part.elsewhere.isSuperset(of: ["a", "b", "c"]))
    let terms = try #require(one.lock.part.term)
    one.lock.release()
    try await waitUntil { other.lock.part.sinks?.count == 5 && other.lock.part.leads }
    #expect(try #require(other.lock.part.term) == terms + 1)
    other.lock.release()
  }

  @Test("a leader whose lease has ended changes nothing more as such, and joins anew")
  func overtaken() async throws {
    let one = try join(["a"])
    let other = try join(["a"])
    try await waitUntil {
      // Until the other one has seen it.
      try endLeases(exceptOf: 2)
      return other.lock.part.leads && other.lock.part.has("a")
    }
    #expect(throws: NoLongerLeads.self) {
      try one.store.write { transaction in
        try transaction.lead()
        try transaction.addSampleList("never")
      }
    }
    try other.store.write { transaction in
      try transaction.lead()
      try transaction.addSampleList("by the leader")
    }
    #expect(try one.store.listNames == ["by the leader"])
    try await waitUntil { one.lock.part.sinks == [:] && !one.lock.part.leads }
    try one.store.addList("as anybody may")
    one.lock.release()
    other.lock.release()
  }

  @Test("a process of this machine that has ended is no member any more, without a wait")
  func killed() async throws {
    let gone = try Program.run(["true"])
    let first = try join(["a"], lease: 20)
    try database.server.run(
      """
      UPDATE belfry.member SET process = \(gone), id = DEFAULT, until = now() + interval '1 hour';
      UPDATE belfry.leader SET member = 2;
      UPDATE belfry.sink_lease SET member = 2
      """)
    first.lock.abandon()
    let next = try join(["a"])
    #expect(next.lock.wasAbandoned)
    #expect(next.lock.part.leads && next.lock.part.sinks == ["a": 2])
    next.lock.release()
  }

  @Test("another config does not lead while the leader's is there, and leads alone")
  func otherConfig() async throws {
    let one = try join(["a"], config: "one")
    let two = try join(["a"], config: "two")
    let third = try join(["a"], config: "one")
    one.lock.release()
    try await waitUntil { third.lock.part.leads }
    #expect(try database.store().daemons().map(\.agrees) == [false, true])
    third.lock.release()
    try await waitUntil { two.lock.part.leads }
    #expect(try database.store().daemons().map(\.agrees) == [true])
    two.lock.release()
  }

  @Test("what is begun belongs to the holder of the sink's lease until another one begins it")
  func begun() async throws {
    let one = try join(["chat"])
    let ids = try one.store.write { transaction in
      try (1...3).flatMap { try transaction.addSampleDeliveries($0) }
    }
    func begin(_ store: PostgresStore) throws -> DeliveryBegins {
      try store.deliver([:]) { transaction, _ in try transaction.begin(ids, at: Sample.now + 1_000) }
    }
    func holding(_ begins: DeliveryBegins, _ store: PostgresStore) throws -> Set<Int64> {
      try store.deliver(begins) { $1 }
    }
    let first = try begin(one.store)
    #expect(first == [ids[0]: 1, ids[1]: 1, ids[2]: 1])
    #expect(try holding(first, one.store) == Set(ids))
    let other = try join(["chat"])
    #expect(try begin(other.store).isEmpty, "the sink is another's")
    try await waitUntil {
      try endLeases(exceptOf: 2)
      return other.lock.part.has("chat")
    }
    let term = try #require(other.lock.part.sinks?["chat"])
    #expect(try begin(one.store).isEmpty)
    #expect(try other.store.read { try $0.begunDeliveries() } == Set(ids))
    #expect(try one.store.read { try $0.attemptable(ids, at: Sample.now + 1_000) }.isEmpty)
    // An outcome that comes first still counts.
    #expect(try holding(first, one.store) == Set(ids))
    let second = try begin(other.store)
    #expect(second == [ids[0]: term, ids[1]: term, ids[2]: term])
    #expect(try holding(first, one.store).isEmpty)
    #expect(try holding(second, other.store) == Set(ids))
    one.lock.release()
    other.lock.release()
    let third = try join(["chat"])
    #expect(try third.store.read { try $0.begunDeliveries() }?.isEmpty == true, "an orderly end leaves nothing begun")
    third.lock.release()
  }

  @Test("a sink that nobody has had yet is waited for from its first delivery on, not given up at once")
  func neverHad() async throws {
    let one = try await joinWithoutChat()
    #expect(one.lock.part.abandoned.isEmpty)
    try database.server.run(
      "UPDATE belfry.sink_lease SET free_since = now() - interval '11 minutes' WHERE sink = 'chat'")
    try await waitUntil { one.lock.part.abandoned == ["chat"] }
    let other = try join(["chat"])
    try await waitUntil { one.lock.part.abandoned.isEmpty && other.lock.part.sinks?.keys.contains("chat") == true }
    one.lock.release()
    other.lock.release()
  }

  @Test("the time in which no daemon ran does not count for a sink that nobody has")
  func allAway() async throws {
    let one = try await joinWithoutChat()
    one.lock.release()
    try database.server.run("UPDATE belfry.sink_lease SET free_since = now() - interval '1 day'")
    // `run --once` from cron is no daemon that the others could start beside.
    let alone = try database.store().lockForDaemon()
    #expect(alone.part.abandoned.isEmpty && alone.part.elsewhere == ["a", "chat"])
    alone.release()
    let next = try join(["a"])
    #expect(next.lock.part.elsewhere.contains("chat") && next.lock.part.abandoned.isEmpty)
    next.lock.release()
  }

  @Test("a begin leaves rows that somebody is changing, and an outcome waits for them")
  func busyRows() async throws {
    let one = try join(["chat"])
    let ids = try one.store.write { transaction in
      try (1...2).flatMap { try transaction.addSampleDeliveries($0) }
    }
    let first = try one.store.deliver([:]) { transaction, _ in try transaction.begin([ids[0]], at: Sample.now + 1_000) }
    let store = database.store()
    let outcome: Task<Set<Int64>, any Error> = try store.write { transaction in
      for id in ids {
        var delivery = try #require(try transaction.delivery(id: id))
        delivery.lastError = "changed"
        try transaction.update(delivery)
      }
      #expect(
        try one.store.deliver([:]) { transaction, _ in try transaction.begin([ids[1]], at: Sample.now + 1_000) }.isEmpty
      )
      return Task.detached { try one.store.deliver(first) { $1 } }
    }
    #expect(try await outcome.value == [ids[0]])
    one.lock.release()
  }

  @Test("a change that has read a delivery does not write over the outcome that is recorded meanwhile")
  func recordedMeanwhile() throws {
    let one = try join(["chat"])
    let ids = try one.store.write { try $0.addSampleDeliveries(1) }
    let begins = try one.store.deliver([:]) { transaction, _ in try transaction.begin(ids, at: Sample.now + 1_000) }
    let wasDiscarded = try database.store().write { transaction in
      var read: [Delivery] = []
      try transaction.forEachDelivery(state: .pending, limit: nil) { delivery, _ in read.append(delivery) }
      let attempt = AttemptRecord(deliveryID: ids[0], startedAt: Sample.now, outcome: .delivered)
      let isClosed = try one.store.deliver(begins) { inner, holding in
        try holding == Set(ids) && inner.closeDelivered(by: attempt, at: Sample.now)
      }
      #expect(isClosed)
      return try transaction.discard(try #require(read.first), at: Sample.now)
    }
    #expect(!wasDiscarded)
    #expect(try one.store.read { try $0.delivery(id: ids[0]) }?.state == .delivered)
    one.lock.release()
  }

  @Test("a change by a command wakes a daemon")
  func woken() async throws {
    let count = Atomic(0)
    let one = try join(["a"], changed: { count.add(1, ordering: .relaxed) })
    let earlier = count.load(ordering: .relaxed)
    try database.store().addList("by a command")
    try await waitUntil { count.load(ordering: .relaxed) > earlier }
    one.lock.release()
  }

  @Test("a dump that is restored is another store")
  func restored() throws {
    let store = database.store()
    try store.addList("here")
    let identity = try #require(store.identity)
    try database.server.run("ALTER SCHEMA belfry RENAME TO moved; CREATE SCHEMA belfry")
    try database.server.run("DROP SCHEMA belfry; CREATE SCHEMA belfry")
    let anew = database.store()
    try anew.addList("there")
    #expect(try #require(anew.identity) != identity)
  }
}

extension StoreTransaction {
  fileprivate func addSampleDeliveries(_ number: Int) throws -> [Int64] {
    let message = try Sample.message(at: number, sink: "chat")
    return try add(message, recipients: [nil], fireDate: Sample.fireDate(), permittedFrom: Sample.now).map(\.id)
  }
}
