import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Daemons that share a store on a server of their own, with four webhooks, all of whose reminders are due at once.
final class ManyDaemonsRun {
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
    /// All networks are slow for a while.
    case slowness
  }

  private static let (sinks, slots) = (4, 4)

  let box: Sandbox
  private var server: PostgresServer
  private let standby: PostgresServer?
  private let hasNetworks: Bool
  private var networks: [pid_t: FaultyNetwork] = [:]
  private let pooler: PgBouncer?
  private let items: Int
  private var random: SeededGenerator
  private var daemons: [ChildProcess] = []
  private var faults: [DaemonHistory.Fault] = []
  private var terms: [Int] = []
  /// The seconds after which another daemon led, for each fault of the leader.
  private(set) var takeovers: [Double] = []

  /// - Parameters:
  ///   - isPooled: whether a pooler is before the server that gives each transaction another session.
  ///   - hasNetworks: whether each daemon has a network of its own, which can fail.
  ///   - hasStandby: whether the server has a standby that knows of each commit.
  init(
    items: Int, seed: UInt64, isPooled: Bool = false, hasNetworks: Bool = false, hasStandby: Bool = false
  ) async throws {
    (self.items, random) = (items, SeededGenerator(seed: seed))
    let server = try PostgresServer()
    (self.server, self.hasNetworks) = (server, hasNetworks)
    pooler = try isPooled ? PgBouncer(to: server, .transaction) : nil
    standby = try hasStandby ? PostgresServer(standbyOf: server) : nil
    if hasStandby {
      try server.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try server.run("SELECT pg_reload_conf()")
    }
    box = try Sandbox()
    let words = [Programs.python, "-B", Programs.fixture("burst_collector.py"), "collected", "0.2", "gate"]
    try box.write("0", to: "gate")
    _ = try box.start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("port")), messages: .writing(box.path("errors"))))
    let box = box
    try await waitUntil("the collector listens: \(box.text("errors"))") { !box.lines("port").isEmpty }
    let sinks = (0..<Self.sinks).map {
      "  hook\($0): { type: webhook, url: \"http://127.0.0.1:\(box.lines("port")[0])/\($0)\", concurrency: \(Self.slots), timeout: 10m }"
    }
    let routes = (0..<Self.sinks).map { "  - { lists: [List \($0)], sinks: [hook\($0)] }" }
    let url = standby.map { server.url(or: $0) } ?? pooler?.url ?? server.url()
    try box.write("\(url)\n", to: "database-url")
    try box.write(
      """
      time_zone: Europe/Zurich
      store: { type: postgres, url_file: database-url, poll_only: \(isPooled) }
      missed: { policy: all }
      sinks:
      \(sinks.joined(separator: "\n"))
      routes:
      \(routes.joined(separator: "\n"))

      """, to: "belfry.yaml")
    for list in 0..<Self.sinks { try await box.belfry("list", "create", "List \(list)").requireDone() }
  }

  /// The log of all daemons.
  var log: String { box.text("log") }

  /// Starts daemons, and waits until each has its part.
  func start(_ count: Int) async throws {
    for _ in 0..<count { try startOne() }
    try await waitUntil("\(daemons.count) daemons share the sinks: \(log)") {
      try query("SELECT count(DISTINCT member) FROM belfry.sink_lease WHERE member IS NOT NULL") == "\(count)"
    }
  }

  /// Adds the items, of which as many are sent as the webhooks answer.
  func fill() async throws {
    let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
    for list in 0..<Self.sinks {
      let lines = (1...items / Self.sinks).map { "Item \($0)\n" }.joined()
      // With a clock that is behind, overdue items are still in the future.
      try await box.belfry(
        "add", "-", "-l", "List \(list)", "--due", due,
        options: RunOptions(input: Data(lines.utf8), clock: "-1h")
      ).requireDone()
    }
  }

  private func startOne() throws {
    var options = RunOptions(messages: .appending(box.path("log")), isUrgent: true)
    let network = try hasNetworks ? FaultyNetwork(to: server) : nil
    if let network {
      let name = "network-\(UUID().uuidString)"
      try box.write(network.url + "\n", to: name)
      try box.write(
        box.text("belfry.yaml").replacing("url_file: database-url", with: "url_file: \(name)"), to: "\(name).yaml")
      options.environment["BELFRY_CONFIG"] = box.path("\(name).yaml")
    }
    let daemon = try box.start(bytes: [Array(try Programs.belfryd.utf8)], options)
    daemons.append(daemon)
    networks[daemon.pid] = network
  }

  /// Lets the webhooks answer this share of the messages, in percent; the others wait.
  func open(upTo share: Int) throws { try box.write("\(share == 100 ? .max : items * share / 100)", to: "gate") }

  /// Waits until this share of the reminders has arrived, in percent. The others wait, however slow the machine is.
  func waitForArrivals(_ share: Int) async throws {
    try open(upTo: share)
    try await waitUntil("\(share) % arrived: \(log)") {
      noteTerm()
      return box.lines("collected").count >= items * share / 100
    }
  }

  /// Answers some items that have not arrived, in one command each.
  func answer() async throws {
    for _ in 1...3 {
      let chosen = (0..<8).map { _ in "\(Int.random(in: 1...items, using: &random))" }
      let check = try [Programs.belfry, "check"] + Set(chosen).sorted()
      // An item that was checked before is an error of no interest.
      _ = try await box.run(check, RunOptions(isUrgent: true))
    }
  }

  func perform(_ step: Step) async throws {
    switch step {
    case .kill:
      let leader = try await leader()
      let (sinks, begin) = (try sinks(of: leader), now)
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
      daemons.removeLast()
      try startOne()
    case .stop:
      let leader = try await leader()
      let (sinks, begin) = (try sinks(of: leader), now)
      leader.send(SIGSTOP)
      try await waitForLeader(besides: leader, since: begin)
      leader.send(SIGCONT)
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
    case .slowness:
      try open(upTo: 100)
      for network in networks.values { try network.set(.slow) }
      let count = box.lines("collected").count
      try await waitUntil("reminders arrive over slow networks: \(log)") {
        noteTerm()
        return box.lines("collected").count >= min(count + 40, items)
      }
      for network in networks.values { try network.set(.open) }
    }
  }

  private static let allSinks = Set((0..<sinks).map { "hook\($0)" })

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

  private func noteTerm() {
    if let term = Int((try? query("SELECT term FROM belfry.leader")) ?? "") { terms.append(term) }
  }

  /// Waits until nothing is pending, and ends all daemons.
  func finish() async throws {
    try open(upTo: 100)
    try await waitUntil("nothing is pending: \(log)") {
      noteTerm()
      let open = """
        SELECT (SELECT count(*) FROM belfry.delivery WHERE state = 0) + (SELECT count(*) FROM belfry.reminder WHERE state = 0)
        """
      return try query(open) == "0"
    }
    for daemon in daemons {
      daemon.send(SIGTERM)
      #expect(await daemon.end == .exited(0))
    }
    #expect(try query("SELECT count(*) FROM belfry.member") == "0")
  }

  /// What has happened.
  var history: DaemonHistory {
    get throws {
      var history = DaemonHistory()
      (history.faults, history.terms, history.slots) = (faults, terms, Self.slots)
      let share = items / Self.sinks
      for item in 1...items { history.planned[item] = "hook\((item - 1) / share)" }
      history.arrivals = try box.lines("collected").map { line in
        let words = line.split(separator: " ")
        return DaemonHistory.Arrival(
          time: try #require(Double(words[0])), identity: String(words[1]), item: try #require(Int(words[2])))
      }
      let discarded = """
        SELECT owner_id, extract(epoch FROM pg_xact_commit_timestamp(delivery.xmin))
        FROM belfry.delivery JOIN belfry.message_owner ON message_owner.message_id = delivery.message_id
        WHERE state = 3
        UNION SELECT owner_id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM belfry.reminder WHERE state = 2
        """
      for line in try query(discarded).split(separator: "\n") {
        let words = line.split(separator: "|")
        let time: Double = try #require(Double(words[1]))
        history.answers[try #require(Int(words[0]))] = time
      }
      return history
    }
  }

  /// The takeovers, and how often reminders arrived.
  var summary: String {
    let repeats = box.lines("collected").count - Set(box.lines("collected").map { $0.split(separator: " ")[1] }).count
    return "takeovers after \(takeovers) s, \(box.lines("collected").count) arrivals, \(repeats) of them repeats"
  }

  private var now: Double { Date().timeIntervalSince1970 }

  private func query(_ sql: String) throws -> String { try server.run(sql) }
}
