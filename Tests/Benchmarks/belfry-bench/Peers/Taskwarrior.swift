import Foundation

/// Taskwarrior, filled through its own import.
struct Taskwarrior: Peer {
  static let name = "Taskwarrior"
  var name: String { Self.name }
  let settings = "as it comes, without hooks, confirmation and messages; shows with `limit:20 list`"
  let mostItems = 100_000
  private let program: String

  init() throws { program = try Surroundings.program("task", package: "taskwarrior") }

  var startUp: Command? { command(["--version"], in: "/nonexistent") }

  func version() throws -> String {
    try command(["--version"], in: "/nonexistent").output().trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func prepare(_ items: SampleItems, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
    try "data.location=\(folder)/data\nconfirmation=no\nhooks=off\nverbose=nothing\n"
      .write(toFile: "\(folder)/taskrc", atomically: false, encoding: .utf8)
    var lines = ""
    for index in 0..<items.count {
      let due = Timestamp.text(items.due(index)).filter { $0 != "-" && $0 != ":" }
      lines += #"{"description":"\#(items.text(index))","status":"pending","due":"\#(due)"}"# + "\n"
    }
    try lines.write(toFile: "\(folder)/items.json", atomically: false, encoding: .utf8)
    _ = try command(["import", "\(folder)/items.json"], in: folder).output()
  }

  func addOne(in folder: String) -> Command? {
    command(["add", SampleItems.addedText, "due:\(SampleItems.addedDue)"], in: folder)
  }

  func showNext(in folder: String) -> Command? { command(["limit:20", "list"], in: folder) }

  func checkOne(_ number: Int, in folder: String) -> Command? { command(["\(number)", "done"], in: folder) }

  func count(in folder: String) throws -> Int {
    let output = try command(["count"], in: folder).output()
    return output.split(whereSeparator: \.isNewline).last.flatMap { Int($0) } ?? -1
  }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(
      program: program, arguments: arguments,
      environment: Surroundings.variables(home: folder, ["TASKRC": "\(folder)/taskrc", "TASKDATA": "\(folder)/data"]))
  }
}
