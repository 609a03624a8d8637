import Foundation
import Testing
import TestSupport

@Suite("Import of other programs' files, end to end")
struct ImportFormatTests {
  static let early = "2026-11-21 08:00:00"

  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("exports of the real task are imported completely, and a second import adds nothing")
  func taskwarrior() async throws {
    let script = """
      export TASKDATA="$HOME/task" TASKRC="$HOME/taskrc"; mkdir "$TASKDATA"
      printf 'confirmation=off\\nuda.estimate.type=string\\n' >"$TASKRC"
      task() { command task rc.verbose=nothing "$@" </dev/null; }
      task add 'Pay the "rent" — Zürich' project:home.money +bank priority:H due:2096-12-24T18:30 estimate:'2;3'
      task 1 annotate 'first, then'
      task add Water recur:weekly due:2096-11-20T09:00
      task add Done && task /Done/ done
      task add Gone && task /Gone/ delete
      task export >tasks.json
      """
    let made = try await box.shell(script)
    #expect(made.isDone, "\(made)")
    let text = box.text("tasks.json")
    try #require(text.contains("\"recurring\"") && text.contains("\"deleted\""), "\(made) \(text)")
    let imported = try await box.belfry("import", "tasks.json", "--json")
    #expect(imported.isDone && imported.messages.contains("1 deleted, left out"), "\(imported)")
    #expect(try Shape.item.faults(in: imported.elements) == [])
    func item(_ text: String) throws -> JSON? { try imported.elements.first { $0["text"] == .text(text) } }
    let rent = try #require(try item("Pay the \"rent\" — Zürich"))
    #expect(rent["list"] == .text("home.money") && rent["notes"] == .text("first, then"))
    #expect(rent["due_local"] == .text("2096-12-24T18:30") && rent["should_remind"] == .bool(true))
    let properties = rent["properties"]?.elements?.compactMap(\.text) ?? []
    #expect(Set(["X-TASKWARRIOR-ESTIMATE:2\\;3"]).isSubset(of: properties))
    #expect(rent["tags"]?.elements == [.text("bank")] && rent["priority"] == .text("high"))
    #expect(try item("Water")?["repeat"] == .text("FREQ=WEEKLY"))
    #expect(try item("Done")?["is_checked"] == .bool(true))
    #expect(try item("Gone") == nil)
    let again = try await box.shell("\"$BELFRY\" import - --json <tasks.json")
    #expect(again.isDone && again.output == "[]\n", "\(again)")
  }

