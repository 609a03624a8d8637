import BelfryTestKit
import DaemonModels
import Foundation
import TestSupport
import Testing

/// Daemons that share a store on a server of their own, with four webhooks, all of whose reminders are due at once.
final class ManyDaemonsRun {
  /// The size of a run, and what its daemons and their server are like.
  struct Setup {
    var items: Int
    var seed: UInt64 = 1
    /// True if a pooler is before the server that gives each transaction another session.
    var isPooled = false
    /// True if each daemon has a network of its own, which can fail.
    var hasNetworks = false
    /// True if each daemon has a clock of its own, which can be set.
    var hasClocks = false
    /// True if the server has a standby that knows of each commit.
    var hasStandby = false
    /// The length of the leases in seconds; `nil` for the usual one.
    var lease: Double?
    /// True if the daemons hear nothing from the server unless they ask.
    var pollsOnly = false
    /// The rule that the daemons break.
    var flaw: DaemonFlaw?
  }

  static let (sinks, slots) = (4, 4)

  let box: Sandbox
  let setup: Setup
  let standby: PostgresServer?
  private let pooler: PgBouncer?
  var server: PostgresServer
  var networks: [pid_t: FaultyNetwork] = [:]
  private var clocks: [pid_t: String] = [:]
  private var random: SeededGenerator
  var daemons: [ChildProcess] = []
  var faults: [DaemonHistory.Fault] = []
  /// What was done to processes, for ``trace``.
  private(set) var signals: [TraceEvent] = []
  /// The number of steps so far.
  var performed = 0
  var terms: [Int] = []
  /// The seconds after which another daemon led, for each fault of the leader.
  var takeovers: [Double] = []

  init(_ setup: Setup) async throws {
    (self.setup, random) = (setup, SeededGenerator(seed: setup.seed))
    let server = try PostgresServer()
    self.server = server
    pooler = try setup.isPooled ? PgBouncer(to: server, .transaction) : nil
    standby = try setup.hasStandby ? PostgresServer(standbyOf: server) : nil
    if setup.hasStandby {
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
      store: { type: postgres, url_file: database-url, poll_only: \(setup.isPooled) }
      missed: { policy: all }
      sinks:
      \(sinks.joined(separator: "\n"))
      routes:
      \(routes.joined(separator: "\n"))

      """, to: "belfry.yaml")
    for list in 0..<Self.sinks { try await box.belfry("list", "create", "List \(list)").requireDone() }
    try noteStalls()
    try server.run(DaemonTrace.statements)
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
      let lines = (1...setup.items / Self.sinks).map { "Item \($0)\n" }.joined()
      // With a clock that is behind, overdue items are still in the future.
      try await box.belfry(
        "add", "-", "-l", "List \(list)", "--due", due,
        options: RunOptions(input: Data(lines.utf8), clock: "-1h")
      ).requireDone()
    }
  }

  func startOne() throws {
    var options = RunOptions(messages: .appending(box.path("log")), isUrgent: true)
    let network = try setup.hasNetworks ? FaultyNetwork(to: server) : nil
    if let network {
      let name = "network-\(UUID().uuidString)"
      try box.write(network.url + "\n", to: name)
      try box.write(
        box.text("belfry.yaml").replacing("url_file: database-url", with: "url_file: \(name)"), to: "\(name).yaml")
      options.environment["BELFRY_CONFIG"] = box.path("\(name).yaml")
    }
    let clock = setup.hasClocks ? box.path("clock-\(UUID().uuidString)") : nil
    if let clock {
      try FakeClock.set(clock, to: 0)
      options.environment.merge(try FakeClock.environment(in: clock)) { $1 }
    }
    var words = [try Programs.belfryd]
    if let lease = setup.lease {
      let url = network?.url ?? server.url()
      words =
        [try Programs.trialDaemon, url, "\(lease)", "\(setup.pollsOnly)"] + [setup.flaw?.rawValue].compactMap(\.self)
    }
    let daemon = try box.start(bytes: words.map { Array($0.utf8) }, options)
    daemons.append(daemon)
    (networks[daemon.pid], clocks[daemon.pid]) = (network, clock)
  }

  /// Sets the clock of a daemon to this many seconds ahead, and makes the daemon look at it.
  func setClock(of daemon: ChildProcess, to seconds: Int) throws {
    try FakeClock.set(try #require(clocks[daemon.pid]), to: seconds)
    note(.reloaded(process: Int(daemon.pid)))
    daemon.send(SIGHUP)
  }

  /// Lets the webhooks answer this share of the messages, in percent; the others wait.
  func open(upTo share: Int) throws { try box.write("\(share == 100 ? .max : setup.items * share / 100)", to: "gate") }

  /// Lets the webhooks answer this many messages more than have arrived.
  func open(for more: Int) throws { try box.write("\(box.lines("collected").count + more)", to: "gate") }

  /// Waits until this share of the reminders has arrived, in percent. The others wait, however slow the machine is.
  func waitForArrivals(_ share: Int) async throws {
    try open(upTo: share)
    try await waitUntil("\(share) % arrived: \(log)") {
      noteTerm()
      return box.lines("collected").count >= setup.items * share / 100
    }
  }

  /// Answers some items, most of which have not arrived, in one command each.
  func answer() async throws {
    for _ in 1...3 {
      let chosen = (0..<8).map { _ in "\(Int.random(in: 1...setup.items, using: &random))" }
      let check = try [Programs.belfry, "check"] + Set(chosen).sorted()
      // An item that was checked before is an error of no interest.
      _ = try await box.run(check, RunOptions(isUrgent: true))
    }
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
      note(.ended(process: Int(daemon.pid)))
    }
    #expect(try query("SELECT count(*) FROM belfry.member") == "0")
  }

  func note(_ kind: TraceEvent.Kind) { signals.append(TraceEvent(time: now, kind)) }

  var now: Double { Date().timeIntervalSince1970 }

  func query(_ sql: String) throws -> String { try server.run(sql) }
}
