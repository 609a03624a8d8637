import Foundation
import Testing
import TestSupport

@Suite("Import of the apps' files, end to end")
struct ImportCommandTests {
  static let early = "2026-11-21 08:00:00"

  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test(
    "import, pending and run ring the right items: none that is checked, past, or has its flag off",
    arguments: ["xml", "binary"])
  func rings(form: String) async throws {
    try await make("Checklists.plist", form, "ringing")
    let imported = try await box.belfry("import", "Checklists.plist", "--json", options: .at(Self.early))
    #expect(imported.isDone, "\(imported)")
    #expect(imported.messages.contains("; 1 due without a reminder; "), "\(imported)")
    #expect(imported.messages.contains("'belfry edit ID --remind'"), "\(imported)")
    #expect(try Shape.item.faults(in: imported.elements) == [])
    #expect(try imported.elements.compactMap { $0["id"]?.integer } == [0, 1, 2, 3, 4, 5, 6])
    #expect(try await box.json("lists").elements?.map { $0["name"] } == [.text("Groceries"), .text("Work")])
    let pending = try #require(try await box.json("pending", at: Self.early).elements)
    #expect(Set(pending.map { $0["text"]?.text }) == ["Rings", "Rings too — Zürich ☎", "Later"])
    #expect(pending.first?["fire_date"] == .text("2026-11-21T09:00:00+01:00"))

    let daemon = try await box.daemon(at: DaemonRingTests.beforeNine)
    try await daemon.waitForRinging(2)
    #expect(await daemon.stop().end == .exited(0))
    #expect(try Set(daemon.rungTexts) == ["Rings", "Rings too — Zürich ☎"])
    #expect(try daemon.rung.allSatisfy { $0["data"]?["late_seconds"] == .integer(0) })
    #expect(try Set(daemon.rung.map { $0["data"]?["item"]?["id"] }) == [.integer(0), .integer(4)])

    let shown = try #require(try await box.json("show", "--all").elements)
    func item(_ text: String) -> JSON? { shown.first { $0["text"] == .text(text) } }
    #expect(item("Checked")?["is_checked"] == .bool(true))
    #expect(item("Flag off")?["should_remind"] == .bool(false))
    #expect(item("Flag off")?["due_local"] == .text("2026-11-21T09:00"))
    #expect(item("Past")?["is_overdue"] == .bool(true))
    #expect(item("Undated")?["due_date"] == .null)
    #expect(shown.count == 7)
  }

