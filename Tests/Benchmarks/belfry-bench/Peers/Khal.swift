import Foundation

/// khal: events in iCalendar files, with a cache in SQLite.
struct Khal {
  static let name = "khal"
  // Where `.ci/setup bench` installs it.
  private static let program = TestFiles.path("../.build-peers/bin/khal")
  private let folder: String

  /// Reads a folder of events once, which fills its cache.
  init(_ bench: BenchRun, events: String) throws {
    guard access(Self.program, X_OK) == 0 else {
      throw BenchmarkError("there is no \(Self.program); run: .ci/setup bench")
    }
    folder = try bench.scratch.folder("khal")
    let config = """
      [calendars]
      [[events]]
      path = \(events)
      [sqlite]
      path = \(folder)/khal.db
      [locale]
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M

      """
    try config.write(toFile: "\(folder)/config", atomically: false, encoding: .utf8)
    _ = try agenda(days: 1).output()
    let version = try command(["--version"]).output()
    bench.introduce(
      PeerDescription(
        Self.name, version: version.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? "",
        "`khal list now 7d`, its cache filled before"))
  }

  /// The command that shows the events of the next days.
  func agenda(days: Int) -> Command { command(["-c", "\(folder)/config", "list", "now", "\(days)d"]) }

  private func command(_ arguments: [String]) -> Command {
    Command(program: Self.program, arguments: arguments, environment: Surroundings.variables(home: folder))
  }
}
