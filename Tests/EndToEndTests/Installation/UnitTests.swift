import Foundation
import Testing
import TestSupport

@Suite("The systemd units")
struct UnitTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Checkout.file("Config/systemd/\(name)"), encoding: .utf8)
  }

  private static let units = ["belfry.service", "belfry-web.service", "belfry-web.socket"]

  /// A sandbox with the units of a folder, as by `make install`.
  private func sandbox(_ folder: String = "") throws -> Sandbox {
    let box = try Sandbox(config: nil)
    try FileManager.default.createDirectory(atPath: box.path("home/runtime"), withIntermediateDirectories: true)
    for name in Self.units {
      try box.write(try Self.text(folder + name).replacing("@bindir@", with: Programs.folder.path), to: name)
    }
    return box
  }

  @Test("systemd finds nothing to say against them", arguments: [("", "--system"), ("user/", "--user")])
  func verify(folder: String, manager: String) async throws {
    let box = try sandbox(folder)
    let outcome = try await box.run(
      ["/usr/bin/systemd-analyze", manager, "verify", "--man=no"] + Self.units, RunOptions())
    #expect(outcome.isDone && outcome.messages.isEmpty, "\(outcome)")
  }

  @Test(
    "the system's units leave an exposure of 1.2 of 10 at most", arguments: ["belfry.service", "belfry-web.service"])
  func exposure(name: String) async throws {
    let box = try sandbox()
    let outcome = try await box.run(
      ["/usr/bin/systemd-analyze", "security", "--offline=true", "--threshold=12", "--no-pager", name], RunOptions())
    #expect(outcome.isDone, "\(outcome.output.suffix(200)) \(outcome.messages)")
  }

  @Test("the daemon lives on the system calls that its unit leaves it")
  func systemCalls() async throws {
    let box = try Sandbox(
      sinks: [
        "out: { type: stdout }", "hook: { type: webhook, url: \"http://localhost:9/\" }",
        Sandbox.mailSink("smtp://localhost:9"),
      ], more: "metrics: { file: belfry.prom }\n")
    try await box.addDueItems(["Milk"])
    let words = ["/usr/bin/strace", "-f", "-o", box.path("calls"), "-e", "trace=all", "-e", "signal=none"]
    var options = RunOptions()
    options.prefix = words
    let outcome = try await box.run([Programs.belfryd, "--once"], options)
    #expect(outcome.status == 75, "\(outcome)")
    let calls = Set(box.lines("calls").compactMap(Self.call))
    #expect(calls.isSuperset(of: ["connect", "timerfd_settime", "fsync"]), "\(calls)")
    try await expectAllowed(calls, by: "belfry.service", box)
  }

  @Test("the web face lives on the system calls that its unit leaves it")
  func systemCallsOfWeb() async throws {
    let box = try Sandbox(config: Sandbox.defaultConfig + "web: { listen: 127.0.0.1:0 }\n")
    var options = RunOptions()
    // The tracer is the program's child here, so that signals reach the program.
    options.prefix = ["/usr/bin/strace", "-D", "-f", "-o", box.path("calls"), "-e", "trace=all", "-e", "signal=none"]
    let face = try await box.webFace([], options)
    let reply = try await box.shell("curl -sS '\(face.url)/readyz' '\(face.url)/'")
    #expect(reply.output.hasPrefix("ready\n") && reply.output.contains("sign in first"), "\(reply)")
    #expect(await face.stop() == .exited(0))
    try await waitUntil("all calls are written") { box.lines("calls").last?.hasSuffix("+++ exited with 0 +++") == true }
    let calls = Set(box.lines("calls").compactMap(Self.call))
    #expect(calls.isSuperset(of: ["listen", "accept4", "epoll_wait"]), "\(calls)")
    try await expectAllowed(calls, by: "belfry-web.service", box)
  }

  private func expectAllowed(_ calls: Set<String>, by unit: String, _ box: Sandbox) async throws {
    let allowed = try await Self.allowed(by: unit, box)
    // Only root calls fchown, to keep a file's owner.
    let left = calls.subtracting(allowed).subtracting(["fchown"])
    #expect(left.isEmpty, "the unit's SystemCallFilter refuses \(left.sorted())")
  }

  // `1234 connect(3, …` and `1234 <... connect resumed>…`.
  private static func call(_ line: String) -> String? {
    let rest = line.drop { $0.isNumber || $0 == " " }
    guard let end = rest.firstIndex(of: "("), rest[..<end].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else {
      return nil
    }
    return String(rest[..<end])
  }

  /// The system calls that the filter of a system unit allows.
  private static func allowed(by unit: String, _ box: Sandbox) async throws -> Set<String> {
    var allowed = try await group("@default", box)
    for line in try text(unit).split(separator: "\n") where line.hasPrefix("SystemCallFilter=") {
      let value = line.dropFirst("SystemCallFilter=".count)
      for word in value.drop(while: { $0 == "~" }).split(separator: " ") {
        let calls = try await group(String(word), box)
        if value.hasPrefix("~") { allowed.subtract(calls) } else { allowed.formUnion(calls) }
      }
    }
    return allowed
  }

  private static func group(_ name: String, _ box: Sandbox) async throws -> Set<String> {
    guard name.hasPrefix("@") else { return [name] }
    let outcome = try await box.run(["/usr/bin/systemd-analyze", "syscall-filter", name], RunOptions())
    try #require(outcome.isDone, "\(outcome)")
    var calls: Set<String> = []
    for line in outcome.output.split(separator: "\n").dropFirst() {
      let word = line.trimmingCharacters(in: .whitespaces)
      if word.hasPrefix("@") {
        calls.formUnion(try await group(word, box))
      } else if !word.hasPrefix("#") {
        calls.insert(word)
      }
    }
    return calls
  }

  @Test("a secret that systemd hands over is read where it says")
  func credential() async throws {
    let box = try Sandbox(sinks: ["hook: { type: webhook, url_credential: hook-url }"])
    try FileManager.default.createDirectory(atPath: box.path("credentials"), withIntermediateDirectories: true)
    try box.write("http://localhost:9/\n", to: "credentials/hook-url")
    var options = RunOptions()
    options.environment["CREDENTIALS_DIRECTORY"] = box.path("credentials")
    let outcome = try await box.belfry("sinks", "test", "hook", options: options)
    #expect(outcome.status == 69 && outcome.messages.contains("onnect"), "\(outcome)")
  }
}