  @Test("the file keeps its bytes, mode and times, and may be read-only")
  func untouched() async throws {
    try await make("Checklists.plist", "binary", "ringing")
    let path = box.path("Checklists.plist")
    chmod(path, 0o440)
    let before = box.data("Checklists.plist")
    func attributes() throws -> [String] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return [FileAttributeKey.modificationDate, .posixPermissions, .systemFileNumber].map { "\(attributes[$0] ?? "")" }
    }
    let attributesBefore = try attributes()
    for words in [["import"], ["import", "--dry-run"], ["import", "--strict"]] {
      let outcome = try await box.run([Programs.belfry] + words + ["Checklists.plist"], RunOptions())
      #expect(outcome.isDone, "\(outcome)")
    }
    #expect(box.data("Checklists.plist") == before)
    #expect(try attributes() == attributesBefore)
  }

  @Test("a second import adds nothing, not even what was deleted, checked or renamed meanwhile is doubled")
  func twice() async throws {
    try await make("Checklists.plist", "xml", "ringing")
    try await box.belfry("import", "Checklists.plist", options: .at(Self.early)).requireDone()
    try await box.json("check", "0", at: Self.early)
    try await box.json("edit", "4", "--text", "Renamed", at: Self.early)
    let before = try await box.json("show", "--all", at: Self.early)
    let again = try await box.belfry("import", "Checklists.plist", "--json", options: .at(Self.early))
    #expect(again.isDone && again.output == "[]\n", "\(again)")
    #expect(try await box.json("show", "--all", at: Self.early) == before)
    #expect(try await box.json("lists").elements?.count == 2)
  }

  @Test("two imports at the same time add everything once")
  func together() async throws {
    try await make("Checklists.plist", "xml", "ringing")
    let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for _ in 0..<4 { group.addTask { try await box.belfry("import", "Checklists.plist", "--json") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0.isDone }, "\(outcomes)")
    #expect(try outcomes.map { try $0.elements.count }.sorted() == [0, 0, 0, 7])
    #expect(try await box.json("show", "--all").elements?.count == 7)
  }

  @Test("own numbers are kept where free, otherwise new ones are given and told")
  func numbers() async throws {
    for text in ["One", "Two"] { try await box.json("add", text) }
    try await make("Checklists.plist", "xml", "ringing")
    let imported = try await box.belfry("import", "Checklists.plist", "--json")
    #expect(imported.isDone, "\(imported)")
    let ids = try imported.elements.compactMap { $0["id"]?.integer }
    #expect(Set(ids).count == 7 && !ids.contains(1) && !ids.contains(2), "\(ids)")
    for (own, id) in zip(Int64(0)..., ids) where own != id {
      #expect(imported.messages.contains("\(own)") && imported.messages.contains("\(id)"), "\(imported)")
    }
    let next = try await box.json("add", "Next")
    #expect((next["id"]?.integer ?? 0) > (ids.max() ?? 0))
  }

  @Test("an array of texts needs a list to go to, keeps equal ones, and adds nothing twice")
  func shoppingList() async throws {
    try await make("shopping.plist", "binary", "plain")
    let unknown = try await box.belfry("import", "shopping.plist", "-l", "Groceries")
    #expect(unknown.status == 66, "\(unknown)")
    let dry = try await box.belfry("import", "shopping.plist", "-l", "Groceries", "--create", "--dry-run")
    #expect(dry.isDone, "\(dry)")
    #expect(try await box.json("lists") == .array([]))
    let piped = try await box.belfry(
      "import", "-", "-l", "Groceries", "--create", "--json", options: RunOptions(input: box.data("shopping.plist")))
    #expect(piped.isDone, "\(piped)")
    #expect(try piped.elements.compactMap { $0["text"]?.text } == ["Milk", "Eggs", "Milk"])
    let again = try await box.belfry("import", "shopping.plist", "-l", "Groceries", "--json")
    #expect(again.output == "[]\n", "\(again)")
  }

  @Test(
    "equal tasks of two files come into two lists, each of them once",
    arguments: [
      ("csv", "TYPE,CONTENT,DESCRIPTION,PRIORITY\ntask,Review,,4\n"), ("txt", "Review\n"),
      ("ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nSUMMARY:Review\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"),
    ])
  func twoFiles(ending: String, text: String) async throws {
    for (name, count) in [("Home", 1), ("Work", 1), ("Home", 0), ("Work", 0)] {
      try box.write(text, to: "\(name).\(ending)")
      let imported = try await box.belfry("import", "\(name).\(ending)", "-l", name, "--create", "--json")
      #expect(try imported.elements.count == count, "\(imported)")
    }
    #expect(try await box.ids("show").count == 2)
  }

  @Test("the samples in Config are imported whole", arguments: [("Checklists", 5), ("shopping", 3), ("todo", 3)])
  func sample(name: String, count: Int) async throws {
    let path = Checkout.file("Config/samples/\(name).plist").path
    let imported = try await box.belfry("import", path, "--strict", "--json")
    #expect(imported.isDone, "\(imported)")
    #expect(try imported.elements.count == count)
  }

  private func make(_ name: String, _ form: String, _ kind: String) async throws {
    let words = [Programs.python, "-B", Programs.fixture("make_checklists.py"), name, form, kind]
    try await box.run(words, RunOptions()).requireDone()
  }
}
