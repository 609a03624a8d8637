import Foundation
import Testing

@Suite("Notifications of a browser while everything is killed")
struct PushKillTests {
  private static let config = """
    store: { type: sqlite, path: store.sqlite }
    actions:
      - { identifier: done, title: Done, do: check }

    """

  @Test("nothing is missing, a repeat has the same identity, and each press has one effect and one reply")
  func killed() async throws {
    let box = try Sandbox(config: Self.config)
    let texts = Set((1...150).map { "Item \($0)" })
    try await box.addDueItems(texts.sorted(), "-l", "Groceries", "--create")
    let seed = "815"
    let lines = try await box.fixture(
      "push_kills.py", [try Programs.belfry, box.path("belfry.yaml"), seed], by: "python3")
    let steps = Dictionary(grouping: lines) { $0["step"]?.text ?? "" }

    let sent = steps["sent"] ?? []
    let rung = sent.filter { $0["message"]?["isOver"] == nil }
    let byTitle = Dictionary(grouping: rung) { $0["message"]?["title"]?.text ?? "" }
    #expect(Set(byTitle.keys) == texts, "missing: \(texts.subtracting(byTitle.keys))")
    let kills = try #require(steps["rung"]?.first?["kills"]?.integer)
    #expect(kills >= 3, "the test has to meet kills")
    for (title, copies) in byTitle {
      #expect(Set(copies.map { $0["topic"]?.text }).count == 1, "\(title): \(copies.map { $0["topic"] })")
      #expect(Set(copies.map { $0["message"]?["actions"]?.elements?.first?["token"]?.text }).count == 1, "\(title)")
    }
    #expect(Set(rung.map { $0["topic"]?.text }).count == texts.count)
    // A failure of the service repeats, and a kill what was not on disk: twice the two attempts at once.
    let faults = rung.count / 10
    #expect(rung.count - texts.count <= Int(kills) * 4 + faults, "\(rung.count) for \(texts.count), \(kills) kills")

    let pressed = steps["pressed"] ?? []
    #expect(pressed.count == 20 && pressed.allSatisfy { $0["status"] == .integer(0) })
    for press in pressed {
      let replies = press["replies"]?.elements ?? []
      #expect(replies.count == 2 && replies[0] == replies[1], "\(press)")
      #expect(replies.first?["effect"] == .text("done"), "\(press)")
    }
    #expect(try #require(steps["told"]?.first?["kills"]?.integer) >= 3)
    let answers = try #require(try await box.json("answers").elements)
    #expect(answers.count == 20 && Set(answers.map { $0["text"]?.text }).count == 20)
    let over = Set(sent.filter { $0["message"]?["isOver"] == .bool(true) }.map { $0["message"]?["title"]?.text })
    #expect(over == Set(pressed.map { $0["title"]?.text }))
    #expect(try await box.deliveries(of: "phone").allSatisfy { $0["state"] == .text("delivered") })
    #expect(try await box.belfry("store", "check").isDone)
  }
}
