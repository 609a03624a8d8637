import Foundation
import TestSupport
import Testing

/// Answers over a topic of ntfy, by the built programs: no port is open for them.
@Suite("Buttons of ntfy")
struct NtfyTests {
  @Test("a press checks the item and updates the notification; taken back, the buttons are there again and work")
  func pressed() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    try await box.addDueItems(["Milk"], "--nag", "30m")
    let daemon = try await box.daemon()
    let rung = try #require(try await phone.rung(["Milk"]).first)
    #expect(rung.labels == ["Done", "Later"])
    #expect(rung.actions?.allSatisfy { $0.action == "http" && $0.headers == nil && $0.clear } == true)
    try await phone.isFollowed()
    try await phone.press("Done", of: rung)
    let answer = try #require(try await box.answers(1, daemon).first)
    #expect(answer["channel"] == .text("ntfy") && answer["action"] == .text("done"))
    #expect(answer["effect"] == .text("done") && answer["item_id"] == .integer(1))
    #expect(try await box.ids("show") == [])
    #expect(try await box.json("pending") == .array([]))
    try await waitUntil("the notification says so; log: \(daemon.log)") {
      let shown = try phone.server.shown(on: NtfyPhone.messages)
      return shown.count == 1 && shown[0].message == "Milk\nChecked 'Milk' ('done' by ntfy)"
        && shown[0].sequenceID == rung.sequenceID && shown[0].labels == []
    }

    try await box.json("take-back", "1")
    var reopened: NtfyServer.Message?
    try await waitUntil("the buttons are there again; log: \(daemon.log)") {
      reopened = try phone.server.shown(on: NtfyPhone.messages).first { $0.labels == ["Done", "Later"] }
      return reopened != nil
    }
    try await phone.press("Done", of: try #require(reopened))
    let again = try await box.answers(2, daemon)
    #expect(again.map { $0["effect"] } == [.text("done"), .text("done")])
    #expect(try await box.ids("show") == [])
    #expect(await daemon.stop().end == .exited(0))
    #expect(!daemon.log.contains("warning"), "\(daemon.log)")
  }

  @Test("a doubled press, and one that comes twice, count once")
  func doubled() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    try await box.addDueItems(["Milk", "Bread"])
    let daemon = try await box.daemon()
    let rung = try await phone.rung(["Milk", "Bread"])
    try await phone.isFollowed()
    try phone.server.fail(line: .message, .duplicate)
    for _ in 0..<3 { try await phone.press("Done", of: rung[0]) }
    try await phone.press("Later", of: rung[1])
    let answers = try await box.answers(2, daemon)
    #expect(answers.map { $0["item_id"] } == [.integer(1), .integer(2)])
    #expect(try await box.ids("show") == [2])
    #expect(try await box.json("pending").elements?.count == 1)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("100 answers of twelve hours in which nothing ran are taken up at the start, each once")
  func outage() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    let texts = (1...100).map { "item \($0)" }
    try await box.addDueItems(texts)
    let first = try await box.daemon()
    let rung = try await phone.rung(texts)
    try await waitUntil("that is kept; log: \(first.log)") {
      try await box.deliveries(of: "phone").filter { $0["state"] == .text("delivered") }.count == 100
    }
    #expect(await first.stop().end == .exited(0))
    for message in rung { try await phone.press("Done", of: message) }
    try phone.server.advance(seconds: 12 * 3_600 - 600)

    let second = try await box.daemon()
    let answers = try await box.answers(100, second)
    #expect(answers.count == 100 && answers.allSatisfy { $0["effect"] == .text("done") })
    #expect(Set(answers.compactMap { $0["item_id"]?.integer }).count == 100)
    #expect(try await box.ids("show") == [])
    try await waitUntil("the notifications say so; log: \(second.log)") {
      let shown = try phone.server.shown(on: NtfyPhone.messages)
      return shown.count == 100 && shown.allSatisfy { $0.labels == [] }
    }
    #expect(await second.stop().end == .exited(0))
    let third = try await box.daemon()
    try await phone.isFollowed()
    #expect(await third.stop().end == .exited(0))
    #expect(try await box.answers(100).count == 100)
    #expect(!(second.log + third.log).contains("warning"), "\(second.log)\(third.log)")
  }

  @Test("a single run takes up what was answered before it rings")
  func once() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    try await box.addDueItems(["Milk", "Bread"], "--nag", "30m")
    #expect(try await box.belfry("run", "--once").isDone)
    try await phone.press("Done", of: try #require(try await phone.rung(["Milk"]).first))
    let outcome = try await box.belfry("run", "--once", options: .at("+40m"))
    #expect(outcome.isDone, "\(outcome)")
    #expect(try await box.answers(1).first?["item_id"] == .integer(1))
    let sent = try phone.server.sent(to: NtfyPhone.messages)
    #expect(sent.filter { $0.itemText == "Bread" }.count == 2)
    #expect(sent.filter { $0.itemText == "Milk" }.map(\.labels) == [["Done", "Later"], []])
  }

  @Test("a daemon takes up what was answered while none ran before it rings")
  func start() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let box = try Sandbox(sinks: [phone.sink()])
    try await box.addDueItems(["Milk", "Bread"], "--nag", "30m")
    #expect(try await box.belfry("run", "--once").isDone)
    try await phone.press("Done", of: try #require(try await phone.rung(["Milk"]).first))
    let daemon = try await box.daemon(at: "+40m")
    func labels(_ text: String) throws -> [[String]] {
      try phone.server.sent(to: NtfyPhone.messages).filter { $0.itemText == text }.map(\.labels)
    }
    try await waitUntil("one rings again, the other says who answered; log: \(daemon.log)") {
      try labels("Bread").count == 2 && labels("Milk").last == []
    }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try labels("Milk") == [["Done", "Later"], []])
  }

  @Test("what no button may do is named as a command, or stands behind the last button")
  func behind() async throws {
    let phone = NtfyPhone(try NtfyServer())
    let actions = """
      actions:
        - { identifier: done, title: Done, do: check }
        - { identifier: drop, title: Drop it, do: delete }

      """
    let web = "web: { listen: 127.0.0.1:0, public_url: \"https://belfry.example.org\" }\n"
    for (more, labels) in [("", ["Done"]), (web, ["Done", "More"])] {
      let box = try Sandbox(sinks: [phone.sink()], more: actions + more)
      let text = "Milk \(labels.count)"
      try await box.addDueItems([text])
      #expect(try await box.belfry("run", "--once").isDone)
      let message = try #require(try await phone.rung([text]).first)
      #expect(message.labels == labels)
      #expect(message.message?.contains(#/Drop it: belfry act [-0-9a-f]{36} drop/#) == more.isEmpty)
      #expect(message.actions?.last?.url?.hasPrefix("https://belfry.example.org/a/") == !more.isEmpty)
    }
  }
}
