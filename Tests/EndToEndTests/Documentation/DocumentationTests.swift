import Foundation
import Testing
import TestSupport

@Suite("The documentation")
struct DocumentationTests {
  /// Commands that cannot run as written, with replacements.
  private static let standIns = [
    // It would run until Ctrl-C, so the test sends that.
    "belfry run": """
    set -m; belfry run 2>log & while kill -0 $! && ! grep -q started log; do sleep 0.1; done; kill -INT $!; wait $!
    """,
    "belfry web --open": """
    set -m; belfry web --open 2>log & while kill -0 $! && ! grep -q listening log; do sleep 0.1; done; kill -INT $!; wait $!
    """,
  ]
  /// Commands with an exit status other than 0, as the page says.
  private static let statuses: [String: Int32] = [
    // No daemon runs in the test's home.
    "belfry service status": 69
  ]

  /// A home folder with the files that the page names, and servers to send to.
  private func home(_ web: HTTPCollector, _ mail: SMTPSink) async throws -> Sandbox {
    let box = try Sandbox(config: nil)
    let samples = Checkout.file("Config/samples")
    try FileManager.default.createDirectory(atPath: box.path("home/config/belfry"), withIntermediateDirectories: true)
    try box.write(Data(contentsOf: samples.appendingPathComponent("Checklists.plist")), to: "Checklists.plist")
    try box.write(
      """
      sinks:
        terminal: { type: stdout }
        mail: { type: email, url: "\(mail.url)", tls: none, from: belfry@example.org, to: [me@example.org] }
        phone: { type: webhook, url: "\(web.url)" }
      people: { anna: { sinks: [terminal] } }
      """, to: "home/config/belfry/config.yaml")
    chmod(box.path("home/config/belfry/config.yaml"), 0o600)
    try box.write("store: { type: json, path: other.json }\n", to: "other.yaml")
    try await box.install("#!/bin/sh\nexec '\(try Programs.belfry)' \"$@\"\n", as: "bin/belfry")
    try await box.install("#!/bin/sh\necho 'Nov 21 09:00:00 host belfryd[1]: info: started'\n", as: "bin/journalctl")
    return box
  }

  @Test("every command that a page shows does what it says, one after the other", arguments: Documentation.pages)
  func commands(page: String) async throws {
    let (web, mail) = (try HTTPCollector(), try SMTPSink())
    let box = try await home(web, mail)
    var options = RunOptions()
    options.prefix = [Programs.env, "-u", "BELFRY_CONFIG"]
    options.environment = ["PATH": "\(box.path("bin")):\(Sandbox.searchPath)", "EDITOR": "true"]
    let lines = try Documentation.blocks("sh", of: page).joined().filter { $0.hasPrefix("belfry ") }
    try #require(lines.count > 4)
    for line in lines {
      let command = String(line.split(separator: "#")[0]).trimmingCharacters(in: .whitespaces)
      let outcome = try await box.shell(Self.standIns[command] ?? line, options: options)
      #expect(outcome.status == Self.statuses[command] ?? 0, "\(line): \(outcome)")
    }
  }

  @Test(
    "every other command that is shown installs the package or is one that make knows", arguments: Documentation.pages)
  func targets(page: String) throws {
    let makefile = try Checkout.text("Makefile").split(separator: "\n")
    let requests = Set(try Documentation.requests(of: page))
    for line in try Documentation.blocks("sh", of: page).joined() where !line.hasPrefix("belfry ") && !line.isEmpty {
      if requests.contains(line) { continue }
      if line.hasPrefix("sudo apt install ./belfry_*.deb") { continue }
      let words = line.split(separator: " ")
      try #require(words.count > 1 && words[0] == "make", "no test runs '\(line)'")
      #expect(makefile.contains { $0.hasPrefix("\(words[1]):") }, "\(line)")
    }
  }

  @Test("every command that the prose names exists, with its options", arguments: Documentation.pages)
  func inlineCommands(page: String) async throws {
    let box = try Sandbox()
    let tree = try CommandTree(dump: try await box.belfry("--experimental-dump-help").output)
    let commands = try Documentation.inlineCommands(of: page)
    #expect(commands.count > 1)
    for command in commands { #expect(tree.fault(of: command) == nil, "\(command)") }
    #expect(tree.fault(of: "belfry deliverys") != nil && tree.fault(of: "belfry show --owerdue") != nil)
  }

  @Test("every relative link of a page leads to a file")
  func links() throws {
    let pages = try Documentation.allPages()
    let links = try pages.map { try (page: $0, paths: Documentation.relativeLinks(of: $0)) }
    #expect(links.count { !$0.paths.isEmpty } > 1)
    for (page, paths) in links {
      let folder = Checkout.file(page).deletingLastPathComponent()
      for path in paths {
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: path).path), "\(page): \(path)")
      }
    }
  }

  @Test("every config that a page shows is in order")
  func configs() async throws {
    let box = try Sandbox()
    for page in Documentation.pages {
      for block in try Documentation.blocks("yaml", of: page) where block.contains(where: { $0.hasPrefix("sinks:") }) {
        let shown = block.joined(separator: "\n") + "\n"
        try box.write(shown, to: "shown.yaml")
        try box.writeSecrets(of: shown)
        let outcome = try await box.belfry("config", "check", "shown.yaml")
        #expect(outcome.isDone && Sandbox.lines(ofCheck: outcome).count == 1, "\(page): \(outcome)")
      }
    }
  }

  @Test("every recipe is in order, and the page shows it as it is")
  func recipes() async throws {
    let folder = Checkout.file("Config/recipes")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(
      Set(names).isSuperset(
        of: ["gmail", "fastmail", "slack", "discord", "ntfy", "ntfy-buttons", "home-assistant", "cron", "nas"]
          .map { "\($0).yaml" }))
    let page = "\(Documentation.catalog)/Recipes.md"
    let text = try Checkout.text(page)
    let blocks = try ["yaml", "py", "nginx", "caddy"].flatMap { try Documentation.blocks($0, of: page) }
      .map { block in block.filter { !$0.isEmpty } }
    let box = try Sandbox()
    for name in names {
      let path = folder.appendingPathComponent(name).path
      if name.hasSuffix(".yaml") {
        let recipe = try String(contentsOfFile: path, encoding: .utf8)
        try box.write(recipe, to: name)
        try box.writeSecrets(of: recipe)
        let outcome = try await box.belfry("config", "check", name)
        #expect(outcome.isDone && Sandbox.lines(ofCheck: outcome).count == 1, "\(outcome)")
      }
      #expect(text.contains("`\(name)`"), "\(page) does not name \(name)")
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      let content = Array(lines.drop { $0.hasPrefix("#") })
      #expect(blocks.contains(content), "\(page) does not show \(name) as it is")
    }
  }

  @Test("the config reference is what the plug-ins declare")
  func reference() async throws {
    let box = try Sandbox()
    let printed = try await box.belfry("manual", "ConfigReference.md")
    let kept = try Checkout.text("\(Documentation.catalog)/ConfigReference.md")
    #expect(printed.output == kept, "run: make docs")
  }
}
