import Foundation
import TestSupport
import Testing

/// Programs that open the links of messages before a person does.
@Suite("Mail scanners, link previews and robots")
struct ScannerTests {
  @Test("the messages of every channel carry links, to one page for each reminder and one for each action")
  func links() async throws {
    let reminders = try await ScannedReminders()
    let found = reminders.linksByChannel
    #expect(
      found.mapValues(\.count) == [
        "standard": 3, "slack": 3, "discord": 3, "ntfy": 9, "text/plain": 3, "text/html": 15,
      ])
    let all = reminders.links
    #expect(all.count == 15 && all.allSatisfy { $0.hasPrefix("\(reminders.face.url)/a/") }, "\(all)")
  }

  @Test("looking changes nothing, and fetching ahead neither")
  func looking() async throws {
    let reminders = try await ScannedReminders()
    let (told, changed) = try await reminders.changes(by: .requests)
    #expect(changed == [])
    let shown = told.filter { $0["method"] != .text("OPTIONS") }
    #expect(told.count == 15 * 8 && shown.count == 15 * 6)
    #expect(shown.allSatisfy { $0["status"] == .integer(200) }, "\(shown)")
  }

  @Test("a browser that runs scripts for ten minutes changes nothing")
  func browser() async throws {
    let reminders = try await ScannedReminders()
    let (told, changed) = try await reminders.changes(by: .browser)
    #expect(changed == [])
    #expect(told.count == 15)
    for page in told {
      #expect(page["seconds"]?.integer ?? 0 >= 600, "\(page)")
      #expect(page["text"]?.text?.contains("This link works until") == true, "\(page)")
    }
  }

  @Test("a robot that presses every control leaves nothing behind, and destroys nothing", arguments: LinkScanner.robots)
  func robot(robot: LinkScanner) async throws {
    let reminders = try await ScannedReminders()
    let before = try await reminders.lasting()
    let (told, _) = try await reminders.changes(by: robot)
    let after = try await reminders.lasting()
    #expect(after == before)
    let done = try #require(try await reminders.box.json("answers").elements).filter { $0["effect"] == .text("done") }
    #expect(done.allSatisfy { [.text("done"), .text("later")].contains($0["action"]) }, "\(done)")
    let labels = Set(told.compactMap { $0["label"]?.text })
    #expect(labels.isSuperset(of: ["Done", "Later", "Pay", "Throw away", "Take it back"]), "\(labels)")
    #expect(told.contains { $0["status"] == .integer(429) })
  }

  @Test(
    "these tests notice pages that act by themselves, a server that acts when somebody looks, and no decoy",
    arguments: [
      ("script", .browser), ("get", .requests), ("get", .browser), ("trusting", .robot("document")),
    ] as [(String, LinkScanner)])
  func control(manner: String, scanner: LinkScanner) async throws {
    let reminders = try await ScannedReminders()
    let before = try await reminders.lasting()
    let words = [Programs.python, "-B", Programs.fixture("acting_server.py"), manner, reminders.face.url]
    let box = reminders.box
    let server = try box.start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("port")), messages: .writing(box.path("server.log"))))
    try await waitUntil("the server listens") { !box.lines("port").isEmpty || !server.isRunning }
    let base = "http://127.0.0.1:\(try #require(box.lines("port").first, "\(box.text("server.log"))"))"
    let (_, changed) = try await reminders.changes(by: scanner, through: base)
    #expect(!changed.isEmpty)
    #expect(try await reminders.lasting() != before)
  }

  @Test("a family behind one address answers fifty times a second, and nobody has to wait")
  func family() async throws {
    let box = try Sandbox()
    let server = try HTTPCollector()
    let face = try await box.linkedWebFace(
      "store: { type: sqlite, path: store.sqlite }\nsinks: { hook: { type: webhook, url: \"\(server.url)\" } }")
    let texts = (1...200).map { "Item \($0)" }
    try await box.addDueItems(texts)
    #expect(try await box.belfry("run", "--once").isDone)
    let links = try server.received().flatMap { request in
      let actions = try JSON(request.text)["data"]?["actions"]?.elements ?? []
      return actions.filter { $0["identifier"] == .text("done") }.compactMap { $0["token"]?.text }
    }.map { "\(face.url)/a/\($0)" }
    #expect(links.count == 200)
    let told = try await box.fixture("family.py", ["50"] + links)
    #expect(told == [.object(["GET 200": .integer(200), "POST 200": .integer(200)])])
    #expect(try await box.ids("show") == [])
  }
}
