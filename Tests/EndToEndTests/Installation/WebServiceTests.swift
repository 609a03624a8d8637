import Foundation
import Testing
import TestSupport

@Suite("belfry service, where the config has a section 'web'")
struct WebServiceTests {
  private static let folder = "home/config/systemd/user"
  private static let config = Sandbox.defaultConfig + "web: { listen: \"[::1]:8788\" }\n"

  private func unit(_ name: String, _ box: Sandbox) -> String { box.text("\(Self.folder)/\(name)") }

  @Test("install writes the three units of Config/systemd/user, and has systemd start the daemon and the socket")
  func install() async throws {
    let box = try Sandbox(config: Self.config)
    let outcome = try await box.belfry("service", "install", options: try await box.putServiceManager())
    #expect(outcome.isDone && outcome.messages.contains("belfry access link"), "\(outcome)")
    let program = "\(try URL(fileURLWithPath: Programs.belfryWeb).resolvingSymlinksInPath().path)"
    for (name, lines, changed) in [
      (
        "belfry-web.service", "ExecStart=@bindir@/belfry-web",
        "ExecStart=\(program) --config \(box.path("belfry.yaml"))"
      ),
      (
        "belfry-web.socket", "ListenStream=127.0.0.1:8787\nSocketMode=0600", "ListenStream=[::1]:8788\nSocketMode=0600"
      ),
    ] {
      let written = unit(name, box).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let kept = try String(contentsOf: Checkout.file("Config/systemd/user/\(name)"), encoding: .utf8)
      #expect(kept.contains(lines))
      #expect(try #require(written.last) == kept.replacing(lines, with: changed), "\(name)")
    }
    #expect(
      box.lines("asked").filter { !$0.contains(" show ") } == [
        "systemctl --user daemon-reload", "systemctl --user enable belfry.service",
        "systemctl --user restart belfry.service", "systemctl --user stop belfry-web.service",
        "systemctl --user enable belfry-web.socket", "systemctl --user restart belfry-web.socket",
      ])
    let paths = ["belfry-web.service", "belfry-web.socket"].map { box.path("\(Self.folder)/\($0)") }
    let check = try await box.run(
      ["/usr/bin/systemd-analyze", "--user", "verify", "--man=no"] + paths, RunOptions())
    #expect(check.isDone && check.messages.isEmpty, "\(check)")
  }

  @Test("a socket in the file system is for its user or its group; any free port is none that systemd listens on")
  func addresses() async throws {
    let box = try Sandbox(
      config: Sandbox.defaultConfig + "web: { listen: \"unix:/run/my 5% socket\", socket_mode: group }\n")
    #expect(try await box.belfry("service", "install").isDone)
    #expect(unit("belfry-web.socket", box).contains("\nListenStream=/run/my 5%% socket\nSocketMode=0660\n"))
    try box.write(Sandbox.defaultConfig + "web: { listen: 127.0.0.1:0 }\n", to: "belfry.yaml")
    let refused = try await box.belfry("service", "install")
    #expect(refused.status == 78 && refused.messages.contains("any free port"), "\(refused)")
  }

  @Test("an edited unit of the web face stops all of it, before anything is written")
  func edited() async throws {
    let box = try Sandbox(config: Self.config)
    #expect(try await box.belfry("service", "install").isDone)
    let mine = unit("belfry-web.socket", box) + "BindIPv6Only=both\n"
    try box.write(mine, to: "\(Self.folder)/belfry-web.socket")
    try FileManager.default.removeItem(atPath: box.path("\(Self.folder)/belfry.service"))
    let refused = try await box.belfry("service", "install")
    #expect(refused.status == 73 && refused.messages.contains("belfry-web.socket"), "\(refused)")
    #expect(unit("belfry-web.socket", box) == mine && unit("belfry.service", box).isEmpty)
    let kept = try await box.belfry("service", "uninstall")
    #expect(kept.status == 73 && box.files(in: Self.folder) == ["belfry-web.service", "belfry-web.socket"], "\(kept)")
    #expect(try await box.belfry("service", "uninstall", "--force").isDone)
    #expect(box.files(in: Self.folder) == [])
  }

  @Test("install without the section takes the web face's units away, and leaves the daemon's")
  func sectionRemoved() async throws {
    let box = try Sandbox(config: Self.config)
    #expect(try await box.belfry("service", "install").isDone)
    try box.write(Sandbox.defaultConfig, to: "belfry.yaml")
    let outcome = try await box.belfry("service", "install", options: try await box.putServiceManager())
    #expect(outcome.isDone && outcome.messages.contains("no section 'web'"), "\(outcome)")
    #expect(box.files(in: Self.folder) == ["belfry.service"])
    #expect(
      box.lines("asked").prefix(3) == [
        "systemctl --user disable --now belfry-web.socket", "systemctl --user disable --now belfry-web.service",
        "systemctl --user daemon-reload",
      ])
  }

  @Test("uninstall stops and removes what install has written, once")
  func uninstall() async throws {
    let box = try Sandbox(config: Self.config)
    #expect(try await box.belfry("service", "install").isDone)
    let options = try await box.putServiceManager()
    let outcome = try await box.belfry("service", "uninstall", options: options)
    #expect(outcome.isDone && box.files(in: Self.folder) == [], "\(outcome)")
    #expect(
      box.lines("asked") == [
        "systemctl --user disable --now belfry-web.socket", "systemctl --user disable --now belfry-web.service",
        "systemctl --user disable --now belfry.service", "systemctl --user daemon-reload",
      ])
    let again = try await box.belfry("service", "uninstall", options: options)
    #expect(again.isDone && again.messages.contains("no unit"), "\(again)")
  }

  @Test("status tells of the socket")
  func status() async throws {
    let box = try Sandbox(config: Self.config)
    let options = try await box.putServiceManager()
    let text = try await box.belfry("service", "status", options: options)
    #expect(text.output.contains("Web     enabled, active (running)\n"), "\(text)")
    let status = try #require(try await box.belfry("service", "status", "--json", options: options).elements.first)
    #expect(status["web_unit"] == .text("enabled") && status["web_unit_state"] == .text("active"))
    try box.write(Sandbox.defaultConfig, to: "belfry.yaml")
    let other = try await box.belfry("service", "status", options: options)
    #expect(!other.output.contains("Web"), "\(other)")
  }
}
