import Foundation
import Testing
import TestSupport

@Suite("belfry service")
struct ServiceTests {
  private static let unit = "home/config/systemd/user/belfry.service"

  @Test("install writes the unit of Config/systemd/user for the belfryd beside it, and has systemd start it")
  func install() async throws {
    let box = try Sandbox(config: nil)
    var options = try await box.putServiceManager()
    options.prefix = [Programs.env, "-u", "BELFRY_CONFIG", "-u", "XDG_DATA_HOME"]
    let outcome = try await box.run([Programs.belfry, "service", "install"], options)
    #expect(outcome.isDone && outcome.messages.contains(box.path(Self.unit)), "\(outcome)")
    #expect(outcome.messages.contains("belfry service status") && outcome.messages.contains("enable-linger"))
    let lines = box.text(Self.unit).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("# Made by 'belfry service install', "))
    let start = try #require(lines[1].split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    #expect(start.hasSuffix("/belfryd") && access(String(start.dropFirst(10)), X_OK) == 0)
    let kept = try String(
      contentsOf: Checkout.file("Config/systemd/user/belfry.service"), encoding: .utf8)
    #expect(lines[1].replacing(start, with: "ExecStart=@bindir@/belfryd") == kept)
    #expect(
      box.lines("asked") == [
        "systemctl --user daemon-reload", "systemctl --user enable belfry.service",
        "systemctl --user restart belfry.service",
      ])
    let check = try await box.run(
      ["/usr/bin/systemd-analyze", "--user", "verify", "--man=no", box.path(Self.unit)], RunOptions())
    #expect(check.isDone && check.messages.isEmpty, "\(check)")
  }

  @Test("the shell's paths of config and data are written to the unit, quoted for systemd")
  func places() async throws {
    let box = try Sandbox(config: nil)
    let config = box.path("my 50% \"config\".yaml")
    try box.write(Sandbox.defaultConfig, to: config)
    #expect(try await box.belfry("service", "install", "--config", config).isDone)
    let quoted = config.replacing("\"", with: "\\\"").replacing("%", with: "%%")
    #expect(box.text(Self.unit).contains("/belfryd --config \"\(quoted)\"\n"), "\(box.text(Self.unit))")
    var options = RunOptions()
    options.prefix = [Programs.env, "-u", "BELFRY_CONFIG"]
    #expect(try await box.run([Programs.belfry, "service", "install"], options).isDone)
    #expect(box.text(Self.unit).contains("Environment=XDG_DATA_HOME=\(box.path("home/data"))\n"))
  }

  @Test("a unit that was edited stays as it is without --force; one that was not follows")
  func edited() async throws {
    let box = try Sandbox()
    #expect(try await box.belfry("service", "install").isDone)
    let first = box.text(Self.unit)
    let again = try await box.belfry("service", "install")
    #expect(again.isDone && again.messages.contains("there already"), "\(again)")
    try box.write(Sandbox.defaultConfig, to: "other.yaml")
    #expect(try await box.belfry("service", "install", "--config", "other.yaml").isDone)
    #expect(box.text(Self.unit) != first && box.text(Self.unit).contains("--config \(box.path("other.yaml"))"))

    let mine = box.text(Self.unit).replacing("WatchdogSec=3min", with: "WatchdogSec=1min")
    try box.write(mine, to: Self.unit)
    let refused = try await box.belfry("service", "install")
    #expect(refused.status == 73 && refused.messages.contains("--force"), "\(refused)")
    #expect(box.text(Self.unit) == mine)
    #expect(try await box.belfry("service", "install", "--force").isDone)
    #expect(box.text(Self.unit) == first)
  }

  @Test("without a systemd the unit is written and the next step told; a wrong config is refused before")
  func byHand() async throws {
    let box = try Sandbox()
    let outcome = try await box.belfry("service", "install")
    #expect(outcome.isDone && outcome.messages.contains("systemctl --user enable --now belfry"), "\(outcome)")
    let other = try Sandbox(config: "sinks: 1")
    #expect(try await other.belfry("service", "install").status == 78)
    #expect(other.files(in: "home") == [])
  }

  @Test("a service that does not start is told, and so is a daemon that has the store already")
  func failing() async throws {
    let box = try Sandbox()
    let failed = try await box.belfry(
      "service", "install", options: try await box.putServiceManager(failing: "restart"))
    #expect(failed.status == 69 && failed.messages.contains("Job for belfry.service failed."), "\(failed)")
    #expect(failed.messages.contains("belfry service logs"))

    let daemon = try await box.daemon()
    let taken = try await box.belfry("service", "install", options: try await box.putServiceManager())
    #expect(taken.status == 75 && taken.messages.contains("process \(daemon.process.pid)"), "\(taken)")
  }

  @Test("status names the daemon of this store and since when, and succeeds only while it runs")
  func status() async throws {
    let box = try Sandbox()
    let before = try await box.belfry("service", "status")
    #expect(before.status == 69 && before.output.contains("does not run"), "\(before)")
    #expect(before.messages.contains("belfry service install"))

    let start = Date.now.timeIntervalSince1970
    let daemon = try await box.daemon()
    let options = try await box.putServiceManager()
    let text = try await box.belfry("service", "status", options: options)
    #expect(text.isDone && text.output.contains("process \(daemon.process.pid), since "), "\(text)")
    #expect(text.output.contains("enabled, active (running)") && text.output.contains("3 scheduled"), "\(text)")
    let status = try #require(try await box.belfry("service", "status", "--json", options: options).elements.first)
    #expect(status["running"] == .bool(true) && status["process"] == .integer(Int64(daemon.process.pid)))
    #expect(status["unit_state"] == .text("active") && status["store"] == .text(box.store))
    let since = try #require(try status.moment("since"))
    #expect(since > start - 2 && since < start + 300)

    // The daemon of another store does not count.
    try box.write("store: { type: sqlite, path: other.sqlite }\n", to: "other.yaml")
    #expect(try await box.belfry("service", "status", "--config", "other.yaml").status == 69)
    #expect(await daemon.stop().end == .exited(0))
    let after = try await box.belfry("service", "status", "--json")
    #expect(after.status == 69, "\(after)")
    #expect(try after.elements.first?["process"] == .null)
  }

  @Test("status does not take the lock from a daemon that is about to start")
  func lockIsLeftAlone() async throws {
    let box = try Sandbox()
    #expect(await (try await box.daemon()).stop().end == .exited(0))
    let trace = box.path("calls")
    var options = RunOptions()
    options.prefix = ["/usr/bin/strace", "-f", "-o", trace, "-e", "trace=flock"]
    _ = try await box.run([Programs.belfry, "service", "status"], options)
    #expect(!box.text("calls").contains("flock("), "\(box.text("calls"))")
  }

  @Test("logs hands over to journalctl")
  func logs() async throws {
    let box = try Sandbox()
    let options = try await box.putServiceManager()
    let outcome = try await box.belfry("service", "logs", "-n", "7", "-f", options: options)
    #expect(outcome.isDone)
    let units = "--unit=belfry.service --unit=belfry-web.service"
    #expect(outcome.output == "journalctl --user \(units) --lines=7 --follow\n", "\(outcome)")
    var none = RunOptions()
    none.environment["PATH"] = "/nowhere"
    let missing = try await box.belfry("service", "logs", options: none)
    #expect(missing.status == 66 && missing.messages.contains("journalctl"), "\(missing)")
    #expect(try await box.belfry("service", "logs", "-n", "0").status == 64)
  }
}
