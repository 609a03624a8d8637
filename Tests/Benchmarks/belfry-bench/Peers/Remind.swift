import Foundation

/// remind, whose store is a script written by hand: adding and checking edit a text file.
struct Remind: Peer {
  static let name = "remind"
  var name: String { Self.name }
  let settings = """
    one `REM` line an item; adds with `echo >>` and checks with `sed -i`, neither synced; shows with \
    `remind -n | sort | head -n 20`; rings with `-f`, idles with `-z`
    """
  let mostItems = 100_000
  private let program: String

  init() throws { program = try Surroundings.program("remind", package: "remind") }

  var startUp: Command? { command(["/dev/null"], in: "/nonexistent") }

  func version() throws -> String { try Surroundings.packageVersion("remind") }

  func prepare(_ items: SampleItems, in folder: String) throws {
    try write((0..<items.count).map { (items.text($0), items.due($0)) }, in: folder)
  }

  /// Writes a script of reminders, on the machine's clock or in UTC.
  func write(_ reminders: [(text: String, due: Int)], isLocal: Bool = true, in folder: String) throws {
    let lines = reminders.map { Self.line($0.text, $0.due, isLocal: isLocal) + "\n" }
    try lines.joined().write(toFile: Self.file(folder), atomically: false, encoding: .utf8)
  }

  func addOne(in folder: String) -> Command? {
    shell("echo '\(Self.line(SampleItems.addedText, SampleItems.addedInstant))' >> \(Self.file(folder))", in: folder)
  }

  func showNext(in folder: String) -> Command? {
    shell("'\(program)' -n \(Self.file(folder)) | sort | head -n 20", in: folder)
  }

  func checkOne(_ number: Int, in folder: String) -> Command? {
    shell("sed -i '\(number)s/^/# /' \(Self.file(folder))", in: folder)
  }

  func count(in folder: String) throws -> Int {
    try String(contentsOfFile: Self.file(folder), encoding: .utf8).utf8.count { $0 == UInt8(ascii: "\n") }
  }

  /// The command that fires what is still due today, in the foreground, until nothing is left; `zone` is a POSIX `TZ`.
  func ring(in folder: String, zone: String) -> Command {
    var command = command(["-f", "-a", "-h", Self.file(folder)], in: folder)
    command.environment["TZ"] = zone
    return command
  }

  /// The command that waits for due reminders, and checks its file once a minute.
  func daemon(in folder: String) -> Command { command(["-z1", Self.file(folder)], in: folder) }

  private static func file(_ folder: String) -> String { "\(folder)/reminders.rem" }

  private static func line(_ text: String, _ due: Int, isLocal: Bool = true) -> String {
    "REM \(Timestamp.format(due, "%Y-%m-%d AT %H:%M", isLocal: isLocal)) MSG \(text)"
  }

  private func shell(_ line: String, in folder: String) -> Command {
    Command(program: "/bin/sh", arguments: ["-c", line], environment: Surroundings.variables(home: folder))
  }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(program: program, arguments: arguments, environment: Surroundings.variables(home: folder))
  }
}