  @Test("a date that is not understood is told with its line and kept, and refused where all has to be understood")
  func notUnderstood() async throws {
    try box.write(
      """
      TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
      task,Milk,,4,1,,,tomorrow,en,
      task,Bins,,4,1,,,jeden Montag um 7 Uhr,de,

      """, to: "home.csv")
    let strict = try await box.belfry("import", "home.csv", "--strict", options: .at(Self.early))
    #expect(strict.status == 65 && strict.messages.contains("1 item with a value that is not understood"), "\(strict)")
    #expect(try await box.ids("show") == [])
    let told = "line 3: its DATE 'jeden Montag um 7 Uhr' is not understood, and kept as X-TODOIST-DATE"
    for words in [["--dry-run"], []] {
      let outcome = try await box.run(
        [Programs.belfry, "import", "home.csv"] + words, RunOptions.at(Self.early))
      #expect(outcome.isDone && outcome.messages.contains(told), "\(outcome)")
      #expect(
        outcome.messages.contains("; 1 with a value that is not understood, as told above"), "\(outcome)")
    }
    #expect(try await box.ids("show") == [1, 2])
  }

  /// Imports each file with `task` and with `belfry`, and compares the results.
  private static let comparison = """
    import datetime, json, os, pathlib, shutil, subprocess, sys
    belfry, *files = sys.argv[1:]
    home = os.environ['HOME']
    os.environ.update(TASKDATA=home + '/task', TASKRC=home + '/taskrc')
    open(home + '/taskrc', 'w').write('confirmation=off\\n')
    def task(*words):
        return subprocess.run(['task', 'rc.verbose=nothing', *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    def instant(text):
        return int(datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp())
    taken = 0
    for file in map(pathlib.Path, files):
        # Of two tasks with one identity in a file the first is here when the second comes, and is left alone.
        if file.name == 'import_0234__data.json': continue
        shutil.rmtree(home + '/task', ignore_errors=True)
        os.mkdir(home + '/task')
        task('import', str(file))
        before = datetime.datetime.now().timestamp() - 60
        theirs = sorted((t['uuid'], t['description'], t.get('project', 'Inbox'), t['status'] == 'completed',
                         instant(t['entry']) if instant(t['entry']) < before else 'now') for t in json.loads(task('export').stdout))
        store = file.stem + '.yaml'
        open(store, 'w').write('store: { type: json, path: ' + file.stem + '.store }')
        subprocess.run([belfry, 'import', str(file), '--config', store], stderr=subprocess.DEVNULL)
        shown = subprocess.run([belfry, 'show', '--all', '--json', '--config', store], check=True, capture_output=True).stdout
        ours = sorted((i['uuid'], i['text'], i['list'], i['is_checked'],
                       instant(i['created_at']) if instant(i['created_at']) < before else 'now') for i in json.loads(shown))
        if ours != theirs: print(file.name, ours, theirs)
        taken += len(ours)
    print(taken, 'tasks')
    """

  @Test("exports, and Taskwarrior's own test files, are taken as the real task takes them")
  func taskwarriorExports() async throws {
    let outcome = try await box.python(Self.comparison, [Programs.belfry] + Corpus.taskwarrior.map(\.path))
    #expect(outcome.isDone && outcome.output == "\(Corpus.isThere ? 28 : 14) tasks\n", "\(outcome)")
  }

  @Test("todo.txt comes from a pipe; refused lines are told with number and reason, the rest is there")
  func todoTxt() async throws {
    let text = "(A) Call Anna +Work due:2026-11-23\nPay due:2026-02-30\nx 2026-11-20 Milk +Groceries\n\u{7}\n"
    let imported = try await box.belfry(
      "import", "-", "--json", options: RunOptions(input: Data(text.utf8), clock: Self.early))
    #expect(imported.isDone, "\(imported)")
    #expect(try imported.elements.map { $0["list"] } == [.text("Work"), .text("Groceries")])
    #expect(try imported.elements.first?["next_fire_date"] == .text("2026-11-23T09:00:00+01:00"))
    #expect(
      imported.messages.contains("refused: line 2: its 'due:2026-02-30' is a time that does not exist"), "\(imported)")
    #expect(imported.messages.contains("refused: line 4: the text"), "\(imported)")
    #expect(imported.messages.contains("2 refused"))
  }

  @Test("a CSV that an export wrote is read back, in another store and in the same; another table is refused by name")
  func ownTable() async throws {
    let fields = ["--notes", "a\nb", "--alert", "1d", "--tag", "home", "--priority", "high"]
    let words = ["add", "Ring Anna, @phone", "--due", "2096-12-24 18:30", "--repeat", "weekly"] + fields
    #expect(try await box.run([Programs.belfry] + words + ["-l", "Work", "--create"], RunOptions()).isDone)
    for command in [["add", "Milk"], ["check", "2"], ["export", "-o", "out.csv"]] {
      #expect(try await box.run([Programs.belfry] + command, RunOptions()).isDone)
    }
    let again = try await box.belfry("import", "out.csv")
    #expect(again.isDone && again.messages.contains("2 known already"), "\(again)")
    try box.write("store: { type: sqlite, path: other.sqlite }\n", to: "other.yaml")
    let imported = try await box.belfry("import", "out.csv", "--config", "other.yaml")
    #expect(imported.isDone && imported.messages.contains("2 items imported"), "\(imported)")
    let (first, second) = (
      try await box.belfry("show", "--all", "--json"),
      try await box.belfry("show", "--all", "--json", "--config", "other.yaml")
    )
    #expect(try first.elements == second.elements && first.elements.count == 2)
    try box.write("Name,Due,Tags\nMilk,2026-01-01,@home\n", to: "other.csv")
    let foreign = try await box.belfry("import", "other.csv")
    #expect(foreign.status == 65, "\(foreign)")
    #expect(foreign.messages.contains("'Name,Due,Tags' is the header of a table that Belfry does not know"))
  }

  @Test("strict takes nothing where anything is refused, a dry run nothing at all and shows what would come")
  func nothing() async throws {
    try box.write("Milk +Groceries\nPay due:2026-02-30\n", to: "todo.txt")
    let strict = try await box.belfry("import", "todo.txt", "--strict")
    #expect(strict.status == 65 && strict.messages.contains("line 2: its 'due:2026-02-30'"), "\(strict)")
    let dry = try await box.belfry("import", "todo.txt", "--dry-run", "--json")
    #expect(dry.isDone, "\(dry)")
    #expect(try dry.elements.map { $0["text"] } == [.text("Milk")])
    #expect(dry.messages.contains("1 item would come; new lists: Groceries"), "\(dry)")
    #expect(try await box.json("lists") == .array([]))
  }

  @Test("a file of no known content, one cut off and an unknown format are refused, and nothing is there")
  func refused() async throws {
    try box.write("Dear Anna,\nhow are you?\n", to: "letter")
    let unknown = try await box.belfry("import", "letter")
    #expect(
      unknown.status == 65 && unknown.messages.contains("is not in a format that Belfry recognises"), "\(unknown)")
    try box.write("[{\"description\":\"a\"},\n{\"description\":\"b\"}", to: "cut.json")
    let cut = try await box.belfry("import", "cut.json")
    #expect(cut.status == 65 && cut.messages.contains("cut.json: line 2: ends too early"), "\(cut)")
    for format in ["xml", "yaml"] {
      let outcome = try await box.belfry("import", "letter", "--format", format)
      #expect(outcome.status == 64, "\(outcome)")
    }
    let forced = try await box.belfry("import", "letter", "--format", "todo.txt", "--json")
    #expect(try forced.elements.count == 2, "\(forced)")
    #expect(try await box.json("show", "--all").elements?.count == 2)
  }

  @Test(
    "no import changes the file it reads, not even its times", arguments: ["json", "todo.txt", "taskwarrior", "ics"])
  func untouched(format: String) async throws {
    let texts = [
      "json": "{\"format\":\"belfry-store\",\"version\":1,\"items\":[{\"text\":\"a\"}]}", "todo.txt": "(A) a\n",
      "taskwarrior": "{\"description\":\"a\"}\n",
      "ics": "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
    ]
    try box.write(texts[format] ?? "", to: "file")
    chmod(box.path("file"), 0o440)
    func attributes() throws -> [String] {
      let attributes = try FileManager.default.attributesOfItem(atPath: box.path("file"))
      return [FileAttributeKey.modificationDate, .posixPermissions, .systemFileNumber].map { "\(attributes[$0] ?? "")" }
    }
    let (before, bytes) = (try attributes(), box.data("file"))
    for words in [["--dry-run"], ["--strict"], []] {
      let traced = try await box.run(
        [
          "/usr/bin/strace", "-f", "-qq", "-e", "trace=open,openat", "-o", "trace", try Programs.belfry, "import",
          "file",
        ]
          + words, RunOptions())
      #expect(traced.isDone, "\(traced)")
      let opened = box.lines("trace").filter { $0.contains("\"file\"") }
      #expect(opened.count == 1 && opened[0].contains("O_RDONLY"), "\(opened)")
    }
    #expect(try attributes() == before)
    #expect(box.data("file") == bytes)
  }

  @Test(
    "an import that is interrupted leaves the store as it was and ends by the signal", arguments: DiskStore.allCases,
    [SIGINT, SIGTERM])
  func interrupted(store: DiskStore, signal: Int32) async throws {
    let box = try Sandbox(config: store.config)
    try await box.json("add", "Mine")
    let before = try await box.json("show", "--all")
    mkfifo(box.path("pipe"), 0o600)
    let child = try box.start(
      bytes: [Programs.belfry, "import", "-", "--format", "todo.txt"].map { Array($0.utf8) },
      RunOptions(
        messages: .writing(box.path("messages")), prefix: ["/bin/sh", "-c", "exec \"$0\" \"$@\" <pipe"], isUrgent: true)
    )
    // Opened for reading too, since opening would otherwise wait until the reader opens its end.
    let pipe = try FileHandle(forUpdating: URL(fileURLWithPath: box.path("pipe")))
    try pipe.write(contentsOf: Data((1...5_000).map { "item \($0)\n" }.joined().utf8))
    // The reader has consumed all of that and waits for more, in the middle of its transaction.
    try await waitUntil("the pipe is empty") {
      var waiting: Int32 = 0
      return ioctl(pipe.fileDescriptor, UInt(FIONREAD), &waiting) == 0 && waiting == 0
    }
    child.send(signal)
    #expect(await child.end == .signalled(signal))
    try pipe.close()
    #expect(box.text("messages") == "Interrupted: nothing was imported.\n")
    #expect(try await box.json("show", "--all") == before)
    #expect(try await box.belfry("store", "check").isDone)
  }

  @Test(
    "a file of three times the length takes hardly more memory",
    arguments: [
      ("todo.txt", "", "task number %d +list due:2096-12-24 %s\\n", ""),
      (
        "todo.ics", "BEGIN:VCALENDAR\\r\\n",
        "BEGIN:VTODO\\r\\nUID:%d\\r\\nSUMMARY:Task\\r\\nDESCRIPTION:%s\\r\\nEND:VTODO\\r\\n", "END:VCALENDAR\\r\\n"
      ),
    ])
  func memory(name: String, head: String, entry: String, end: String) async throws {
    let program = """
      import resource, subprocess, sys
      with open('\(name)', 'w', newline='') as file:
          file.write('\(head)')
          for number in range(int(sys.argv[2])): file.write('\(entry)' % (number, 'words ' * 100))
          file.write('\(end)')
      subprocess.run([sys.argv[1], 'import', '\(name)', '--dry-run'], check=True, stderr=subprocess.DEVNULL)
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    var sizes: [Int] = []
    for count in [12_000, 36_000] {
      let outcome = try await box.python(program, [Programs.belfry, "\(count)"])
      sizes.append(try #require(Int(outcome.output.dropLast()), "\(outcome)"))
    }
    // In kilobytes; the longer file has sixteen megabytes more.
    #expect(sizes[1] - sizes[0] < 6_000, "\(sizes)")
  }

  @Test("a terminal is shown how far a long import is; a file or a pipe is not")
  func progress() async throws {
    // Long enough for a bar on a fast machine: 30,000 took 0.8 s.
    try box.write((1...150_000).map { "(A) item \($0) +list\n" }.joined(), to: "todo.txt")
    let program = """
      import os, pty, sys
      pid, fd = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], [sys.argv[1], 'import', 'todo.txt', '--dry-run'])
      seen = b''
      try:
          while True: seen += os.read(fd, 65536)
      except OSError: pass
      print(seen.decode())
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """
    let shown = try await box.python(program, [Programs.belfry])
    #expect(shown.isDone && shown.output.contains("importing █") && shown.output.contains(" % "), "\(shown)")
    let quiet = try await box.belfry("import", "todo.txt", "--dry-run")
    #expect(quiet.isDone && !quiet.messages.contains("importing"), "\(quiet)")
  }
}
