import Foundation
import Testing

@Suite("Export, end to end")
struct ExportTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private func fill() async throws {
    try await box.json(
      "add", "Water the plants", "-l", "Garden party", "--create", "--due", "2096-11-26 18:30", "--repeat", "weekly",
      "--alert", "1d", "--alert", "0m", "--nag", "15m", "--time-zone", "America/New_York", "--notes", "all\nof them")
    try await box.json("add", "Milk, \"fresh\"", "--due", "2096-11-25", "--no-remind")
    try await box.json("add", "Done")
    try await box.json("check", "3")
    try await box.json("list", "remind", "Inbox", "--at", "2096-11-27 10:00", "--message", "look", "--repeat", "daily")
  }

  @Test("JSON opens as a store, and as an import into an empty one, with everything equal")
  func json() async throws {
    try await fill()
    let exported = try await box.belfry("export")
    #expect(exported.isDone && exported.messages == "", "\(exported)")
    try box.write(exported.output, to: "copy.json")
    let sinks = "sinks: { out: { type: stdout, format: json } }"
    try box.write("store: { type: json, path: copy.json }\n\(sinks)", to: "copy.yaml")
    try box.write("store: { type: plist, path: other.plist }\n\(sinks)", to: "other.yaml")
    try await box.belfry("import", "copy.json", "--strict", "--config", "other.yaml").requireDone()
    // A change also plans the edits made by hand.
    try await box.belfry("list", "create", "Another", "--config", "copy.yaml").requireDone()
    for config in ["copy.yaml", "other.yaml"] {
      #expect(try await box.json("show", "--all", "--config", config) == box.json("show", "--all"), "\(config)")
      #expect(try await box.json("pending", "--config", config) == box.json("pending"), "\(config)")
      let lists = try await box.json("lists", "--config", config).elements?.prefix(2)
      #expect(try await lists.map(Array.init) == box.json("lists").elements, "\(config)")
    }
    #expect(try await box.belfry("store", "check", "--config", "copy.yaml").isDone)
    #expect(try await box.belfry("export", "--json").output == exported.output)
  }

  @Test("a name may be of any letters, and nothing is written outside its folder")
  func letters() async throws {
    try await fill()
    let name = String(repeating: "ä", count: 100) + ".json"
    // Nothing can be made in the working directory.
    let outcome = try await box.belfry(
      "export", "-o", box.path(name), "--config", box.path("belfry.yaml"),
      options: RunOptions(prefix: ["env", "--chdir=/proc"]))
    #expect(outcome.isDone, "\(outcome)")
    #expect(box.text(name).hasPrefix("{\"format\""))
  }

  @Test("the file's name tells the format, --format rules, and what was written is told")
  func names() async throws {
    try await fill()
    let starts = [
      "a.csv": "id,uuid,list,text,", "a.TXT": "20", "a.ics": "BEGIN:VCALENDAR\r\n",
      "a.json": "{\"format\":\"belfry-store\"",
      "a": "{\"format\":\"belfry-store\"",
    ]
    for (name, start) in starts {
      let outcome = try await box.belfry("export", "-o", name)
      #expect(outcome.isDone && outcome.output == "", "\(outcome)")
      #expect(outcome.messages == "Exported 3 items on 2 lists to \(name).\n")
      #expect(box.text(name).hasPrefix(start), "\(name): \(box.text(name).prefix(60))")
    }
    try await box.belfry("export", "-o", "a.csv", "--format", "todo.txt", "-l", "garden PARTY").requireDone()
    #expect(box.text("a.csv").contains("Water the plants +Garden%20party due:2096-11-26T18:30"))
    #expect(box.lines("a.csv").count == 1)
    #expect(box.files().filter { $0.hasPrefix(".") } == [])
  }

  @Test("exports are read back by the import of another store as they were", arguments: ["json", "todo.txt", "ics"])
  func readBack(format: String) async throws {
    try await fill()
    try await box.belfry("export", "--format", format, "-o", "file").requireDone()
    try box.write("store: { type: sqlite, path: other.sqlite }", to: "other.yaml")
    try await box.belfry("import", "file", "--strict", "--config", "other.yaml").requireDone()
    func shown(_ config: String) async throws -> [JSON?] {
      let keys = [
        "uuid", "list", "text", "notes", "is_checked", "due_local", "time_zone", "should_remind", "alerts", "repeat",
        "nag",
      ]
      let items = try await box.json("show", "--all", "--config", config).elements ?? []
      return items.flatMap { item in keys.map { item[$0] } }
    }
    #expect(try await shown("other.yaml") == shown("belfry.yaml"))
    let again = try await box.belfry("import", "file", "--json")
    #expect(again.isDone && again.output == "[]\n", "\(again)")
  }

  @Test("a file is replaced whole: it keeps its mode, a link stays one, and what cannot be is refused")
  func replaced() async throws {
    try await fill()
    try box.write("old", to: "target")
    chmod(box.path("target"), 0o640)
    symlink("target", box.path("link.csv"))
    try await box.belfry("export", "-o", "link.csv").requireDone()
    #expect(box.text("target").hasPrefix("id,uuid,"))
    let attributes = try FileManager.default.attributesOfItem(atPath: box.path("target"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: box.path("link.csv"))) == "target")
    let cases = [("nowhere/file", 73), ("home", 73), ("store.sqlite", 64), ("a.docx", 64), ("/dev/full", 74)]
    for (name, status) in cases {
      let outcome = try await box.belfry("export", "-o", name)
      #expect(outcome.status == Int32(status) && outcome.messages.contains(name), "\(outcome)")
    }
    let missing = try await box.belfry("export", "-l", "Gardn party")
    #expect(missing.status == 66 && missing.messages.contains("did you mean 'Garden party'?"), "\(missing)")
    #expect(try await box.json("show", "--all").elements?.count == 3)
  }

  @Test("a full disk leaves the file as it was, and nothing beside it")
  func fullDisk() async throws {
    let script = #"""
      head -c 200000 /dev/zero | tr "\0" x | "$BELFRY" add - >/dev/null
      cd "$DISK"; echo old >file; "$BELFRY" export -o file; echo "status $?"; cat file; ls -A
      """#
    let outcome = try await box.shell(FullDiskTests.mounting("64k", "{ " + script + "\n}"))
    #expect(outcome.output == "status 74\nold\nfile\n", "\(outcome)")
  }

  @Test("a reader that closes the pipe ends the export quietly")
  func closedPipe() async throws {
    try await fill()
    try box.write((1...3_000).map { "item \($0)\n" }.joined(), to: "todo.txt")
    try await box.belfry("import", "todo.txt").requireDone()
    let outcome = try await box.shell("\"$BELFRY\" export | head -c 20; echo \" ${PIPESTATUS[0]}\"")
    #expect(outcome.output == "{\"format\":\"belfry-st 0\n" && outcome.messages == "", "\(outcome)")
  }

  @Test("an export that is interrupted leaves the file as it was, and nothing beside it")
  func interrupted() async throws {
    try box.write((1...20_000).map { "item \($0)\n" }.joined(), to: "todo.txt")
    try await box.belfry("import", "todo.txt").requireDone()
    try box.write("old", to: "file.csv")
    let child = try box.start(
      bytes: [Programs.belfry, "export", "-o", "file.csv"].map { Array($0.utf8) },
      RunOptions(messages: .writing(box.path("messages")), isUrgent: true))
    try await waitUntil("the export has begun") { box.files().contains { $0.hasPrefix(".file.csv.") } }
    child.send(SIGINT)
    #expect(await child.end == .signalled(SIGINT))
    #expect(box.text("messages") == "Interrupted: nothing was exported.\n")
    #expect(box.text("file.csv") == "old")
    #expect(box.files().filter { $0.hasPrefix(".file") } == [])
  }
}
