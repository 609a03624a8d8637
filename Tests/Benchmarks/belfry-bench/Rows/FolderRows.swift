import Foundation

/// The rows of stores in a folder of iCalendar files.
struct FolderRows {
  // The minutes between two events, and the days that are shown.
  private static let (distance, days) = (10, 7)
  // The changes by another program. A daemon takes them up at its next minute at the latest.
  private static let changes = 5

  let bench: BenchRun
  private let belfry: Belfry

  init(bench: BenchRun) throws {
    self.bench = bench
    belfry = try Belfry(folder: bench.options.programs, store: "vdir")
  }

  func measure() throws -> [Row] { try todos() + [changed(), agenda()] + scheduled() }

  private func words(_ count: Int) -> String { "\(Figure.grouped(count)) iCalendar files" }

  // MARK: To-dos

  private func todos() throws -> [Row] {
    let (count, todoman) = (bench.scale.files.todos, try Todoman())
    try bench.introduce(todoman)
    let (own, theirs) = (try folder(count, as: "files"), try bench.folder(todoman, count, for: "files"))
    let what = words(count)
    var first = Row(
      "vdir-first", "first `show -n 20` of \(what)",
      try bench.contest(
        "first look at files",
        [
          Entrant(peer: Belfry.name) { _ in
            try forget(own)
            return try shown(own).measured().wall
          },
          Entrant(peer: Todoman.name) { _ in
            try todoman.forget(in: theirs)
            return try todoman.showNext(in: theirs)?.measured().wall ?? 0
          },
        ], rounds: 3))
    first.hold(to: Todoman.name, atMost: 0.25)
    return [first]
      + (try [
        row("show", "`show -n 20`", own, theirs, what, todoman) { peer, folder, _ in peer.showNext(in: folder) },
        row("add", "`add` one", own, theirs, what, todoman) { peer, folder, _ in peer.addOne(in: folder) },
        row("check", "`check` one", own, theirs, what, todoman) { peer, folder, round in
          peer.checkOne(round + 1, in: folder)
        },
      ])
  }

  private func row(
    _ key: String, _ verb: String, _ own: String, _ theirs: String, _ what: String, _ todoman: Todoman,
    _ command: @escaping (any Peer, String, Int) -> Command?
  ) throws -> Row {
    let entrants = try [(belfry, own), (todoman, theirs)].map { (peer: any Peer, folder) in
      guard let first = command(peer, folder, 0) else { throw BenchmarkError("\(peer.name) has no \(key)") }
      return Entrant(peer: peer.name) { round in command(peer, folder, round) ?? first }
    }
    let before = try (belfry.count(in: own), todoman.count(in: theirs))
    let measured = try bench.contest("\(key) among files", entrants, rounds: 15)
    // Everything that was added is in a file, and nothing else is.
    let added = key == "add" ? measured.map { $0.samples.count + 1 } : [0, 0]
    let after = try (belfry.count(in: own), todoman.count(in: theirs))
    guard after.0 - before.0 >= added[0], after.1 - before.1 >= added[1] else {
      throw BenchmarkError("\(key): \(after.0 - before.0) and \(after.1 - before.1) files were added")
    }
    var row = Row("vdir-\(key)", "\(verb), \(what)", measured)
    row.hold(to: Todoman.name, atMost: 0.5)
    return row
  }

  // MARK: Changes by others

