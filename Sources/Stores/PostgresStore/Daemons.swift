import BelfryEngine
import FoundationEssentials

/// The daemons of a store at one moment, and the role that each should take.
///
/// Every daemon decides by the same rules from the same rows. If two see different rows and want the same lease, the
/// tables give it to one of them.
struct Daemons {
  /// A live daemon.
  struct Member {
    let id: Int64
    let host: String
    let process: Int64
    let version: String
    let since: Date
    /// True if no other daemon may join it, as with `run --once`.
    let isAlone: Bool
    let offer: DaemonOffer
    /// The seconds until its lease ends.
    let remaining: Double
  }

  /// The last holder of a sink.
  struct Lease {
    let member: Int64?
    let term: Int64
    /// The seconds for which no daemon has had it; `nil` while one has.
    let freeFor: Double?
  }

  /// The seconds for which a free sink is reserved for the daemon whose turn it is.
  private static let courtesy: Double = 3

  var members: [Member] = []
  var term: Int64 = 0
  var leader: Int64?
  /// The digest of the last leader's config.
  var config = ""
  var leases: [String: Lease] = [:]

  private func member(_ id: Int64?) -> Member? { members.first { $0.id == id } }

  /// True if a daemon should try to lead: no daemon leads, and either this one has the last leader's config or none
  /// has.
  func shouldLead(_ id: Int64) -> Bool {
    guard member(leader) == nil, let own = member(id) else { return false }
    return own.offer.config == config || !members.contains { $0.offer.config == config }
  }

  /// The free sinks that a daemon should take, spread evenly.
  func free(for id: Int64) -> [String] {
    next.takers.compactMap { sink, taker in
      let isLeft = leases[sink]?.freeFor ?? 0 > Self.courtesy && able(sink).contains { $0.id == id }
      return taker == id || isLeft ? sink : nil
    }
  }

  // The daemon that should take each free sink, and the number of sinks that each daemon then has.
  private var next: (takers: [String: Int64], counts: [Int64: Int]) {
    var counts = Dictionary(members.map { ($0.id, held(by: $0.id).count) }) { first, _ in first }
    var takers: [String: Int64] = [:]
    for sink in Set(members.flatMap(\.offer.sinks)).sorted() where member(leases[sink]?.member) == nil {
      // Only the leader's keys decide which daemons may sign links.
      guard member(leader) != nil || !members.contains(where: { $0.offer.signed.contains(sink) }) else { continue }
      guard let taker = fewest(able(sink), counts) else { continue }
      counts[taker, default: 0] += 1
      takers[sink] = taker
    }
    return (takers, counts)
  }

  private func fewest(_ members: [Member], _ counts: [Int64: Int]) -> Int64? {
    members.map(\.id).min { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }
  }

  /// The sinks that a daemon has, each with the term of its lease.
  func held(by id: Int64) -> [String: Int64] { leases.filter { $0.value.member == id }.mapValues(\.term) }

  /// The sinks that a daemon should give up, since it cannot send through them, or another daemon that can has at least
  /// two fewer.
  func surplus(of id: Int64) -> Set<String> {
    var counts = next.counts
    var surplus: Set<String> = []
    for sink in held(by: id).keys.sorted() {
      let able = able(sink)
      let other = fewest(able.filter { $0.id != id }, counts)
      let isTooMany = other.map { (counts[$0] ?? 0) + 1 < counts[id] ?? 0 } ?? false
      guard isTooMany || !able.contains(where: { $0.id == id }) else { continue }
      surplus.insert(sink)
      counts[id, default: 0] -= 1
      if let other { counts[other, default: 0] += 1 }
    }
    return surplus
  }

  private func able(_ sink: String) -> [Member] { members.filter { isAble($0, sink) } }

  // The leader's keys sign links: a daemon with other keys must not send messages that have links.
  private func isAble(_ member: Member, _ sink: String) -> Bool {
    guard member.offer.sinks.contains(sink) else { return false }
    guard member.offer.signed.contains(sink), let leader = self.member(leader) else { return true }
    return member.offer.keys == leader.offer.keys
  }

  /// The role of a daemon.
  func part(of id: Int64, poll: Double) -> DaemonPart {
    let (held, surplus) = (held(by: id), surplus(of: id))
    let others = members.filter { $0.id != id }.flatMap(\.offer.sinks)
    let patience = member(id)?.isAlone == true ? DaemonPart.lonePatience : DaemonPart.usualPatience
    let recent = leases.filter { $0.value.freeFor ?? 0 < patience }.keys
    let abandoned = Set(leases.keys).subtracting(recent).subtracting(members.flatMap(\.offer.sinks))
    return DaemonPart(
      term: leader == id ? term : nil, sinks: held.filter { !surplus.contains($0.key) }, leaving: surplus,
      elsewhere: Set(others).union(recent), abandoned: abandoned, patience: patience, poll: poll)
  }

  /// The daemons without members whose lease is over.
  var living: Daemons {
    var living = self
    living.members.removeAll { $0.remaining < 0 }
    return living
  }

  /// The daemons as a person sees them.
  var listing: [DaemonMember] {
    members.map { member in
      let leader = self.member(leader)
      return DaemonMember(
        host: member.host, process: Int32(truncatingIfNeeded: member.process), version: member.version,
        since: member.since, leads: member.id == self.leader, sinks: held(by: member.id).keys.sorted(),
        agrees: leader.map { $0.offer.config == member.offer.config } ?? true,
        hasKeys: member.offer.signed.isEmpty || leader.map { $0.offer.keys == member.offer.keys } ?? true)
    }
  }
}
