import Foundation
import Testing

@Suite("What the daemon tells its service manager")
struct NotifyTests {
  /// A daemon started by the manager at this socket.
  private func daemon(_ box: Sandbox, _ socket: NotifySocket, _ more: [String: String] = [:]) throws -> RunningDaemon {
    let options = RunOptions(
      output: .appending(box.path(RunningDaemon.output)), messages: .appending(box.path(RunningDaemon.log)),
      environment: ["NOTIFY_SOCKET": socket.address].merging(more) { $1 })
    let words = [try Programs.belfry, "run"].map { Array($0.utf8) }
    return RunningDaemon(box: box, process: try box.start(bytes: words, options))
  }

  private func socket(_ box: Sandbox, isAbstract: Bool = false) throws -> NotifySocket {
    try NotifySocket(isAbstract ? "@belfry-test-\(UUID().uuidString)" : box.path("notify"))
  }

  @Test("ready, what is next, reloading and ready again, stopping: in this order", arguments: [false, true])
  func life(isAbstract: Bool) async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk", "--due", "2099-11-21 09:00")
    let socket = try socket(box, isAbstract: isAbstract)
    let daemon = try daemon(box, socket)
    let start = try await socket.messages(through: "STATUS=")
    #expect(
      start == [
        "READY=1", "STATUS=1 scheduled, the next Sat 21 Nov 2099 09:00 CET; 0 waiting to be delivered",
      ])
    // A daemon that has reported itself ready holds the store's lock, so no other can start.
    let other = try await box.belfry("run")
    #expect(other.status == 75, "\(other)")

    let before = Self.monotonicMicroseconds()
    daemon.process.send(SIGHUP)
    let reload = try await socket.messages(through: "READY=1")
    let first = try #require(reload.first?.split(separator: "\n").map(String.init))
    #expect(reload.count == 2 && first.count == 2 && first[0] == "RELOADING=1", "\(reload)")
    let moment = try #require(first[1].split(separator: "=").last.flatMap { Int64($0) })
    #expect(first[1].hasPrefix("MONOTONIC_USEC=") && (before...Self.monotonicMicroseconds()).contains(moment))

    #expect(await daemon.stop().end == .exited(0))
    #expect(socket.drain().last == "STOPPING=1")
  }

  @Test("a config that is wrong ends a reload as well, and the daemon is ready as before")
  func wrongReload() async throws {
    let box = try Sandbox()
    let socket = try socket(box)
    let daemon = try daemon(box, socket)
    _ = try await socket.messages(through: "READY=1")
    try box.write("sinks: [", to: "belfry.yaml")
    daemon.process.send(SIGHUP)
    let messages = try await socket.messages(through: "READY=1").filter { !$0.hasPrefix("STATUS=") }
    #expect(messages.count == 2 && messages[0].hasPrefix("RELOADING=1\n") && messages[1] == "READY=1", "\(messages)")
    #expect(daemon.log.contains("the previous one stays in use"))
  }

  @Test("a reload without the file that the daemon began with keeps its config, whose sinks others lack")
  func goneConfig() async throws {
    let box = try Sandbox(config: nil)
    let place = "home/config/belfry/config.yaml"
    try FileManager.default.createDirectory(
      atPath: box.path("home/config/belfry"), withIntermediateDirectories: true)
    try box.write("sinks: { hook: { type: webhook, url: 'http://127.0.0.1:1/x' } }\n", to: place)
    let socket = try socket(box)
    let daemon = try daemon(box, socket, ["BELFRY_CONFIG": ""])
    _ = try await socket.messages(through: "READY=1")
    try FileManager.default.removeItem(atPath: box.path(place))
    daemon.process.send(SIGHUP)
    _ = try await socket.messages(through: "READY=1")
    #expect(
      daemon.log.contains("config.yaml is gone") && daemon.log.contains("the previous one stays in use"),
      "\(daemon.log)")
  }

  @Test("the watchdog is pinged while the scheduler turns, and not while it stands still")
  func watchdog() async throws {
    let box = try Sandbox()
    let socket = try socket(box)
    let daemon = try daemon(box, socket, ["WATCHDOG_USEC": "400000"])
    for _ in 0..<3 { _ = try await socket.messages(through: "WATCHDOG=1") }
    #expect(try Self.tickingTimers(of: daemon.process.pid) == ["(0, 200000000)"])

    daemon.process.send(SIGSTOP)
    try await waitUntil("the daemon stands still") { try Self.state(of: daemon.process.pid) == "T" }
    _ = socket.drain()
    try await Task.sleep(for: .seconds(2))
    #expect(socket.drain() == [])
    daemon.process.send(SIGCONT)
    _ = try await socket.messages(through: "WATCHDOG=1")
  }

  @Test(
    "no watchdog for this process, no timer for one",
    arguments: [[:], ["WATCHDOG_USEC": "400000", "WATCHDOG_PID": "1"], ["WATCHDOG_USEC": "soon"]])
  func noWatchdog(variables: [String: String]) async throws {
    let box = try Sandbox()
    let socket = try socket(box)
    let daemon = try daemon(box, socket, variables)
    let messages = try await socket.messages(through: "STATUS=")
    #expect(messages.allSatisfy { !$0.hasPrefix("WATCHDOG") })
    // An idle daemon sleeps until the next minute.
    #expect(try Self.tickingTimers(of: daemon.process.pid) == [])
  }

  @Test("a manager that is not there holds nothing up, and is told of in the log")
  func deaf() async throws {
    let box = try Sandbox()
    var options = RunOptions(
      output: .appending(box.path(RunningDaemon.output)), messages: .appending(box.path(RunningDaemon.log)))
    options.environment = ["NOTIFY_SOCKET": box.path("nobody")]
    let process = try box.start(bytes: [try Programs.belfry, "run"].map { Array($0.utf8) }, options)
    let daemon = RunningDaemon(box: box, process: process)
    try await daemon.waitForLog("started")
    #expect(daemon.log.contains("the service manager cannot be notified"))
    #expect(await daemon.stop().end == .exited(0))
  }

  private static func monotonicMicroseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }

  private static func state(of process: pid_t) throws -> String? {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text.split(separator: " ").dropFirst(2).first.map(String.init)
  }

  /// The intervals of a process's periodic timers.
  private static func tickingTimers(of process: pid_t) throws -> [String] {
    let folder = "/proc/\(process)/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      let period = text.split(separator: "\n").first { $0.hasPrefix("it_interval: ") }?.dropFirst(13)
      return period == "(0, 0)" ? nil : period.map(String.init)
    }
  }
}
