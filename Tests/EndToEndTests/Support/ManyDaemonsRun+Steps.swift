import BelfryTestKit
import Foundation
import TestSupport
import Testing

extension ManyDaemonsRun {
  /// A fault, or an orderly end.
  enum Step {
    /// The leader is killed, and another daemon starts.
    case kill
    /// A daemon ends in order, and another one starts.
    case end
    /// The leader is stopped until another daemon leads, and goes on.
    case stop
    /// The server ends as by a crash, and starts again.
    case restart
    /// The server ends as by a crash, and its standby takes its place.
    case promote
    /// The network of the leader fails in this manner until another daemon leads, and works again.
    case network(FaultyNetwork.State)
    /// The leader cannot renew its lease, and otherwise goes on, also for a while beside its successor.
    case leaseless
    /// All networks are slow for a while.
    case slowness
    /// Replies to commits are late on all networks, and what these commits have begun is answered meanwhile.
    case lateCommits
    /// The leader's clock is set ahead by this many seconds, and another daemon's back, or the other way round; after a
    /// while both are right again.
    case clocks(Int)
  }

  func perform(_ step: Step) async throws {
    performed += 1
    switch step {
    case .kill:
      let leader = try await leader()
      let (sinks, begin) = (try sinks(of: leader), now)
      note(.ended(process: Int(leader.pid)))
      leader.send(SIGKILL)
      _ = await leader.end
      try await replace(leader, since: begin)
      faults.append(DaemonHistory.Fault(kind: .kill, begin: begin, end: now, sinks: sinks))
    case .end:
      // It waits for what it has begun.
      try open(upTo: 100)
      let daemon = try #require(daemons.last)
      daemon.send(SIGTERM)
      #expect(await daemon.end == .exited(0))
      note(.ended(process: Int(daemon.pid)))
      daemons.removeLast()
      try startOne()
    case .stop:
      let leader = try await leader()
      let (sinks, begin) = (try sinks(of: leader), now)
      note(.stopped(process: Int(leader.pid)))
      leader.send(SIGSTOP)
      try await waitForLeader(besides: leader, since: begin)
      leader.send(SIGCONT)
      note(.continued(process: Int(leader.pid)))
      faults.append(DaemonHistory.Fault(kind: .stop, begin: begin, end: now, sinks: sinks))
    case .restart:
      let begin = now
      try server.stop()
      try server.start()
      faults.append(DaemonHistory.Fault(kind: .restart, begin: begin, end: now, sinks: Self.allSinks))
    case .promote:
      let (begin, standby) = (now, try #require(standby))
      try server.stop()
      try standby.promote()
      server = standby
      try server.run("ALTER SYSTEM SET synchronous_standby_names = ''")
      try server.run("SELECT pg_reload_conf()")
      faults.append(DaemonHistory.Fault(kind: .restart, begin: begin, end: now, sinks: Self.allSinks))
    case .network(let state):
      let leader = try await leader()
      let network = try #require(networks[leader.pid])
      let (sinks, begin) = (try sinks(of: leader), now)
      try network.set(state)
      try await waitForLeader(besides: leader, since: begin)
      try network.set(.open)
      faults.append(DaemonHistory.Fault(kind: .cut, begin: begin, end: now, sinks: sinks))
    case .leaseless:
      let leader = try await leader()
      let network = try #require(networks[leader.pid])
      let (sinks, begin) = (try sinks(of: leader), now)
      try network.set(.leaseless)
      try await waitForLeader(besides: leader, since: begin)
      try await waitForMore(160, "beside the successor")
      try network.set(.open)
      faults.append(DaemonHistory.Fault(kind: .cut, begin: begin, end: now, sinks: sinks))
    case .slowness:
      for network in networks.values { try network.set(.slow) }
      try await waitForMore(40, "over slow networks")
      for network in networks.values { try network.set(.open) }
    case .lateCommits:
      for network in networks.values { try network.set(.lateCommits) }
      try open(for: 100)
      var begun: [String] = []
      try await waitUntil("deliveries are begun by commits whose replies are late: \(log)") {
        begun = try begunItems()
        return begun.count >= Self.slots
      }
      _ = try await box.run([try Programs.belfry, "check"] + begun, RunOptions(isUrgent: true))
      for network in networks.values { try network.set(.open) }
    case .clocks(let seconds):
      let leader = try await leader()
      let other = try #require(daemons.first { $0 !== leader })
      let count = clockSteps
      try setClock(of: leader, to: seconds)
      try setClock(of: other, to: -seconds)
      try await waitForMore(120, "while clocks differ")
      try setClock(of: leader, to: 0)
      try setClock(of: other, to: 0)
      try await waitUntil("the leader notices that its clock was set: \(log)") { clockSteps > count }
    }
  }

  private static let allSinks = Set((0..<sinks).map { "hook\($0)" })

  private var clockSteps: Int { log.matches(of: /the clock was set back/).count }

  // The items that were begun and have not arrived.
  private func begunItems() throws -> [String] {
    let begun = """
      SELECT owner_id FROM belfry.delivery JOIN belfry.message_owner ON message_owner.message_id = delivery.message_id
      WHERE state = 0 AND begun_at > coalesce(last_attempt_at, begun_at - 1)
      """
    let arrived = Set(box.lines("collected").compactMap { $0.split(separator: " ").last })
    return try query(begun).split(separator: "\n").filter { !arrived.contains($0) }.map(String.init)
  }

  private func waitForMore(_ more: Int, _ when: String) async throws {
    let count = box.lines("collected").count
    try open(for: more + 2 * Self.slots * Self.sinks)
    try await waitUntil("reminders arrive \(when): \(log)") {
      noteTerm()
      return box.lines("collected").count >= count + more
    }
  }

  private func replace(_ leader: ChildProcess, since begin: Double) async throws {
    daemons.removeAll { $0 === leader }
    try await waitForLeader(besides: leader, since: begin)
    try startOne()
  }

  private func waitForLeader(besides leader: ChildProcess, since begin: Double) async throws {
    try await waitUntil("another daemon leads: \(log)") {
      noteTerm()
      guard let process = try leaderProcess() else { return false }
      return process != leader.pid
    }
    takeovers.append(now - begin)
  }

  private func leaderProcess() throws -> pid_t? {
    pid_t(try query("SELECT process FROM belfry.member JOIN belfry.leader ON leader.member = member.id"))
  }

  private func leader() async throws -> ChildProcess {
    var leader: ChildProcess?
    try await waitUntil("a daemon leads: \(log)") {
      let process = try leaderProcess()
      leader = daemons.first { $0.pid == process }
      return leader != nil
    }
    return try #require(leader)
  }

  private func sinks(of daemon: ChildProcess) throws -> Set<String> {
    let sql = """
      SELECT sink FROM belfry.sink_lease JOIN belfry.member ON member.id = sink_lease.member
      WHERE process = \(daemon.pid)
      """
    return Set(try query(sql).split(separator: "\n").map(String.init))
  }

  func noteTerm() {
    if let term = Int((try? query("SELECT term FROM belfry.leader")) ?? "") { terms.append(term) }
  }
}
