import Foundation
import TestSupport
import Testing

/// The built programs on a virtual screen, with notification servers of two makes.
@Suite("type: desktop", .ownThread)
struct DesktopTests {
  private func box(_ desktop: ScreenDesktop, _ more: String = "") throws -> Sandbox {
    try Sandbox(
      config: """
        store: { type: sqlite, path: store.sqlite }
        sinks: { desk: { type: desktop, bus: "\(desktop.bus.address)", shown_for: 1h } }
        \(more)
        """)
  }

  /// Adds an item that is due a minute after `clock`.
  private func add(_ text: String, to box: Sandbox, at clock: String = "-5m") async throws {
    let words = [try Programs.belfry, "add", text, "--due", "in 1 minute"]
    try await box.run(words, .at(clock)).requireDone()
  }

  private func waitForShown(_ count: Int, on desktop: ScreenDesktop, _ daemon: RunningDaemon) async throws {
    try await waitUntil("\(count) are shown; log: \(daemon.log)") { try desktop.shownCount() == count }
  }

  private func waitForAnswer(_ count: Int, in box: Sandbox, _ daemon: RunningDaemon) async throws {
    try await waitUntil("\(count) answers are kept; log: \(daemon.log)") {
      try await box.json("answers").elements?.count == count
    }
  }

