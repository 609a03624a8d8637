import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Belfry is stopped after each system call of its changes and of its ringing. Another program writes then: todoman the
/// same to-do, a phone through Radicale and vdirsyncer, khal an event. Then Belfry is killed, or goes on.
@Suite("A list that other programs change within each change of Belfry", .ownThread)
struct StoppedChangesTests {
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  /// The days, and how often each change is made on one: a month with `BELFRY_DEEP=1`.
  private static let (days, rounds) = isDeep ? (30, 2) : (2, 1)

  /// What is to be seen of a to-do.
  private struct Seen: Hashable {
    var isDone = false
    /// Where it takes place, which only other programs write.
    var place: String?
  }

  private let programs: CalendarPrograms
  private let box: Sandbox

  init() throws {
    programs = try CalendarPrograms()
    box = programs.box
  }

  private enum Change: String, CaseIterable {
    case add
    case edit
    case check
    case delete
  }

  /// What happened so far.
  private struct Course {
    var random = SeededGenerator(seed: 38)
    var seen: [String: Seen] = [:]
    var events: Set<String> = []
    var points: [Change: StopPoints] = [:]
    var ringing = StopPoints()
    var writes = 0
    /// How many stops there were: then killed, and gone on.
    var (killed, goneOn) = (0, 0)
  }

  @Test("no change of any program is lost, nothing rings twice, and all agree each evening")
  func days() async throws {
    var course = Course()
    try await box.belfry("list", "create", "home", options: .at("2096-12-01 07:00:00")).requireDone()
    try programs.vdirsyncer.discover()
    for name in ["first", "second", "third"] {
      try programs.todo("new", "--due", "2096-12-31 09:00", "the \(name)")
      course.seen["the \(name)"] = Seen()
    }
    for number in 1...Self.days {
      let day = "2096-12-\(number < 10 ? "0" : "")\(number)"
      for name in ["todoman", "other", "third"] {
        try programs.todo("new", "--due", "\(day) 09:00", "\(name) \(number)")
        course.seen["\(name) \(number)"] = Seen()
      }
      for round in 1...Self.rounds {
        for (place, change) in Change.allCases.enumerated() {
          let text = "belfry \(number)-\(round)"
          try await make(change, text, on: number, at: "\(day) 0\(6 + round):\(10 + place * 10):00", &course)
        }
      }
      try await ring(number, on: day, &course)
      try programs.vdirsyncer.sync()
      #expect(try await shown(at: "\(day) 20:00:00") == course.seen, "day \(number)")
      #expect(try todomanShows() == course.seen, "day \(number)")
      #expect(try phoneShows() == course.seen, "day \(number)")
      let events = try programs.khal("list", "--format", "{title}", "--day-format", "", "2096-12-01", "31d")
      #expect(Set(events) == course.events, "day \(number)")
      try await box.belfry("store", "check", options: .at("\(day) 20:01:00")).requireDone()
    }
    let stops =
      "killed after \(course.killed) calls, gone on after \(course.goneOn); other programs wrote \(course.writes) times"
    print("\(Self.days) days: \(stops)")
    #expect(course.killed >= 2 * Self.days && course.goneOn >= Self.days && course.writes > 4 * Self.days, "\(stops)")
  }

  // MARK: Changes

  // Adds a to-do with a text, or changes one of those that do not ring today.
  private func make(
    _ change: Change, _ new: String, on number: Int, at clock: String, _ course: inout Course
  ) async throws {
    var words = [try Programs.belfry]
    var text = new
    if change == .add {
      words += ["add", text, "-l", "home", "--due", "2096-12-31 09:00"]
    } else {
      let isDone = change == .delete
      let all = course.seen.filter { $0.value.isDone == isDone && !$0.key.hasSuffix(" \(number)") }.keys
      guard let chosen = all.sorted().randomElement(using: &course.random) else { return }
      text = chosen
      words += try await [change.rawValue, id(of: text, at: clock)]
      if change == .edit { words += ["--notes", "notes of day \(number)"] }
    }
    let point = course.points[change, default: StopPoints()].next()
    let isKilled = Bool.random(using: &course.random)
    let before = course.seen[text]
    var changed = course
    let end = try await box.stopped(words, at: point, isKilled: isKilled, .at(clock)) {
      try await write(besides: change == .add ? nil : text, &changed)
    }
    course = changed
    let items = try await items(at: clock)
    let item = items.first { $0["text"]?.text == text }
    var isMade = true
    switch end {
    case .ended(let end):
      course.points[change]?.end(point.call)
      #expect(end == .exited(0), "\(change)")
    case .goneOn(let end):
      course.goneOn += 1
      // A deletion is lost to what another program writes into the file in the same moment.
      let isLost = change == .delete && item != nil && course.seen[text] != before
      #expect(end == .exited(isLost ? 75 : 0), "\(change) at \(point)")
    case .killed:
      course.killed += 1
      isMade =
        switch change {
        case .add: item != nil
        case .edit: item?["notes"]?.text == "notes of day \(number)"
        case .check: item?["is_checked"]?.bool == true
        case .delete: item == nil
        }
    }
    let said = "\(change) at \(point): \(end)"
    switch change {
    case .add: if isMade { course.seen[text] = Seen() }
    case .edit: #expect(!isMade || item?["notes"]?.text == "notes of day \(number)", "\(said)")
    case .check: if isMade { course.seen[text]?.isDone = true }
    case .delete:
      // What another program has written meanwhile is not deleted with it, unless it was there before Belfry looked.
      let isWritten = course.seen[text] != before
      if isMade, item == nil { course.seen[text] = nil }
      #expect(item == nil || !isMade || isWritten, "\(said)")
    }
    #expect(try await shown(at: clock) == course.seen, "\(said)")
  }

