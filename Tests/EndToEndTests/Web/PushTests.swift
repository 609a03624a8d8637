import Foundation
import Testing

@Suite("Notifications of a browser")
struct PushTests {
  private static let config = """
    store: { type: sqlite, path: store.sqlite }

    """

  @Test("due, pushed, shown, pressed, on disk, told to another browser, taken back; one that is gone is ended")
  func whole() async throws {
    let box = try Sandbox(config: Self.config)
    try await box.addDueItems(["Milk"], "-l", "Groceries", "--create")
    let told = try await box.fixture(
      "push.py",
      [try Programs.belfry, try Programs.belfryWeb, box.path("belfry.yaml")], by: "python3")
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let shown = { (step: String) in steps[step]?["notifications"]?.elements ?? [] }
    let sent = { (step: String) in steps[step]?["sent"]?.elements ?? [] }

    let subscribed = steps["subscribed"]?["text"]?.text ?? ""
    #expect(subscribed.contains("Chrome on Linux") && subscribed.contains("Chrome on Linux 2"), "\(subscribed)")
    let tested = steps["tested"]
    #expect(tested?["status"] == .integer(0), "\(told)")
    #expect(tested?["said"]?.text?.contains("'later' came back over a link.") == true, "\(told)")
    #expect(shown("tested").map { $0["text"] } == [.text("Later.")])
    #expect(sent("rung").count == 2 && steps["rung"]?["status"] == .integer(0), "\(told)")
    let first = try #require(shown("shown").first)
    #expect(shown("shown").count == 1 && first["title"] == .text("Milk") && first["silent"] == .bool(false))
    #expect(first["text"]?.text?.hasPrefix("Groceries · ") == true)
    #expect(first["actions"]?.elements == [.text("Done"), .text("Later")])

    #expect(shown("shown on the other") == shown("shown"))

    let pressed = try #require(shown("pressed").first)
    #expect(shown("pressed").count == 1 && pressed["text"] == .text("Done.") && pressed["tag"] == first["tag"])
    #expect(pressed["actions"]?.elements == [.text("Undo")])
    let answer = try #require(steps["pressed"]?["answers"]?.elements?.first)
    #expect(answer["effect"] == .text("done") && answer["channel"] == .text("link"))

    // The badge counts the overdue item until it was done, and again once that was taken back.
    #expect(["shown", "pressed", "undone"].map { steps[$0]?["badge"] } == [.integer(1), .integer(0), .integer(1)])
    let others = ["shown on the other", "closed on the other", "open again on the other"]
    #expect(others.map { steps[$0]?["badge"] } == [.integer(1), .integer(0), .integer(1)])

    #expect(sent("told").count == 2)
    #expect(sent("told").allSatisfy { $0["message"]?["silent"] == .bool(true) && $0["topic"] == first["tag"] })
    // Who pressed still sees that, with the way back.
    #expect(shown("told").map { $0["actions"]?.elements } == [[.text("Undo")]])
    // An open page shows what was answered in the other browser.
    #expect(shown("closed on the other").isEmpty)
    #expect(shown("undone").count == 1)
    #expect(steps["undone"]?["answers"]?.elements?.first?["taken_back_at"]?.text != nil)
    for step in ["open again", "open again on the other"] {
      #expect(shown(step).map { $0["actions"]?.elements } == [[.text("Done"), .text("Later")]])
    }

    let titles = Set(shown("at once").compactMap { $0["title"]?.text })
    #expect(titles == Set(["Milk"] + (0..<20).map(String.init)), "\(titles.sorted())")

    #expect(sent("gone").count == 1)
    let page = steps["gone"]?["text"]?.text ?? ""
    #expect(page.contains("Chrome on Linux") && !page.contains("Chrome on Linux 2"), "\(page)")
    #expect(shown("checked").map { $0["silent"] } == [.bool(true)])
    #expect(steps["ended"]?["text"]?.text?.contains("No browser has subscribed.") == true)

    let deliveries = try await box.belfry("deliveries", "--json").output
    let said = [steps["gone"]?["log"]?.text, tested?["said"]?.text].compactMap(\.self).joined()
    let logs = box.text("web-log") + said + deliveries
    #expect(!logs.contains("t0ken"), "\(logs)")
    let tokens = ["tested", "rung"].flatMap(sent).compactMap {
      $0["message"]?["actions"]?.elements?.first?["token"]?.text
    }
    #expect(tokens.count == 3 && tokens.allSatisfy { !logs.contains($0) })
  }
}
