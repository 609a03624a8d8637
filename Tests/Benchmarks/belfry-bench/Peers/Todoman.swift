import Foundation

/// todoman: one file for each item, with a cache in SQLite.
struct Todoman: Peer {
  static let name = "todoman"
  var name: String { Self.name }
  let settings = "one iCalendar file an item; measured up to 1,000 items"
  let mostItems = 1_000
  private let program: String

  init() throws { program = try Surroundings.program("todoman", package: "todoman") }

  var startUp: Command? {
    Command(program: program, arguments: ["--version"], environment: Surroundings.variables(home: "/nonexistent"))
  }

  func version() throws -> String { try Surroundings.packageVersion("todoman") }

  func prepare(_ items: SampleItems, in folder: String) throws {
    try CalendarFiles.writeTodos(items, to: "\(folder)/lists/inbox")
    let config = """
      path = "\(folder)/lists/*"
      cache_path = "\(folder)/cache.sqlite3"
      date_format = "%Y-%m-%d"
      time_format = "%H:%M"
      default_list = "inbox"

      """
    try config.write(toFile: "\(folder)/config.py", atomically: false, encoding: .utf8)
    // Gives the items their numbers.
    _ = try command(["list"], in: folder).output()
  }

  func addOne(in folder: String) -> Command? {
    command(["new", "--due", "2037-12-31 00:00", SampleItems.addedText], in: folder)
  }

  func showNext(in folder: String) -> Command? {
    Command(
      program: "/bin/sh",
      arguments: ["-c", "'\(program)' --config '\(folder)/config.py' list --sort due | head -n 20"],
      environment: Surroundings.variables(home: folder))
  }

  func checkOne(_ number: Int, in folder: String) -> Command? { command(["done", "\(number)"], in: folder) }

  func count(in folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/lists/inbox").count { $0.hasSuffix(".ics") }
  }

  /// Forgets what it knows of the files.
  func forget(in folder: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/cache.sqlite3") }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(
      program: program, arguments: ["--config", "\(folder)/config.py"] + arguments,
      environment: Surroundings.variables(home: folder))
  }
}