  /// Another program writes.
  ///
  /// - Parameter text: the to-do that Belfry changes.
  private func write(besides text: String?, _ course: inout Course) async throws {
    course.writes += 1
    let number = course.writes
    switch number % 4 {
    case 0:
      try programs.khal("new", "--alarms", "10m", "2096-12-30", "09:10", "09:40", "khal \(number)")
      course.events.insert("khal \(number)")
    case 2:
      try programs.server.phone(
        "calendar('home').save_todo(summary=given[0], due=datetime.datetime(2096, 12, 31, 9))", ["phone \(number)"])
      course.seen["phone \(number)"] = Seen()
      try programs.vdirsyncer.sync()
    default:
      let open = try programs.todos()
      let text = text ?? course.seen.keys.sorted().randomElement(using: &course.random)
      // Belfry may have deleted it.
      guard let text, let id = open.first(where: { $0["summary"] as? String == text })?["id"] as? Int else { return }
      try programs.todo("edit", "--location", "place \(number)", "\(id)")
      course.seen[text]?.place = "place \(number)"
    }
  }

  // MARK: Ringing

  private func ring(_ number: Int, on day: String, _ course: inout Course) async throws {
    let open = course.seen.filter { $0.key.hasSuffix(" \(number)") && !$0.value.isDone }.keys
      .filter { !$0.hasPrefix("belfry") && !$0.hasPrefix("phone") }
    var rings: [String: Set<String>] = [:]
    let words = [try Programs.belfryd, "--once"]
    for attempt in 1...3 {
      let run = box.path("run-\(number)-\(attempt)")
      let clock = "\(day) 09:00:\(attempt)0"
      if attempt < 3 {
        let point = course.ringing.next()
        var changed = course
        let end = try await box.stopped(
          words, at: point, isKilled: true, RunOptions(output: .writing(run), clock: clock)
        ) {
          try await write(besides: open.sorted().first, &changed)
        }
        course = changed
        if case .killed = end { course.killed += 1 } else { course.ringing.end(point.call) }
      } else {
        let end = try box.start(
          bytes: words.map { Array($0.utf8) }, RunOptions(output: .writing(run), clock: clock))
        #expect(await end.end == .exited(0))
      }
      for line in box.text(run).split(separator: "\n") {
        guard let data = try? JSON(String(line))["data"], let text = data["item"]?["text"]?.text else { continue }
        rings[text, default: []].insert(data["reminder_id"]?.text ?? "")
      }
    }
    #expect(Set(rings.keys) == Set(open), "day \(number)")
    // A repeat after a kill has the same identity; nothing has two.
    for (text, ids) in rings { #expect(ids.count == 1, "\(text)") }
  }

  // MARK: What each shows

  private func items(at clock: String) async throws -> [JSON] {
    try await box.json("show", "--all", "-l", "home", at: clock).elements ?? []
  }

  private func id(of text: String, at clock: String) async throws -> String {
    let item = try await items(at: clock).first { $0["text"]?.text == text }
    return "\(try #require(item?["id"]?.integer))"
  }

  private func shown(at clock: String) async throws -> [String: Seen] {
    let items = try await items(at: clock)
    return Dictionary(
      items.map { item in
        let lines = item["properties"]?.elements?.compactMap(\.text) ?? []
        let place = lines.first { $0.hasPrefix("LOCATION:") }.map { String($0.dropFirst(9)) }
        return (item["text"]?.text ?? "", Seen(isDone: item["is_checked"]?.bool ?? false, place: place))
      }
    ) { $1 }
  }

  private func todomanShows() throws -> [String: Seen] {
    Dictionary(
      try programs.todos().map { todo in
        let place = (todo["location"] as? String).flatMap { $0.isEmpty ? nil : $0 }
        return (todo["summary"] as? String ?? "", Seen(isDone: todo["completed"] as? Bool ?? false, place: place))
      }
    ) { $1 }
  }

  private func phoneShows() throws -> [String: Seen] {
    let lines = try programs.server.phone(
      """
      for t in todos('home'):
        print('STATUS:COMPLETED' in t.data, t.icalendar_component.get('LOCATION') or '-', summary(t), sep='\\t')
      """)
    return Dictionary(
      lines.split(separator: "\n").map { line in
        let parts = line.split(separator: "\t").map(String.init)
        return (parts[2], Seen(isDone: parts[0] == "True", place: parts[1] == "-" ? nil : parts[1]))
      }
    ) { $1 }
  }
}
