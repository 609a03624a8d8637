import Foundation
import Testing

@Suite("Items that programs name by a key")
struct KeyedItemCommandTests {
  private static let programs = 8
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func add(_ text: String, _ more: String..., key: String = "nas") async throws -> JSON {
    let words = [try Programs.belfry, "add", "--json", "--key", key, text] + more
    let outcome = try await box.run(words, RunOptions())
    try #require(outcome.isDone, "\(outcome)")
    return try outcome.json
  }

  @Test("added, changed, unchanged and open again: --json says which, of the same item")
  func effects() async throws {
    let added = try await add("Down", "--due", "2096-12-24 09:00", "--time-zone", "Asia/Tokyo", "--nag", "5m")
    #expect(Shape.item.faults(in: added) == [] && added["key"] == .text("nas"))
    #expect(added["effect"] == .text("added"))
    let same = try await add("Down", "--due", "2096-12-24 09:00", "--nag", "5m")
    #expect(same["effect"] == .text("unchanged") && same["updated_at"] == added["updated_at"])
    let changed = try await add(
      "Still down", "--due", "2096-12-24 10:00", "--nag", "none", "--notes", "two", "-l", "On-call", "--create")
    #expect(changed["effect"] == .text("changed") && changed["id"] == .integer(1))
    #expect(changed["due_date"] == .text("2096-12-24T10:00:00+09:00") && changed["nag"] == .null)
    #expect(changed["list"] == .text("On-call") && changed["notes"] == .text("two"))
    let kept = try await add("Still down")
    #expect(kept["effect"] == .text("unchanged") && kept["list"] == .text("On-call"))

    let checked = try await box.json("check", "--key", "nas")
    #expect(checked.elements?.map { $0["is_checked"] } == [.bool(true)])
    #expect(try await box.json("check", "--key", "nas") == checked)
    #expect(try await box.json("pending") == .array([]))
    let opened = try await add("Down again", "--due", "2096-12-25 09:00")
    #expect(opened["effect"] == .text("opened") && opened["id"] == .integer(1))
    #expect(opened["is_checked"] == .bool(false) && opened["checked_at"] == .null)
    #expect(opened["next_fire_date"] == .text("2096-12-25T09:00:00+09:00"))
    #expect(try await box.belfry("undo").isDone)
    #expect(try await box.ids("show", "--checked") == [1])
  }

  @Test("messages say which, and what is without a key has no effect to tell")
  func words() async throws {
    for verb in ["Added", "Unchanged"] {
      let outcome = try await box.belfry("add", "--key", "nas", "Down", "--due", "2096-12-24 09:00")
      #expect(outcome.isDone && outcome.messages.hasPrefix("\(verb) 1 (Inbox): Down\n"), "\(outcome)")
      #expect(outcome.messages.contains("rings Mon 24 Dec 2096 09:00"), "\(outcome)")
    }
    try await box.belfry("check", "--key", "nas").requireDone()
    let opened = try await box.belfry("add", "--key", "nas", "Down", "--due", "2096-12-24 09:00")
    #expect(opened.messages.hasPrefix("Opened again 1 (Inbox): Down\n"), "\(opened)")
    #expect(try await box.json("add", "Milk")["effect"] == nil)
  }

  @Test("the text may come from standard input, of one item")
  func standardInput() async throws {
    let one = try await box.belfry("add", "--key", "nas", "-", options: .input("-l is a text\n"))
    #expect(one.isDone && one.messages.contains("Added 1 (Inbox): -l is a text"), "\(one)")
    let two = try await box.belfry("add", "--key", "nas", "-", options: .input("One\nTwo\n"))
    #expect(two.status == 64 && two.messages.contains("there are 2"), "\(two)")
    #expect(two.messages.contains("once for each"), "\(two)")
    #expect(try await box.ids("show") == [1])
  }

  @Test("what cannot be is refused, and changes nothing")
  func refusals() async throws {
    _ = try await add("Down")
    let before = try await box.json("show", "--all")
    let long = String(repeating: "x", count: 201)
    for (words, status, says) in [
      (["add", "--key", "", "Other"], 65, "the key is empty"),
      (["add", "--key", "a\nb", "Other"], 65, "a key is one line"),
      (["add", "--key", long, "Other"], 65, "200"), (["check", "--key", long], 65, "200"),
      (["add", "--key", "nas"], 64, "text"), (["add", "--key", "nas", "Other", "-l", "Inbux"], 66, "'Inbox'"),
      (["add", "--key", "nas", "Other", "--due", "whenever"], 64, "whenever"),
      (["check", "--key", "router"], 66, "'router'"), (["check", "--key", "nas", "1"], 64, "--key"),
      (["check"], 64, "--key"),
    ] as [([String], Int32, String)] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.messages.lowercased().contains(says.lowercased()), "\(outcome)")
    }
    #expect(try await box.json("show", "--all") == before)
  }

  @Test("programs that add the same key at once make one item, in every store", arguments: ["sqlite", "json", "plist"])
  func race(store: String) async throws {
    let box = try Sandbox(
      config: "store: { type: \(store), path: store.\(store) }\nsinks: { out: { type: stdout, format: json } }")
    for round in 1...5 {
      let effects = try await withThrowingTaskGroup(of: JSON?.self) { group in
        for number in 1...Self.programs {
          group.addTask {
            try await box.json("add", "--key", "round \(round)", "By \(number)", "--due", "in 1 minute")["effect"]
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(effects.count { $0 == .text("added") } == 1, "\(effects)")
      #expect(effects.allSatisfy { $0 == .text("added") || $0 == .text("changed") }, "\(effects)")
    }
    #expect(try await box.ids("show", "--all").sorted() == [1, 2, 3, 4, 5])
    #expect(try await box.json("pending").elements?.count == 5)
    #expect(try await box.belfry("store", "check").isDone)
  }

  @Test("the shells complete the keys of open items")
  func completion() async throws {
    for key in ["nas", "router"] { _ = try await add("Down", key: key) }
    try await box.belfry("add", "Milk").requireDone()
    try await box.belfry("check", "--key", "router").requireDone()
    var options = RunOptions()
    options.environment["SAP_SHELL"] = "fish"
    let words = ["---completion", "check", "--", "--key", "3", "0", "belfry", "check", "--key", ""]
    let offered = try await box.run([Programs.belfry] + words, options)
    #expect(offered.isDone && offered.output.split(separator: "\n") == ["nas\tDown"], "\(offered)")
  }
}
