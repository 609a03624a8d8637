import Foundation
import Testing

@Suite("belfry doctor")
struct DoctorTests {
  private struct Report {
    let outcome: Outcome
    let findings: [JSON]

    func finding(_ check: String) -> JSON? { findings.first { $0["check"] == .text(check) } }
    func state(_ check: String) -> String? { finding(check)?["state"]?.text }
    func words(_ check: String) -> String {
      "\(finding(check)?["message"]?.text ?? "")|\(finding(check)?["advice"]?.text ?? "")"
    }
  }

  private func examine(_ box: Sandbox, _ options: RunOptions = RunOptions()) async throws -> Report {
    let outcome = try await box.belfry("doctor", "--json", options: options)
    return Report(outcome: outcome, findings: try outcome.elements)
  }

  @Test("without problems every line says ok and gives no advice")
  func healthy() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk", "--due", "2099-11-21 09:00")
    let daemon = try await box.daemon()
    let report = try await examine(box)
    #expect(report.outcome.isDone, "\(report.outcome)")
    #expect(
      report.findings.compactMap { $0["check"]?.text } == [
        "config", "store", "permission", "disk", "daemon", "program", "sink out", "clock", "zone", "deliveries",
      ])
    // The machine's clock synchronisation and free disk space are not under test.
    for finding in report.findings where !["clock", "disk"].contains(finding["check"]?.text) {
      #expect(finding["state"] == .text("ok") && finding["advice"] == .null, "\(finding)")
    }
    #expect(report.findings.allSatisfy { $0.keys == ["check", "state", "message", "advice"] })
    #expect(report.words("daemon").contains("process \(daemon.process.pid) "))
    #expect(report.words("deliveries").contains("1 reminder scheduled"))

    let text = try await box.belfry("doctor")
    #expect(text.isDone && text.messages.isEmpty, "\(text)")
    #expect(text.output.split(separator: "\n").count == report.findings.count)
    let colored = try await box.belfry("doctor", "--color", "always")
    #expect(colored.output.contains("\u{1b}[32mok"), "\(colored)")
  }

  @Test("a list that vdirsyncer does not know is named, beside those that it does")
  func sync() async throws {
    let box = try Sandbox(
      config: "{ store: { type: vdir, path: home/.calendars }, sinks: { out: { type: stdout } } }", zone: "UTC")
    for name in ["Home", "Work"] { try await box.belfry("list", "create", name).requireDone() }
    let folder = box.path("home/config/vdirsyncer")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try box.write("[general]\nstatus_path = \"~/config/vdirsyncer\"\n", to: "home/config/vdirsyncer/config")
    // As `vdirsyncer discover` writes it where it has made the folder itself.
    try box.write(
      #"{"collections": [["home", [{"path": "~/.calendars/home"}, {"url": "http://h/"}]]]}"#,
      to: "home/config/vdirsyncer/tasks.collections")
    let words = try await examine(box).words("sync")
    #expect(words.contains("home/.calendars/work|'vdirsyncer discover'"), "\(words)")
  }

  @Test("a folder of calendars is described as it is before its first use, and parts that are not followed are named")
  func folder() async throws {
    let box = try Sandbox(
      config: "{ store: { type: vdir, path: lists }, sinks: { out: { type: stdout } } }", zone: "UTC")
    let missing = try await examine(box)
    #expect(missing.words("store").contains("lists does not exist: it is made at the first write|correct the path"))
    #expect(missing.state("store") == "warning" && missing.outcome.isDone, "\(missing.outcome)")
    try FileManager.default.createDirectory(atPath: box.path("lists"), withIntermediateDirectories: true)
    let empty = try await examine(box).words("store")
    #expect(empty.contains("lists holds no list yet; its state is made with the first one"), "\(empty)")
    let todo = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VTODO
      UID:a
      SUMMARY:a
      DUE:20961224T090000
      RDATE:20961225T090000
      END:VTODO
      END:VCALENDAR

      """
    try box.write(todo, to: "lists/a.ics")
    let misplaced = try await examine(box)
    #expect(misplaced.words("files").contains("lists/a.ics is not in the folder of a list"), "\(misplaced.outcome)")
    #expect(try await box.belfry("store", "check").status == 74)
    let shown = try await box.belfry("show")
    #expect(shown.messages.contains("lists/a.ics is not in the folder of a list"), "\(shown)")
    #expect(box.files(in: "lists") == ["a.ics"])
    let filled = try Sandbox(
      config: "{ store: { type: vdir, path: lists }, sinks: { out: { type: stdout } } }", zone: "UTC")
    try FileManager.default.createDirectory(atPath: filled.path("lists/home"), withIntermediateDirectories: true)
    try filled.write(todo, to: "lists/home/a.ics")
    let first = try await examine(filled)
    #expect(first.words("store").contains("1 item"), "\(first.outcome)")
    #expect(first.words("files").contains("lists/home/a.ics: ignored: RDATE"), "\(first.outcome)")
  }

  @Test("one warning of the config stands alone, of several the first with the way to the others")
  func warnings() async throws {
    let route = "{ sinks: [out], categories: [nope] }"
    let box = try Sandbox(config: Sandbox.defaultConfig + "routes: [\(route), { sinks: [out] }]\n")
    let one = try await examine(box)
    #expect(one.words("config").hasSuffix("no category is called 'nope'|"), "\(one.outcome)")
    try box.write(Sandbox.defaultConfig + "routes: [\(route), \(route), { sinks: [out] }]\n", to: "belfry.yaml")
    let two = try await examine(box)
    #expect(two.words("config").hasSuffix("|'belfry config check' lists all 2 warnings"), "\(two.outcome)")
  }

  @Test("it makes nothing, not even a store")
  func changesNothing() async throws {
    let box = try Sandbox()
    let report = try await examine(box)
    #expect(report.outcome.isDone && report.words("store").contains("made at the first write"), "\(report.outcome)")
    #expect(box.files() == ["belfry.yaml", "home"])
    // The finding depends on other programs on this machine.
    #expect(
      report.state("daemon") == "warning" && report.words("daemon").contains("|'belfry service install'")
        || report.words("daemon").contains("not on this store"), "\(report.outcome)")
  }

  @Test("a config that is wrong fails with 78; the machine is looked at all the same")
  func wrongConfig() async throws {
    let box = try Sandbox(config: "sinks: { a: { type: stdot } }\nstor: 1")
    let report = try await examine(box)
    #expect(report.outcome.status == 78 && report.outcome.messages.contains("1 of 3 checks failed"))
    #expect(report.state("config") == "fail", "\(report.outcome)")
    #expect(
      report.words("config").contains("belfry.yaml:1:21: error: ") && report.words("config").contains("(and 1 more)|"),
      "\(report.outcome)")
    #expect(report.findings.compactMap { $0["check"]?.text } == ["config", "clock", "zone"])
  }

  @Test("a store that cannot be read is told once, with 74, and so is the rest")
  func damagedStore() async throws {
    let box = try Sandbox()
    try box.write("no database, but long enough to be looked at as one", to: "store.sqlite")
    let report = try await examine(box)
    #expect(report.outcome.status == 74 && report.state("store") == "fail", "\(report.outcome)")
    #expect(report.findings.count { $0["state"] == .text("fail") } == 1 && report.state("program") == "ok")
  }

  @Test("files that others may open are named, with what closes them")
  func modes() async throws {
    let box = try Sandbox(sinks: [
      "hook: { type: webhook, url_file: hook-url }", "chat: { type: webhook, url: \"https://localhost:9/x\" }",
    ])
    try box.write("https://localhost:9/\n", to: "hook-url")
    try await box.json("add", "Milk")
    for name in ["hook-url", "store.sqlite", "belfry.yaml"] { chmod(box.path(name), 0o644) }
    let wide = try await examine(box)
    #expect(wide.outcome.isDone, "\(wide.outcome)")
    for (check, name) in [("sink hook", "hook-url"), ("permission", "store.sqlite"), ("config", "belfry.yaml")] {
      #expect(wide.state(check) == "warning", "\(wide.outcome)")
      #expect(
        wide.words(check).contains(box.path(name)) && wide.words(check).contains("mode 0644")
          && wide.words(check).contains("|chmod 600 "))
      chmod(box.path(name), 0o600)
    }
    let narrow = try await examine(box)
    for check in ["sink hook", "permission", "config"] { #expect(narrow.state(check) == "ok", "\(narrow.outcome)") }
    #expect(!narrow.outcome.output.contains("localhost"), "a secret is told")
  }

  @Test("a secret that is not there fails; one that comes with the daemon's environment is a warning")
  func secrets() async throws {
    let box = try Sandbox(sinks: [
      "file: { type: webhook, url_file: none }", "variable: { type: webhook, url_env: HOOK_URL }",
      "\"off\": { type: webhook, url_file: none, enabled: false }",
    ])
    let report = try await examine(box)
    #expect(report.outcome.status == 66, "\(report.outcome)")
    #expect(report.state("sink file") == "fail" && report.words("sink file").contains("url_file"))
    #expect(report.state("sink variable") == "warning" && report.words("sink variable").contains("HOOK_URL"))
    #expect(report.state("sink off") == "ok")
  }

  @Test("no sink that is on is told; quiet hours are named")
  func sinks() async throws {
    let none = try await examine(try Sandbox(sinks: ["out: { type: stdout, enabled: false }"]))
    #expect(none.state("sinks") == "warning" && none.outcome.isDone, "\(none.outcome)")
    let box = try Sandbox(sinks: ["out: { type: stdout, quiet_hours: { from: \"22:00\", to: \"07:00\" } }"])
    let night = try await examine(box, .at("2026-11-21 05:00:00"))
    #expect(night.words("sink out") == "stdout, quiet until 07:00|", "\(night.outcome)")
    let day = try await examine(box, .at("2026-11-21 12:00:00"))
    #expect(day.words("sink out") == "stdout|", "\(day.outcome)")
  }

  @Test("a daemon of another store, and metrics that nobody writes, are told")
  func daemons() async throws {
    let box = try Sandbox(sinks: ["out: { type: stdout }"], more: "metrics: { file: belfry.prom }\n")
    let daemon = try await box.daemon()
    try await waitUntil("the metrics are written") { box.files().contains("belfry.prom") }
    #expect(try await examine(box).state("metrics") == "ok")
    try box.write("store: { type: sqlite, path: other.sqlite }\nmetrics: { file: none.prom }\n", to: "other.yaml")
    let other = try await box.run([Programs.belfry, "doctor", "--json", "--config", "other.yaml"], RunOptions())
    let report = Report(outcome: other, findings: try other.elements)
    #expect(report.state("daemon") == "warning" && report.words("daemon").contains("not on this store"), "\(other)")
    #expect(report.state("metrics") == "warning" && report.words("metrics").contains("never been written"))
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a clock that cannot be right fails, one behind the store is told")
  func clock() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk")
    let early = try await examine(box, .at("1999-01-01 00:00:00"))
    #expect(early.outcome.status == 70 && early.state("clock") == "fail", "\(early.outcome)")
    // Without this variable the library would also shift the files' times.
    let behind = try await examine(box, RunOptions(clock: "-2h", environment: ["NO_FAKE_STAT": "1"]))
    #expect(behind.state("clock") == "warning" && behind.words("clock").contains("the store was written later"))
  }

  @Test("a TZ that is no zone is told, and so is another zone than the reminders were planned in")
  func zones() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk")
    var options = RunOptions()
    options.environment["TZ"] = "Europe/Zürich"
    let odd = try await examine(box, options)
    #expect(odd.state("zone") == "warning" && odd.words("zone").contains("'Europe/Zürich', which is not a zone"))
    options.environment["TZ"] = "America/New_York"
    let other = try await examine(box, options)
    #expect(other.state("zone") == "warning", "\(other.outcome)")
    #expect(other.words("zone").contains("planned in Europe/Zurich, and this machine is in America/New_York"))
  }

  @Test("reminders that should have rung and deliveries that were given up are told, with what to do")
  func deliveries() async throws {
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"http://localhost:9/\" }"])
    let added = try await box.belfry("add", "Milk", "--due", "2026-11-21 09:00", options: .at("2026-11-21 08:50:00"))
    try #require(added.isDone)
    let late = try await examine(box, .at("2026-11-21 09:05:00"))
    #expect(late.state("deliveries") == "warning", "\(late.outcome)")
    #expect(late.words("deliveries") == "1 reminder should have rung and did not|they ring once a daemon runs")
    #expect(try await box.belfry("run", "--once", options: .at("2026-11-21 09:05:30")).status == 75)
    #expect(try await examine(box, .at("2026-11-21 09:05:40")).words("deliveries").contains("1 waiting"))
    try box.write(Sandbox.defaultConfig, to: "belfry.yaml")
    #expect(try await box.belfry("run", "--once", options: .at("2026-11-21 09:06:00")).isDone)
    let dead = try await examine(box, .at("2026-11-21 09:06:30"))
    #expect(dead.state("deliveries") == "warning" && dead.words("deliveries").contains("1 given up, 0 waiting"))
    #expect(dead.words("deliveries").contains("belfry deliveries retry --dead"))
  }

  @Test("a disk without room fails with 74")
  func fullDisk() async throws {
    let box = try Sandbox(config: "store: { type: sqlite, path: home/disk/store.sqlite }")
    let outcome = try await box.shell(FullDiskTests.mounting("900k", #""$BELFRY" doctor --json; echo "status $?" >&2"#))
    #expect(outcome.messages.contains("status 74"), "\(outcome)")
    let report = Report(outcome: outcome, findings: try outcome.elements)
    #expect(report.state("disk") == "fail" && report.words("disk").contains("|make room"), "\(outcome)")
  }

  @Test("a belfryd that is missing, or that was replaced under a running daemon, is told")
  func programs() async throws {
    let box = try Sandbox()
    let copied = try await box.run(
      ["/bin/cp", try Programs.belfry, try Programs.belfryd, box.folder], RunOptions())
    try #require(copied.isDone, "\(copied)")
    func look() async throws -> Report {
      let outcome = try await box.run([box.path("belfry"), "doctor", "--json"], RunOptions())
      return Report(outcome: outcome, findings: try outcome.elements)
    }
    let options = RunOptions(messages: .appending(box.path(RunningDaemon.log)))
    let process = try box.start(bytes: [Array(box.path("belfryd").utf8)], options)
    let daemon = RunningDaemon(box: box, process: process)
    try await daemon.waitForLog("started")
    #expect(try await look().state("daemon") == "ok")
    try FileManager.default.removeItem(atPath: box.path("belfryd"))
    let missing = try await look()
    #expect(missing.outcome.status == 66 && missing.words("program").hasSuffix("|install belfryd beside belfry"))
    #expect(missing.state("daemon") == "warning" && missing.words("daemon").contains("replaced"), "\(missing.outcome)")
    try await box.install("#!/bin/sh\necho 0.0.9\n", as: "belfryd")
    #expect(try await look().words("program").contains("belfryd beside it 0.0.9|install both"))
    #expect(await daemon.stop().end == .exited(0))
  }
}
