import Foundation
import Testing

@Suite("Editing an item in the user's editor")
struct EditorTests {
  /// A sandbox with one item, and an editor that runs a script on the form, whose path is `$1`.
  private func sandbox(_ script: String) async throws -> (Sandbox, RunOptions) {
    let box = try Sandbox()
    try await box.json(
      "add", "Buy: milk", "--due", "2096-12-24 18:30", "--repeat", "every 2 weeks", "--notes", "one\n# two\nthree: x")
    try await box.json("list", "create", "Work")
    try box.write("#!/bin/sh\ncp \"$1\" \(box.path("seen"))\n\(script)\n", to: "editor")
    try FileManager.default.createDirectory(atPath: box.path("tmp"), withIntermediateDirectories: true)
    var options = RunOptions()
    options.environment = ["EDITOR": "/bin/sh " + box.path("editor"), "TMPDIR": box.path("tmp")]
    return (box, options)
  }

  private func item(_ box: Sandbox) async throws -> JSON {
    try #require(try await box.belfry("show", "--all", "--json").elements.first)
  }

  @Test("a form that is left as it was changes nothing, and leaves no file", arguments: [":", "touch \"$1\""])
  func unchanged(script: String) async throws {
    let (box, options) = try await sandbox(script)
    let before = try await item(box)
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.isDone && outcome.messages.contains("Nothing was changed"), "\(outcome)")
    #expect(try await item(box) == before)
    #expect(box.files(in: "tmp").isEmpty)
    for line in ["text: Buy: milk", "list: Inbox", "due: 2096-12-24 18:30", "repeat: every 2 weeks", "# two"] {
      #expect(box.lines("seen").contains(line), "\(box.text("seen"))")
    }
  }

  @Test("what was changed while the editor was open is not written over, and what was typed is kept")
  func changedMeanwhile() async throws {
    let script = #""$BELFRY" edit 1 --text Bread --tag shop && sed -i 's/^text:.*/text: Oat milk/' "$1""#
    let (box, given) = try await sandbox(script)
    var options = given
    options.environment["BELFRY"] = try Programs.belfry
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.status == 75, "\(outcome)")
    #expect(outcome.messages.contains("item 1 was changed meanwhile: text is now 'Bread'"), "\(outcome)")
    #expect(try await item(box)["text"]?.text == "Bread")
    #expect(box.files(in: "tmp").count == 1)
  }

  @Test("a field that was changed while the editor was open stays where another one is edited")
  func changedBeside() async throws {
    let script = #""$BELFRY" edit 1 --tag shop && sed -i 's/^text:.*/text: Oat milk/' "$1""#
    let (box, given) = try await sandbox(script)
    var options = given
    options.environment["BELFRY"] = try Programs.belfry
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.isDone, "\(outcome)")
    let item = try await item(box)
    #expect(item["text"]?.text == "Oat milk")
    #expect(item["tags"]?.elements?.map(\.text) == ["shop"])
  }

  @Test("notes keep lines that look like the errors of a form")
  func errorsInNotes() async throws {
    let (box, options) = try await sandbox(":")
    let notes = "Mon\n# error: disk full\nTue\nnotes: x\n# error: again"
    try await box.belfry("edit", "1", "--notes", notes).requireDone()
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.isDone && outcome.messages.contains("Nothing was changed"), "\(outcome)")
    #expect(try await item(box)["notes"] == .text(notes))
  }

  @Test("an editor may end lines with CR LF, and texts may begin with a mark that combines")
  func lineEnds() async throws {
    let (box, options) = try await sandbox(
      #"sed -i 's/^text:.*/text:\xcc\x81milk/; s/^three.*/\xcc\x81drei/; s/$/\r/' "$1""#)
    let outcome = try await box.belfry("edit", "1", "--json", options: options)
    let after = try outcome.json
    #expect(outcome.isDone, "\(outcome)")
    #expect(after["text"]?.text?.utf8.elementsEqual("\u{301}milk".utf8) == true, "\(outcome)")
    #expect(after["notes"]?.text?.utf8.elementsEqual("one\n# two\n\u{301}drei".utf8) == true, "\(outcome)")
  }

  @Test("the fields changed in the form are changed, and no others")
  func changed() async throws {
    let (box, options) = try await sandbox(
      #"sed -i 's/^text:.*/text: Oat: milk/; s/^list:.*/list: work/; s/^due:.*/due: 2097-01-05 9:00/; s/^alerts:.*/alerts: 1d, 10m/; s/^nag:.*/nag: 15m/; s/^three.*/drei/' "$1""#
    )
    let before = try await item(box)
    let outcome = try await box.belfry("edit", "1", "--json", options: options)
    let after = try outcome.json
    #expect(outcome.isDone, "\(outcome)")
    #expect(after["text"] == .text("Oat: milk"))
    #expect(after["list"] == .text("Work"))
    #expect(after["due_local"] == .text("2097-01-05T09:00"))
    #expect(after["nag"] == .text("PT15M"))
    #expect(after["notes"] == .text("one\n# two\ndrei"))
    #expect(after["alerts"]?.elements == [.text("P1D"), .text("PT10M")])
    for key in ["id", "uuid", "repeat", "category", "should_remind", "time_zone"] {
      #expect(after[key] == before[key], "\(key)")
    }
    #expect(box.files(in: "tmp").isEmpty)
  }

  @Test("an emptied field is removed")
  func emptied() async throws {
    let (box, options) = try await sandbox(
      #"sed -i 's/^due:.*/due:/; s/^repeat:.*/repeat:/; /^notes:/,$d' "$1"; echo notes: >> "$1""#)
    let after = try await box.belfry("edit", "1", "--json", options: options).json
    for key in ["due_date", "repeat", "notes"] { #expect(after[key] == .null, "\(key)") }
  }

  @Test("everything wrong is told with its line, nothing changes, what was typed is kept")
  func wrong() async throws {
    let (box, options) = try await sandbox(
      #"sed -i 's/^text:.*/text: Typed/; s/^due:.*/due: yesterdayish/; s/^list:.*/list: Wrok/; s/^remind:.*/remind: maybe/' "$1""#
    )
    let before = try await item(box)
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.status == 65, "\(outcome)")
    let kept = try #require(box.files(in: "tmp").first)
    let path = box.path("tmp/\(kept)")
    #expect(box.lines(path).contains("text: Typed"))
    let lines = box.lines(path)
    for (field, word) in [("due", "yesterdayish"), ("list", "'Work'"), ("remind", "yes or no")] {
      let line = try #require(lines.firstIndex { $0.hasPrefix("\(field):") }) + 1
      #expect(
        outcome.messages.split(separator: "\n").contains { $0.hasPrefix("\(path):\(line): ") && $0.contains(word) },
        "nothing about \(field): \(outcome)")
    }
    #expect(outcome.messages.contains("kept in \(path)"), "\(outcome)")
    #expect(try await item(box) == before)
  }

  @Test(
    "lines that are no field, twice there or not UTF-8 are refused",
    arguments: [
      (#"sed -i 's/^nag:/nagg:/' "$1""#, "'nag:'"), (#"sed -i 's/^nag:.*/text: b/' "$1""#, "a second 'text'"),
      (#"sed -i 's/^nag:.*/just words/' "$1""#, "'just words'"), (#"printf 'text: \377\n' > "$1""#, "UTF-8"),
      (#"sed -i 's/^text:.*/text:/' "$1""#, "empty"), (#"sed -i 's/^due:.*/due:/' "$1""#, "due date"),
    ])
  func refused(script: String, word: String) async throws {
    let (box, options) = try await sandbox(script)
    let before = try await item(box)
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.status == 65 && outcome.messages.contains(word), "\(outcome)")
    #expect(box.files(in: "tmp").count == 1)
    #expect(try await item(box) == before)
  }

  @Test("an editor that fails or is not there changes nothing", arguments: [("exit 3", 75), ("exit 127", 66)])
  func failing(script: String, status: Int32) async throws {
    let (box, options) = try await sandbox(script)
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.status == status, "\(outcome)")
    #expect(box.files(in: "tmp").isEmpty)
  }

  @Test("edits made before an editor failed are kept")
  func failingAfterTyping() async throws {
    let (box, options) = try await sandbox(#"sed -i 's/^text:.*/text: Typed/' "$1"; exit 3"#)
    let outcome = try await box.belfry("edit", "1", options: options)
    #expect(outcome.status == 75 && outcome.messages.contains("kept in"), "\(outcome)")
    #expect(box.files(in: "tmp").count == 1)
  }

  @Test("$VISUAL comes before $EDITOR and may have options; without either and without a terminal it is wrong usage")
  func choice() async throws {
    var (box, options) = try await sandbox("exit 3")
    options.environment["VISUAL"] = "sed -i -e 's/^text:.*/text: Visual/'"
    #expect(try await box.belfry("edit", "1", "--json", options: options).json["text"] == .text("Visual"))
    let outcome = try await box.belfry("edit", "1")
    #expect(outcome.status == 64 && outcome.messages.contains("$EDITOR"), "\(outcome)")
    #expect(try await box.belfry("edit", "9", options: options).status == 66)
  }

  @Test("on a terminal a wrong form comes back with the error above its line, until it is right")
  func again() async throws {
    let (box, options) = try await sandbox(
      #"if grep -q '^# error: ' "$1"; then sed -i 's/^due:.*/due: 2097-01-05 9:00/' "$1"; else sed -i 's/^due:.*/due: soon/' "$1"; fi"#
    )
    let outcome = try await box.shell("script -qec \"$BELFRY edit 1\" /dev/null", options: options)
    #expect(outcome.isDone, "\(outcome)")
    #expect(try await item(box)["due_local"] == .text("2097-01-05T09:00"))
    let seen = box.lines("seen")
    let due = try #require(seen.firstIndex { $0.hasPrefix("due:") })
    #expect(seen[due - 1].hasPrefix("# error: due: 'soon'"), "\(seen)")
    #expect(box.files(in: "tmp").isEmpty)
  }
}
