import BelfryTestKit
import Foundation
import Testing

@Suite("Many programs, one store")
struct WritersTests {
  static let writers = 8
  static let commands = 60
  static let due = 200

  @Test("8 writers with 60 commands each while a daemon delivers: no update is lost, nobody is turned away")
  func together() async throws {
    let box = try Sandbox(config: Sandbox.defaultConfig + "missed: { policy: all }")
    // Scheduled two hours ago for an hour ago, so that the daemon has work from the start.
    let lines = (1...Self.due).map { "Due \($0)" }.joined(separator: "\n")
    try await box.belfry(
      "add", "-", "--due", "in 1 hour", options: RunOptions(input: Data(lines.utf8), clock: "-2h")
    ).requireDone()
    let daemon = try await box.daemon(deadline: 3_600)
    let models = try await withThrowingTaskGroup(of: [Int64: String?].self) { group in
      for writer in 1...Self.writers { group.addTask { try await write(box, writer) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try await daemon.waitForRinging(Self.due, within: 400)
    #expect(await daemon.stop().end == .exited(0), "\(daemon.log)")
    #expect(!daemon.log.contains("error"), "\(daemon.log)")
    #expect(try Set(daemon.rungTexts).count == Self.due)
    #expect(try daemon.rung.count == Self.due)

    let kept = models.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    #expect(kept.count == models.map(\.count).reduce(0, +), "two writers were given the same number")
    let shown = try #require(try await box.json("show", "--all").elements)
    let items = shown.filter { $0["list"]?.text?.hasPrefix("Writer") == true }
    let found = Dictionary(uniqueKeysWithValues: items.map { ($0["id"]?.integer ?? -1, state($0)) })
    #expect(found == kept.compactMapValues { $0 })
    #expect(try await box.json("deliveries", "--state", "pending") == .array([]))
    #expect(try await integrity(of: box) == "ok")
    let highest = try #require(kept.keys.max())
    #expect(highest == Int64(Self.due + kept.count), "numbers have gaps")
  }

  /// Runs one writer's commands, and returns the state of each item that it added; `nil` for deleted ones.
  private func write(_ box: Sandbox, _ writer: Int) async throws -> [Int64: String?] {
    var random = SeededGenerator(seed: UInt64(writer))
    var items: [Int64: String?] = [:]
    for number in 1...Self.commands {
      let own = items.filter { $0.value != nil }.keys.sorted()
      let text = "Text \(writer).\(number)"
      let id = own.randomElement(using: &random)
      let words: [String]
      switch id == nil ? 0 : Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: words = ["add", text, "-l", "Writer \(writer)", "--create", "--due", "2096-12-24 09:00"]
      case 3, 4: words = ["edit", "\(id ?? 0)", "--text", text]
      case 5: words = ["check", "\(id ?? 0)"]
      case 6: words = ["uncheck", "\(id ?? 0)"]
      default: words = ["delete", "\(id ?? 0)"]
      }
      let outcome = try await box.run([Programs.belfry] + words + ["--json"], RunOptions())
      try #require(outcome.isDone, "\(outcome)")
      #expect(outcome.messages.isEmpty, "\(outcome)")
      let json = try outcome.json
      let item = try #require(json.elements?.first ?? json)
      let changed = try #require(item["id"]?.integer)
      items[changed] = words[0] == "delete" ? .some(nil) : state(item)
    }
    return items
  }

  private func state(_ item: JSON) -> String {
    "\(item["text"]?.text ?? "") \(item["is_checked"] == .bool(true)) \(item["next_fire_date"]?.text ?? "silent")"
  }
}

@Suite("Numbers of items")
struct NumberTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("count from 1, one more for each item kept, and are never used again")
  func neverAgain() async throws {
    func add(_ text: String) async throws -> Int64? { try await box.json("add", text)["id"]?.integer }
    #expect(try await add("One") == 1)
    #expect(try await add("Two") == 2)
    try await box.json("delete", "2")
    #expect(try await add("Three") == 3, "after the last one was deleted")
    for words in [["add", ""], ["add", "x", "-l", "Nowhere"], ["add", "x", "--due", "whenever"]] {
      #expect(try await box.run([Programs.belfry] + words, RunOptions()).status != 0)
    }
    #expect(try await box.belfry("add", "-", options: .input("Fine\nNot\u{7}fine\n")).status == 65)
    #expect(try await add("Four") == 4, "after adds that failed")
    try await box.json("list", "clear", "Inbox", "--force")
    #expect(try await add("Five") == 5, "after the list was emptied")
    try await box.json("list", "delete", "Inbox", "--force")
    #expect(try await add("Six") == 6, "after the list was deleted")
    try await box.json("edit", "6", "-l", "Work", "--create")
    #expect(try await add("Seven") == 7)
  }

  @Test("of an import push the next ones beyond them, for good")
  func imported() async throws {
    let made = try await box.run(
      [Programs.python, "-B", Programs.fixture("make_checklists.py"), "a.plist", "xml", "ringing"], RunOptions())
    try made.requireDone()
    try await box.belfry("import", "a.plist").requireDone()
    #expect(try await box.ids("show", "--all").sorted() == [0, 1, 2, 3, 4, 5, 6])
    try await box.json("delete", "0", "5", "6")
    #expect(try await box.json("add", "Next")["id"] == .integer(7))
    try await box.belfry("import", "a.plist").requireDone()
    let ids = try await box.ids("show", "--all")
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids).isDisjoint(with: [0, 5, 6]), "a deleted item's number came back: \(ids)")
  }

  @Test("a deleted item's uuid does not come back with another item")
  func identities() async throws {
    let first = try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    try await box.json("delete", "1")
    let second = try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    #expect(first["uuid"] != second["uuid"])
    #expect(first["id"] != second["id"])
  }
}
