import Foundation
import Testing

@Suite("The daemon's life")
struct DaemonLifeTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("SIGTERM and SIGINT end it at once with 0, also before its first minute", arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) async throws {
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    let daemon = try await box.daemon()
    let stopped = await daemon.stop(signal)
    #expect(stopped.end == .exited(0), "\(daemon.log)")
    #expect(stopped.seconds < 5)
    #expect(try await box.json("pending").elements?.count == 1)
    #expect(box.data(RunningDaemon.output).isEmpty)
  }

  @Test("SIGTERM that comes before belfryd has begun waits for it, and ends it with 0")
  func signalBeforeMain() async throws {
    // Libraries ask for the processors during their initialisation, which is where the process is stopped.
    let words = ["/usr/bin/strace", "-D", "-o", "trace", "-e", "inject=sched_getaffinity:signal=STOP:when=1"]
    let process = try box.start(bytes: (words + [Programs.belfryd]).map { Array($0.utf8) }, RunOptions())
    try await waitUntil("the start is stopped") { box.text("trace").contains("stopped by SIGSTOP") }
    process.send(SIGTERM)
    process.send(SIGCONT)
    #expect(await process.end == .exited(0))
  }

  @Test(
    "a stop with deliveries under way that nobody reads takes 5 s at most, and they are delivered at the next start")
  func stopWhileBlocked() async throws {
    let lines = (1...400).map { "Item \($0)" }.joined(separator: "\n")
    try await box.belfry(
      "add", "-", "--due", "09:00", options: RunOptions(input: Data(lines.utf8), clock: "2026-11-21 08:00:00")
    )
    .requireDone()
    // A pipe that is full after about a hundred lines, with a reader that reads none.
    try await box.run(["/usr/bin/mkfifo", "pipe"], RunOptions()).requireDone()
    let reader = open(box.path("pipe"), O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    let words = [try Programs.belfry, "run"].map { Array($0.utf8) }
    let process = try box.start(
      bytes: words,
      RunOptions(
        output: .appending(box.path("pipe")), messages: .appending(box.path(RunningDaemon.log)),
        clock: "2026-11-21 09:00:20"))
    let daemon = RunningDaemon(box: box, process: process)
    try await daemon.waitForLog("fired")
    let stopped = await daemon.stop()
    #expect(stopped.end == .exited(0), "\(daemon.log)")
    #expect(stopped.seconds < 8, "\(stopped.seconds) s")
    let left = try #require(try await box.json("deliveries", "--state", "pending").elements)
    #expect(!left.isEmpty)
    let rest = try await box.runOnce(at: "2026-11-21 10:00:00")
    let delivered = Set(rest.compactMap { $0["data"]?["item"]?["id"] })
    #expect(delivered.isSuperset(of: left.compactMap { $0["item_id"] }))
    #expect(try await box.json("deliveries", "--state", "pending") == .array([]))
    #expect(try await box.json("deliveries", "--state", "delivered").elements?.count == 400)
  }

  @Test("run --once delivers what is due, leaves what is not, and ends with 0")
  func once() async throws {
    let nothing = try await box.belfry("run", "--once")
    #expect(nothing.isDone && nothing.output.isEmpty, "\(nothing)")
    try await box.json("add", "Due", "--due", "09:00", at: "2026-11-21 08:00:00")
    try await box.json("add", "Not yet", "--due", "09:01", at: "2026-11-21 08:00:00")
    let start = ContinuousClock.now
    let bodies = try await box.runOnce(at: "2026-11-21 09:00:00")
    #expect(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text } == ["Due"])
    #expect(ContinuousClock.now - start < .seconds(300))
    #expect(try await box.json("pending", at: "2026-11-21 09:00:00").elements?.count == 1)
  }

  @Test("belfryd is the same program under its own name")
  func direct() async throws {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let outcome = try await box.run([Programs.belfryd, "--once"], .at("2026-11-21 09:00:00"))
    #expect(outcome.isDone, "\(outcome)")
    #expect(try JSON(String(outcome.output.dropLast()))["data"]?["alert"]?["body"] == .text("Milk"))
    let wrong = try await box.run([Programs.belfryd, "--twice"], RunOptions())
    #expect(wrong.status == 64, "\(wrong)")
    let unknown = try await box.run([Programs.belfryd, "--config", "none.yaml"], RunOptions())
    #expect(unknown.status == 66, "\(unknown)")
  }

  @Test("a reader that has gone, a full disk and a closed standard output lose no reminder")
  func brokenOutput() async throws {
    for (number, script) in [
      "\"$BELFRY\" run --once | true; exit ${PIPESTATUS[0]}", "\"$BELFRY\" run --once >/dev/full",
      "\"$BELFRY\" run --once >&-", "\"$BELFRY\" run --once <&- >&- 2>&-",
    ].enumerated() {
      let text = "Milk \(number)"
      // Scheduled two hours ago for an hour ago, so that it is due by the system's clock.
      try await box.json("add", text, "--due", "in 1 hour", at: "-2h")
      let outcome = try await box.shell(script)
      #expect(outcome.status == 75 || outcome.status == 74, "\(script): \(outcome)")
      let pending = try #require(try await box.json("deliveries", "--state", "pending").elements)
      let mine = try #require(pending.first { $0["text"] == .text(text) }, "\(script) lost '\(text)': \(outcome)")
      #expect(mine["attempts"]?.integer == 1 && mine["last_error"] != .null, "\(script): \(mine)")
      #expect(mine["next_attempt_at"] != .null)
      try await box.belfry("deliveries", "discard", "--force", "\(mine["id"]?.integer ?? 0)").requireDone()
    }
    #expect(try await integrity(of: box) == "ok")
  }

  @Test("a log that cannot be written keeps nothing from ringing", arguments: ["2> /dev/full", "2>&-", "2> >(true)"])
  func brokenLog(redirection: String) async throws {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    // The reader closes its end of the pipe before the first message.
    let outcome = try await box.shell(
      "exec \(redirection); wait $!; \"$BELFRY\" run --once", options: .at("2026-11-21 09:00:10"))
    #expect(outcome.isDone && outcome.output.contains("Milk"), "\(outcome)")
    #expect(try await box.json("deliveries").elements?.map { $0["state"] } == [.text("delivered")])
  }

  @Test("a daemon whose reader goes away lives on and delivers to the next one")
  func readerGone() async throws {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let script = """
      "$BELFRY" run 2>log | (exec <&-; sleep 1000) & sleep 0.1
      for i in $(seq 1 4000); do grep -q 'put off' log && break; sleep 0.05; done
      kill $(cat store.sqlite.lock); for i in $(seq 1 4000); do grep -q stopped log && break; sleep 0.05; done
      kill $(jobs -p) 2>/dev/null; grep -c stopped log
      """
    let outcome = try await box.shell(script, options: .at("2026-11-21 08:59:58"))
    #expect(outcome.output == "1\n", "\(outcome); log: \(box.text("log"))")
    #expect(try await box.json("deliveries", "--state", "pending").elements?.count == 1)
    #expect(try await box.runOnce(at: "2026-11-21 10:30:00").count == 1)
  }

  @Test("pending deliveries of a disabled or removed sink die visibly; retry delivers them with the same ID")
  func deadAndRetried() async throws {
    let early = "2026-11-21 08:00:00"
    try await box.json("add", "Milk", "--due", "09:00", at: early)
    let failed = try await box.shell("\"$BELFRY\" run --once >/dev/full", options: .at("2026-11-21 09:00:10"))
    #expect(failed.status == 75, "\(failed)")
    let pending = try #require(try await box.json("deliveries").elements?.first)
    #expect(pending["state"] == .text("pending"))

    let config = Sandbox.defaultConfig
    try box.write(config.replacing("format: json", with: "format: json, enabled: false"), to: "belfry.yaml")
    try await box.json("add", "Bread", "--due", "09:05", at: early)
    let silent = try await box.belfry("run", "--once", options: .at("2026-11-21 09:06:00"))
    #expect(silent.isDone && silent.output.isEmpty, "\(silent)")
    let dead = try #require(try await box.json("deliveries", "--state", "dead").elements)
    #expect(dead.count == 1 && dead[0]["message_id"] == pending["message_id"], "\(dead)")
    #expect(dead.first?["last_error"]?.text?.contains("out") == true && dead.first?["next_attempt_at"] == .null)

    try box.write(config, to: "belfry.yaml")
    let retried = try #require(try await box.json("deliveries", "retry", "--dead", at: "2026-11-21 09:10:00").elements)
    #expect(Shape.delivery.faults(in: retried) == [])
    #expect(retried.map { $0["state"] } == [.text("pending")])
    let bodies = try await box.runOnce(at: "2026-11-21 09:10:30")
    #expect(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text } == ["Milk"])
    let delivered = try #require(try await box.json("deliveries").elements?.first)
    #expect(delivered["message_id"] == pending["message_id"] && delivered["attempts"] == .integer(2), "\(delivered)")
    #expect(delivered["state"] == .text("delivered"))
  }

  @Test("a command under another TZ moves nothing; the daemon does, and what has rung does not ring again")
  func anotherZone() async throws {
    try await box.json("add", "Rang", "--due", "09:00", at: "2026-11-21 08:00:00")
    try await box.json("add", "Floats", "--due", "2026-11-23 09:00", at: "2026-11-21 08:00:00")
    #expect(try await box.runOnce(at: "2026-11-21 09:00:10").count == 1)
    var options = RunOptions.at("2026-11-21 03:10:00")
    options.environment = ["TZ": "America/New_York"]
    let shown = try await box.run([Programs.belfry, "pending", "--json"], options)
    #expect(try shown.elements.map { $0["fire_date"] } == [.text("2026-11-23T09:00:00+01:00")], "\(shown)")
    let moved = try await box.run([Programs.belfry, "run", "--once"], options)
    #expect(moved.isDone && moved.output.isEmpty, "\(moved)")
    let after = try await box.run([Programs.belfry, "pending", "--json"], options)
    #expect(try after.elements.map { $0["fire_date"] } == [.text("2026-11-23T09:00:00-05:00")], "\(after)")
    options.clock = "2026-11-21 09:00:30"
    let nine = try await box.run([Programs.belfry, "run", "--once"], options)
    #expect(nine.isDone && nine.output.isEmpty, "09:00 rang in Zurich already: \(nine)")
  }

  @Test("a store that turns unreadable while it runs is told, and it rings on when the store is back")
  func storeTrouble() async throws {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let program = """
      import sqlite3, sys, time
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute('BEGIN IMMEDIATE')
      print('held', flush=True)
      time.sleep(3_600)
      """
    let words = [Programs.python, "-c", program, box.store].map { Array($0.utf8) }
    let holder = try box.start(bytes: words, RunOptions(output: .writing(box.path("held"))))
    try await waitUntil("the lock is held") { box.text("held") == "held\n" }
    let daemon = try await box.daemon(at: "2026-11-21 09:00:05")
    try await daemon.waitForLog("locked", within: 400)
    #expect(box.data(RunningDaemon.output).isEmpty, "nothing may be sent that is not written down first")
    // The daemon proceeds once the lock is released, for all the times it gave up before.
    holder.send(SIGKILL)
    #expect(await holder.end == .signalled(SIGKILL))
    try await daemon.waitForRinging(1, within: 400)
    #expect(await daemon.stop().end == .exited(0))
    #expect(try daemon.rungTexts == ["Milk"])
  }
}