  @Test("a press checks the item, and what is checked elsewhere closes", arguments: ScreenDesktop.Server.allCases)
  func press(server: ScreenDesktop.Server) async throws {
    let desktop = try ScreenDesktop(server)
    try desktop.start()
    let box = try box(desktop)
    try await add("Milk", to: box)
    let daemon = try await box.daemon()
    try await waitForShown(1, on: desktop, daemon)
    try desktop.press("Done", among: ["Done", "Later"])
    try await waitForAnswer(1, in: box, daemon)
    let answer = try #require(try await box.json("answers").elements?.first)
    #expect(answer["channel"] == .text("desktop") && answer["action"] == .text("done"))
    #expect(answer["effect"] == .text("done") && answer["item_id"] == .integer(1))
    #expect(try await box.json("show", "--checked").elements?.count == 1)
    try await waitForShown(0, on: desktop, daemon)
    try await add("Bread", to: box)
    try await waitForShown(1, on: desktop, daemon)
    try await box.json("check", "2")
    try await waitForShown(0, on: desktop, daemon)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a button works after the daemon that showed it was killed")
  func killed() async throws {
    let desktop = try ScreenDesktop(.xfce)
    try desktop.start()
    let box = try box(desktop)
    try await add("Milk", to: box)
    let first = try await box.daemon()
    try await waitForShown(1, on: desktop, first)
    try await waitUntil("that is kept") {
      try await box.json("deliveries").elements?.first?["state"] == .text("delivered")
    }
    _ = await first.stop(SIGKILL)
    let second = try await box.daemon()
    // Its connection is there once it has delivered something.
    try await add("Bread", to: box)
    try await waitForShown(2, on: desktop, second)
    try await box.json("check", "2")
    try await waitForShown(1, on: desktop, second)
    try desktop.press("Done", among: ["Done", "Later"])
    try await waitForAnswer(1, in: box, second)
    #expect(try await box.json("answers").elements?.first?["item_id"] == .integer(1))
    #expect(await second.stop().end == .exited(0))
  }

  @Test("a button works after the config was reloaded", arguments: ScreenDesktop.Server.allCases)
  func reloaded(server: ScreenDesktop.Server) async throws {
    let desktop = try ScreenDesktop(server)
    try desktop.start()
    let box = try box(desktop)
    try await add("Milk", to: box)
    let daemon = try await box.daemon()
    try await waitForShown(1, on: desktop, daemon)
    daemon.process.send(SIGHUP)
    try await daemon.waitForLog("the config was reloaded")
    try desktop.press("Done", among: ["Done", "Later"])
    try await waitForAnswer(1, in: box, daemon)
    try await waitForShown(0, on: desktop, daemon)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("in do-not-disturb it waits, which doctor says; then it is shown", arguments: ScreenDesktop.Server.allCases)
  func doNotDisturb(server: ScreenDesktop.Server) async throws {
    let desktop = try ScreenDesktop(server)
    try desktop.start()
    try desktop.setDoNotDisturb(true)
    let box = try box(desktop)
    try await add("Milk", to: box)
    let daemon = try await box.daemon()
    try await daemon.waitForLog("do-not-disturb is on in ")
    let doctor = try await box.belfry("doctor")
    #expect(doctor.output.contains("1 waiting for another attempt: do-not-disturb is on in "), "\(doctor)")
    let delivery = try #require(try await box.json("deliveries").elements?.first)
    #expect(delivery["state"] == .text("pending"), "\(delivery)")
    #expect(try desktop.shownCount() == 0)
    try desktop.setDoNotDisturb(false)
    try await waitForShown(1, on: desktop, daemon)
    try desktop.press("Done", among: ["Done", "Later"])
    try await waitForAnswer(1, in: box, daemon)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("without a server it waits, and is shown once there is one; also after its end")
  func absentServer() async throws {
    let desktop = try ScreenDesktop(.dunst)
    let box = try box(desktop)
    try await add("Milk", to: box)
    let daemon = try await box.daemon()
    try await daemon.waitForLog("no program on the desktop's bus shows notifications")
    let delivery = try #require(try await box.json("deliveries").elements?.first)
    #expect(delivery["state"] == .text("pending"))
    #expect(delivery["last_error"] == .text("no program on the desktop's bus shows notifications"))
    try desktop.start()
    #expect(await daemon.stop().end == .exited(0))
    // The pauses between attempts grow, so on a busy machine the next one may be far away.
    let later = try await box.daemon(at: "+2h")
    try await waitForShown(1, on: desktop, later)
    desktop.stop()
    try desktop.start()
    try await add("Bread", to: box, at: "+115m")
    try await waitForShown(1, on: desktop, later)
    try desktop.press("Done", among: ["Done", "Later"])
    try await waitForAnswer(1, in: box, later)
    #expect(try await box.json("answers").elements?.first?["item_id"] == .integer(2))
    #expect(await later.stop().end == .exited(0))
  }

  @Test("a click opens the page of the reminder by xdg-open, in a session of its own")
  func click() async throws {
    let desktop = try ScreenDesktop(.dunst)
    try desktop.start()
    let box = try box(desktop, "web: { listen: 127.0.0.1:0, public_url: \"https://belfry.example.org\" }")
    try await box.install(
      """
      #!/bin/sh
      echo "$1 $$ $(cut -d ' ' -f 6 /proc/$$/stat)" >'\(box.path("opening"))'
      mv '\(box.path("opening"))' '\(box.path("opened"))'

      """, as: "bin/xdg-open")
    try await add("Milk", to: box)
    var options = RunOptions(messages: .appending(box.path(RunningDaemon.log)))
    options.environment = ["PATH": "\(box.path("bin")):\(Sandbox.searchPath)"]
    let process = try box.start(bytes: [try Programs.belfry, "run"].map { Array($0.utf8) }, options)
    let daemon = RunningDaemon(box: box, process: process)
    try await waitForShown(1, on: desktop, daemon)
    try desktop.click()
    try await waitUntil("the page is opened; log: \(daemon.log)") { !box.text("opened").isEmpty }
    let words = box.text("opened").split { $0.isWhitespace }
    #expect(words.count == 3 && words[1] == words[2], "it leads its session: \(words)")
    #expect(words.first?.wholeMatch(of: /https:\/\/belfry\.example\.org\/a\/[A-Za-z0-9_-]{54}/) != nil, "\(words)")
    #expect(try await box.json("answers") == .array([]))
    #expect(!daemon.log.contains("/a/"))
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("without a user's bus the daemon and 'config check' say the way out, 78; other commands do not mind")
  func withoutBus() async throws {
    let box = try Sandbox(config: "store: { type: sqlite, path: store.sqlite }\nsinks:\n  desk: { type: desktop }\n")
    var options = RunOptions()
    options.prefix = [Programs.env, "-u", "XDG_RUNTIME_DIR"]
    for words in [["run"], ["config", "check"]] {
      let outcome = try await box.run([Programs.belfry] + words, options)
      #expect(outcome.status == 78, "\(outcome)")
      #expect(outcome.messages.contains("belfry.yaml:3:17: error: there is no desktop here"), "\(outcome)")
      #expect(outcome.messages.contains("'belfry service install'"), "\(outcome)")
    }
    let doctor = try await box.run([Programs.belfry, "doctor"], options)
    #expect(
      doctor.output.contains("there is no desktop here") && doctor.output.contains("service install"), "\(doctor)")
    try await box.run([Programs.belfry, "add", "Milk"], options).requireDone()
    #expect(try await box.belfry("config", "check").isDone)
  }

  @Test("libsystemd is loaded only where a desktop is configured")
  func library() async throws {
    let desktop = try ScreenDesktop(.dunst)
    try desktop.start()
    for (box, isLoaded) in [(try Sandbox(), false), (try box(desktop), true)] {
      try await add("Milk", to: box)
      let daemon = try await box.daemon()
      try await waitUntil("it rings; log: \(daemon.log)") {
        try await box.json("deliveries").elements?.first?["state"] == .text("delivered")
      }
      let count = try await box.shell("grep -c libsystemd.so /proc/\(daemon.process.pid)/maps").output
      #expect((count != "0\n") == isLoaded, "\(count)")
      #expect(await daemon.stop().end == .exited(0))
    }
  }

  @Test("'sinks test' shows a notification, and 'config check --probe' none")
  func tested() async throws {
    let desktop = try ScreenDesktop(.xfce)
    try desktop.start()
    let box = try box(desktop)
    #expect(try await box.belfry("config", "check", "--probe").isDone)
    #expect(try desktop.shownCount() == 0)
    #expect(try await box.belfry("sinks", "test", "desk").isDone)
    try await waitUntil("it is shown") { try desktop.shownCount() == 1 }
    desktop.stop()
    let outcome = try await box.belfry("sinks", "test", "desk")
    #expect(outcome.status == 69 && outcome.messages.contains("no program on the desktop's bus"), "\(outcome)")
  }
}
