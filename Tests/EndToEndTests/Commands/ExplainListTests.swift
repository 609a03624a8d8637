import Foundation
import Testing

@Suite("belfry explain -l")
struct ExplainListTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private func explain(_ words: String...) async throws -> Outcome {
    try await box.run([Programs.belfry, "explain"] + words, RunOptions(clock: "2026-11-21 08:00:00"))
  }

  @Test("the list's own reminder is explained, as text and as JSON")
  func list() async throws {
    let clock = RunOptions(clock: "2026-11-21 08:00:00")
    for words in [
      ["add", "Milk", "-l", "Groceries", "--create"],
      ["list", "remind", "Groceries", "--at", "10:00", "--message", "Shop", "--repeat", "weekly"],
    ] {
      #expect(try await box.run([Programs.belfry] + words, clock).isDone)
    }
    let text = try await explain("-l", "groceries")
    #expect(text.isDone && text.output.hasPrefix("The list 'Groceries': Shop\nIt will ring Sat 21 Nov 2026 10:00 "))
    #expect(text.output.contains("  repeats weekly") && text.output.contains("  1 of 1 item open"), "\(text)")
    let json = try await explain("-l", "Groceries", "--json")
    #expect(json.isDone && json.output.contains("\"item\":null") && json.output.contains("\"name\":\"Groceries\""))
  }

  @Test("a list that does not exist, none, and both a list and an item are refused")
  func refused() async throws {
    #expect(try await explain("-l", "Nowhere").status == 66)
    #expect(try await explain().status == 64)
    #expect(try await explain("1", "-l", "Inbox").status == 64)
  }
}
