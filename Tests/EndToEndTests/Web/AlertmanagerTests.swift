import Foundation
import TestSupport
import Testing

/// Alerts on their way to the people on call, by the very config and script of the recipe.
@Suite("The recipe for Alertmanager")
struct AlertmanagerTests {
  private static let alert = #""labels":{"alertname":"HighLoad"},"annotations":{"summary":"CPU is\nat 99 %"}"#

  private let box: Sandbox
  private let phones: NtfyServer

  init() async throws {
    box = try Sandbox(config: nil)
    phones = try NtfyServer()
    try box.write(Data(contentsOf: Checkout.file("Config/recipes/alertmanager.yaml")), to: "belfry.yaml")
    for name in ["anna", "anna-reply", "ben", "ben-reply"] {
      try box.write("\(phones.url)/\(name)\n", to: "\(name)-url")
      chmod(box.path("\(name)-url"), 0o600)
    }
    try box.write("", to: "clock")
    let belfry = "#!/bin/sh\n. '\(box.path("clock"))'\nexec \(Programs.env) '\(try Programs.belfry)' \"$@\"\n"
    try await box.install(belfry, as: "bin/belfry")
  }

  /// Starts the script, and returns the URL at which it listens.
  private func receiver() async throws -> String {
    let script = Checkout.file("Config/recipes/alertmanager.py").path
    let path = "\(box.path("bin")):\(Sandbox.searchPath)"
    // Another program may take the port before the script does.
    for _ in 1...4 {
      let port = "\(try ServerProcess.freePort())"
      let process = try box.start(
        bytes: [Programs.python, "-B", script, port].map { Array($0.utf8) },
        RunOptions(messages: .writing(box.path("receiver")), environment: ["PATH": path]))
      let url = "http://127.0.0.1:\(port)"
      try await waitUntil("the script listens: \(box.text("receiver"))") {
        try await box.run(["/usr/bin/curl", "-s", url], RunOptions()).isDone || !process.isRunning
      }
      if process.isRunning { return url }
    }
    throw Missing(what: "a free port", remedy: "end what takes them: \(box.text("receiver"))")
  }

  /// Posts a JSON document, and returns the status of the reply.
  private func post(_ body: String, to url: String) async throws -> String {
    let words = ["/usr/bin/curl", "-s", "-o", "reply", "-w", "%{http_code}", "-H", "Content-Type: application/json"]
    let outcome = try await box.run(words + ["--data-binary", "@-", url], .input(body))
    try #require(outcome.isDone, "\(outcome)")
    return outcome.output
  }

  /// Waits until Alertmanager has posted a few times more, each time with success.
  private func waitForPosts() async throws {
    var posts: [String] { box.lines("receiver").filter { $0.contains("\"POST / ") } }
    let count = posts.count
    try await waitUntil("it posts again: \(box.text("receiver"))") { posts.count >= count + 3 }
    #expect(posts.allSatisfy { $0.hasSuffix(" 200 -") }, "\(posts)")
  }

  /// Rings what is due so much later, and returns how often each phone has rung so far.
  private func ring(_ clock: String) async throws -> [Int] {
    try await box.belfry("run", "--once", options: .at(clock)).requireDone()
    return try ["anna", "ben"].map { try phones.sent(to: $0).count { !$0.labels.isEmpty } }
  }

  @Test("what fires escalates, however often it is posted; resolved it ends, and firing again it rings anew")
  func fires() async throws {
    let manager = try AlertmanagerServer(postingTo: try await receiver())
    #expect(try await post("[{\(Self.alert)}]", to: manager.url) == "200")
    var items: [JSON] = []
    try await waitUntil("the alert is an item: \(box.text("receiver"))") {
      items = try await box.json("show").elements ?? []
      return !items.isEmpty
    }
    try await waitForPosts()
    let item = try #require(items.first)
    #expect(try await box.json("show").elements?.map { $0["updated_at"] } == [item["updated_at"]])
    #expect(item["text"] == .text("Alert HighLoad: CPU is at 99 %") && item["list"] == .text("On-call"))
    #expect(item["key"]?.text?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    #expect(try await ring("+2m") == [1, 0])
    try await waitForPosts()
    #expect(try await ring("+9m") == [1, 1])
    try await waitForPosts()
    #expect(try await box.json("pending").elements?.count == 1)

    let end = Date(timeIntervalSinceNow: -1).formatted(.iso8601)
    let resolved = "[{\(Self.alert),\"startsAt\":\"2026-01-01T00:00:00Z\",\"endsAt\":\"\(end)\"}]"
    #expect(try await post(resolved, to: manager.url) == "200")
    try await waitUntil("it is checked: \(box.text("receiver"))") { try await box.ids("show", "--checked") == [1] }
    #expect(try await box.json("pending") == .array([]))
    #expect(try await ring("+40m") == [1, 1])

    let clock = try FakeClock.environment("+1h").map { "export \($0.key)='\($0.value)'\n" }.joined()
    try box.write(clock, to: "clock")
    #expect(try await post("[{\(Self.alert)}]", to: manager.url) == "200")
    try await waitUntil("the item is open again: \(box.text("receiver"))") { try await box.ids("show") == [1] }
    #expect(try await ring("+62m") == [2, 1])
  }

  @Test("texts of any kind are taken, an unknown alert is resolved already, and what failed is asked for again")
  func posted() async throws {
    let url = try await receiver()
    func alert(_ status: String, _ fingerprint: String, _ name: String, _ annotations: String = "{}") -> String {
      #"{"alerts":[{"status":"\#(status)","labels":{"alertname":"\#(name)"},"annotations":\#(annotations),"#
        + #""fingerprint":"\#(fingerprint)"}]}"#
    }
    for (number, name) in ["-", "", #"a\u0000b\u001b[31m\ud800"#, "$(touch pwned)", "{{ x }}"].enumerated() {
      let annotations = #"{"summary":"\#(name) \#(String(repeating: "long ", count: 2_000))"}"#
      #expect(try await post(alert("firing", "\(number)", name, annotations), to: url) == "200", "\(name)")
      #expect(try await post(alert("firing", "\(number)", name), to: url) == "200", "\(name)")
    }
    #expect(try await box.ids("show") == [1, 2, 3, 4, 5])
    #expect(!box.files().contains("pwned"))
    #expect(try await post(alert("resolved", "9", "Other"), to: url) == "200")
    #expect(try await post(alert("resolved", "0", "-"), to: url) == "200")
    #expect(try await box.ids("show", "--checked") == [1])
    let config = box.text("belfry.yaml")
    try box.write("sinks: [", to: "belfry.yaml")
    for status in ["firing", "resolved"] {
      #expect(try await post(alert(status, "1", "Again"), to: url) == "500", "\(status)")
    }
    try box.write(config, to: "belfry.yaml")
    #expect(try await post(alert("resolved", "1", "Again"), to: url) == "200")
    #expect(try await box.ids("show") == [3, 4, 5])
  }

  @Test("Alertmanager accepts the config that the page shows for it")
  func alertmanagerConfig() async throws {
    let blocks = try Documentation.blocks("yaml", of: "\(Documentation.catalog)/Recipes.md")
    let block = try #require(blocks.first { $0.contains { $0.contains("webhook_configs") } })
    try box.write(block.joined(separator: "\n") + "\n", to: "alertmanager.yml")
    let checked = try await box.run(["/usr/bin/amtool", "check-config", "alertmanager.yml"], RunOptions())
    #expect(checked.isDone && checked.output.contains("1 receivers"), "\(checked)")
  }
}