  private func changed() throws -> Row {
    let count = bench.scale.files.todos
    let folder = try folder(count, as: "changed")
    _ = try shown(folder).output()
    let daemon = try RunningProcess(belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    defer { daemon.stop() }
    Clock.sleep(milliseconds: 3_000)
    Progress.tell("\(Self.changes) changes among \(words(count)) …")
    let (database, shell) = (try state(folder), try Surroundings.program("sqlite3", package: "sqlite3"))
    var latencies: [Double] = []
    for change in 0..<Self.changes {
      let due = SampleItems.addedInstant + change * 60
      let planned = Command(
        program: shell,
        arguments: ["-readonly", database, "SELECT count(*) FROM reminder WHERE state = 0 AND fire_date = \(due)"],
        environment: Surroundings.variables(home: folder))
      // At another second of each minute.
      let second = Double(5 + change * 50 / Self.changes)
      let passed = Clock.wall.truncatingRemainder(dividingBy: 60)
      Clock.sleep(milliseconds: (passed < second ? second - passed : 60 + second - passed) * 1e3)
      let start = Clock.monotonic
      try CalendarFiles.writeTodo(change * 7 % count, "Moved \(change)", due: due, to: "\(folder)/belfry.vdir/inbox")
      while try LimitPrograms.number(planned) != 1 {
        guard Clock.monotonic - start < 90_000 else { throw daemon.failure("did not plan a change within 90 seconds") }
        Clock.sleep(milliseconds: 5)
      }
      latencies.append(Clock.monotonic - start)
    }
    var row = Row(
      "vdir-change", "from a file replaced by another program until its reminder is planned, \(words(count))",
      .milliseconds)
    row.add(Belfry.name, latencies)
    row.hold(latencies.max(), "worst ", atMost: 61_000)
    return row
  }

  // MARK: Events

  private func agenda() throws -> Row {
    let count = bench.scale.files.events
    let folder = try bench.scratch.folder("events")
    let events = "\(folder)/belfry.vdir/events"
    try CalendarFiles.writeEvents(SampleItems(count: count), every: Self.distance, to: events)
    try "store: { type: vdir, path: belfry.vdir, events: true }\n"
      .write(toFile: "\(folder)/belfry.yaml", atomically: false, encoding: .utf8)
    let khal = try Khal(bench, events: events)
    let own = belfry.agenda(days: Self.days, in: folder)
    let theirs = khal.agenda(days: Self.days)
    // Nearly all of the days are shown whole.
    let least = min(count, (Self.days - 1) * 24 * 60 / Self.distance)
    for (name, command) in [(Belfry.name, own), (Khal.name, theirs)] {
      let shown = try command.output().split(separator: "\n").count { $0.contains("Item ") }
      guard shown >= least * 9 / 10 else { throw BenchmarkError("\(name) shows \(shown) of \(least) events or more") }
    }
    var row = Row(
      "vdir-agenda", "`agenda` of \(Self.days) days, \(Figure.grouped(count)) events in iCalendar files",
      try bench.contest(
        "agenda", [Entrant(peer: Belfry.name) { _ in own }, Entrant(peer: Khal.name) { _ in theirs }], rounds: 10))
    row.hold(to: Khal.name, atMost: 0.25)
    return row
  }

  // MARK: A daemon

  private func scheduled() throws -> [Row] {
    let count = bench.scale.files.scheduled
    let folder = try folder(count, as: "scheduled")
    let what = words(count)
    var first = Row("vdir-first-start", "first `belfryd --once`, \(what)", .milliseconds)
    first.add(Belfry.name, [try belfry.daemon(in: folder, ["--once"]).measured().wall])
    guard try belfry.count(in: folder) == count else { throw BenchmarkError("not all files became items") }
    let once = belfry.daemon(in: folder, ["--once"])
    var start = Row(
      "vdir-start", "`belfryd --once`, nothing changed, \(what)",
      try bench.contest("start with many files", [Entrant(peer: Belfry.name) { _ in once }], rounds: 5))
    start.hold(start.own, atMost: 3_000)
    return [first, start] + (try idle(folder, what))
  }

  private func idle(_ folder: String, _ what: String) throws -> [Row] {
    let daemon = try RunningProcess(belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    defer { daemon.stop() }
    let seconds = Double(bench.scale.watch)
    Clock.sleep(milliseconds: bench.scale.watch < 60 ? 3_000 : 20_000)
    Progress.tell("Watching an idle daemon with \(what) for \(Int(seconds)) seconds …")
    let (begin, time) = (try Usage(of: daemon), Clock.monotonic)
    Clock.sleep(milliseconds: seconds * 1e3)
    let (end, hours) = (try Usage(of: daemon), (Clock.monotonic - time) / 3_600_000)
    var memory = Row("vdir-idle-memory", "idle `belfryd`, \(what): resident memory", .mebibytes)
    memory.add(Belfry.name, [end.memory])
    memory.hold(memory.own, atMost: 64)
    var processor = Row("vdir-idle-cpu", "idle `belfryd`, \(what): processor time", .secondsPerHour)
    processor.add(Belfry.name, [(end.processor - begin.processor) / hours])
    var wakes = Row("vdir-idle-wakes", "idle `belfryd`, \(what): wake-ups", .perHour)
    wakes.add(Belfry.name, [Double(end.wakes - begin.wakes) / hours])
    return [memory, processor, wakes]
  }

  // MARK: Folders

  // A folder of files that Belfry has never read.
  private func folder(_ count: Int, as name: String) throws -> String {
    let folder = try bench.scratch.folder("folder-\(name)")
    Progress.tell("\(words(count)): preparing …")
    try CalendarFiles.writeTodos(SampleItems(count: count), to: "\(folder)/belfry.vdir/inbox")
    try belfry.configure(folder)
    return folder
  }

  private func shown(_ folder: String) throws -> Command {
    guard let command = belfry.showNext(in: folder) else { throw BenchmarkError("Belfry has no show") }
    return command
  }

  private func forget(_ folder: String) throws {
    for path in [".local", "belfry.vdir/.belfry-vdir"] {
      let path = "\(folder)/\(path)"
      if access(path, F_OK) == 0 { try FileManager.default.removeItem(atPath: path) }
    }
  }

  // The database beside the folder.
  private func state(_ folder: String) throws -> String {
    let states = "\(folder)/.local/state/belfry/vdir"
    guard let state = try FileManager.default.contentsOfDirectory(atPath: states).first else {
      throw BenchmarkError("there is no state in \(states)")
    }
    return "\(states)/\(state)/belfry.sqlite"
  }
}
