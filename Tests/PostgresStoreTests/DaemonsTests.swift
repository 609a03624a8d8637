import BelfryEngine
import Foundation
import Testing

@testable import PostgresStore

/// The part of each daemon, from the rows that all of them read.
@Suite struct DaemonsTests {
  private static let all: Set<String> = ["a", "b", "c", "d", "e"]

  private func member(
    _ id: Int64, sinks: Set<String> = all, signed: Set<String> = [], config: String = "", keys: String = "",
    isAlone: Bool = false
  ) -> Daemons.Member {
    Daemons.Member(
      id: id, host: "host", process: id, version: "1", since: Date(timeIntervalSince1970: 0), isAlone: isAlone,
      offer: DaemonOffer(sinks: sinks, signed: signed, config: config, keys: keys), remaining: 5)
  }

  private func daemons(_ members: Daemons.Member..., held: [String: Int64] = [:]) -> Daemons {
    var daemons = Daemons()
    daemons.members = members
    daemons.leases = held.mapValues { Daemons.Lease(member: $0, term: 1, freeFor: nil) }
    return daemons
  }

  @Test("free sinks are spread evenly, and nobody has to give one up for it")
  func spread() {
    let three = daemons(member(1), member(2), member(3))
    #expect((1...3).map { three.free(for: $0).sorted() } == [["a", "d"], ["b", "e"], ["c"]])
    #expect((1...3).allSatisfy { three.surplus(of: $0).isEmpty })
  }

  @Test("a daemon that comes gets its share, and no more is given up while it waits for it")
  func joined() {
    var two = daemons(member(1), member(2), held: ["a": 1, "b": 1, "c": 1, "d": 1, "e": 1])
    #expect(two.surplus(of: 1) == ["a", "b"] && two.free(for: 2).isEmpty)
    two.leases["a"] = Daemons.Lease(member: nil, term: 1, freeFor: 0)
    #expect(two.surplus(of: 1) == ["b"] && two.free(for: 2) == ["a"])
    two.leases["a"] = Daemons.Lease(member: 2, term: 2, freeFor: nil)
    two.leases["b"] = Daemons.Lease(member: nil, term: 1, freeFor: 0)
    #expect(two.surplus(of: 1).isEmpty && two.free(for: 2) == ["b"])
  }

  @Test("what a dead daemon had is taken by the others; by anybody, if the one whose turn it is does not")
  func died() {
    var two = daemons(member(1), member(2), held: ["a": 1, "b": 2, "c": 9])
    #expect(two.free(for: 1).sorted() == ["c", "e"] && two.free(for: 2) == ["d"])
    two.leases["c"] = Daemons.Lease(member: 9, term: 1, freeFor: 4)
    #expect(two.free(for: 2).sorted() == ["c", "d"])
  }

  @Test("a sink is only for those who have it, and with links only for those with the leader's keys")
  func able() {
    var two = daemons(
      member(1, sinks: ["a", "b"], signed: ["a"], keys: "one"),
      member(2, sinks: ["a", "c"], signed: ["a"], keys: "two"))
    two.leader = 2
    #expect(two.free(for: 1) == ["b"] && two.free(for: 2).sorted() == ["a", "c"])
    two.leases["a"] = Daemons.Lease(member: 1, term: 1, freeFor: nil)
    #expect(two.surplus(of: 1) == ["a"])
    #expect(two.listing.map(\.hasKeys) == [false, true])
    two.leases["a"] = nil
    two.leader = 9
    #expect(two.free(for: 1) == ["b"] && two.free(for: 2) == ["c"], "nobody leads whose keys could be compared")
  }

  @Test("one with the last leader's config leads; another one does where there is none")
  func leader() {
    var three = daemons(member(1, config: "new"), member(2, config: "old"), member(3, config: "old"))
    (three.leader, three.config) = (9, "old")
    #expect((1...3).map { three.shouldLead($0) } == [false, true, true])
    three.leader = 3
    #expect((1...3).allSatisfy { !three.shouldLead($0) })
    three.members.removeLast(2)
    #expect(three.shouldLead(1))
  }

  @Test("a sink that others have, or nobody has had for less than ten minutes, is elsewhere")
  func elsewhere() {
    var two = daemons(member(1, sinks: ["a"]), member(2, sinks: ["b"]), held: ["a": 1])
    two.leases["c"] = Daemons.Lease(member: 9, term: 1, freeFor: 599)
    two.leases["d"] = Daemons.Lease(member: 9, term: 1, freeFor: 601)
    let part = two.part(of: 1, poll: 5)
    #expect(part.sinks == ["a": 1] && part.leaving.isEmpty && !part.leads)
    #expect(part.elsewhere == ["a", "b", "c"])
    #expect(part.abandoned == ["d"])
    two.members[1] = member(2, sinks: ["b", "d"])
    #expect(two.part(of: 1, poll: 5).abandoned.isEmpty, "somebody is to take it")
  }

  @Test("one that runs alone, as from cron, leaves what others have each day, and gives up what nobody has for two")
  func alone() {
    var one = daemons(member(1, sinks: ["a"], isAlone: true))
    one.leases["b"] = Daemons.Lease(member: nil, term: 1, freeFor: 86_400)
    one.leases["c"] = Daemons.Lease(member: nil, term: 1, freeFor: 172_801)
    let part = one.part(of: 1, poll: 5)
    #expect(part.elsewhere == ["b"] && part.abandoned == ["c"])
  }
}
