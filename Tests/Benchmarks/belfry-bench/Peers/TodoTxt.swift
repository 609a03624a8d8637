import Foundation

/// todo.txt-cli, with a text file as its store.
struct TodoTxt: Peer {
  let name = "todo.txt-cli"
  let settings = "Debian's config; adds without `fsync`; shows with `ls | head -n 20`, which sorts by text"
  let mostItems = 100_000
  let startUp: Command? = nil
  private let program: String

  init() throws { program = try Surroundings.program("todo-txt", package: "todotxt-cli") }

  func version() throws -> String { try Surroundings.packageVersion("todotxt-cli") }

  func prepare(_ items: SampleItems, in folder: String) throws {
    let config = """
      export TODO_DIR=\(folder)
      export TODO_FILE=\(folder)/todo.txt
      export DONE_FILE=\(folder)/done.txt
      export REPORT_FILE=\(folder)/report.txt
      export TMP_FILE=\(folder)/todo.tmp

      """
    try config.write(toFile: "\(folder)/config", atomically: false, encoding: .utf8)
    let text = (0..<items.count).map { "\(items.text($0)) due:\(Timestamp.format(items.due($0), "%Y-%m-%dT%H:%M"))\n" }
    try text.joined().write(toFile: "\(folder)/todo.txt", atomically: false, encoding: .utf8)
  }

  func addOne(in folder: String) -> Command? {
    command(["add", "\(SampleItems.addedText) due:\(SampleItems.addedDue)"], in: folder)
  }

  func showNext(in folder: String) -> Command? {
    Command(
      program: "/bin/sh", arguments: ["-c", "'\(program)' -p -d '\(folder)/config' ls | head -n 20"],
      environment: Surroundings.variables(home: folder))
  }

  func checkOne(_ number: Int, in folder: String) -> Command? { command(["-a", "do", "\(number)"], in: folder) }

  func count(in folder: String) throws -> Int {
    try String(contentsOfFile: "\(folder)/todo.txt", encoding: .utf8).utf8.count { $0 == UInt8(ascii: "\n") }
  }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(
      program: program, arguments: ["-p", "-d", "\(folder)/config"] + arguments,
      environment: Surroundings.variables(home: folder))
  }
}
