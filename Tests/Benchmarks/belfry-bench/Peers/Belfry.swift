import Foundation

/// Belfry with a one-line config: the SQLite store, as after `belfry init`.
struct Belfry: Peer {
  static let name = "Belfry"
  var name: String { Self.name }
  let settings = "SQLite store as it comes (WAL, synchronous=FULL), config file of one line"
  let mostItems = 1_000_000
  private let store: String
  private let program: String
  private let daemonProgram: String
  private let webProgram: String

  /// The programs in a folder, with a type of store.
  init(folder: String, store: String = "sqlite") throws {
    self.store = store
    program = "\(folder)/belfry"
    daemonProgram = "\(folder)/belfryd"
    webProgram = "\(folder)/belfry-web"
    for path in [program, daemonProgram, webProgram] where access(path, X_OK) != 0 {
      throw BenchmarkError("there is no \(path): build it first, or name its folder with --bin")
    }
  }

  var startUp: Command? { command(["--version"], in: "/nonexistent") }

  func version() throws -> String {
    try command(["--version"], in: "/nonexistent").output().trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func prepare(_ items: SampleItems, in folder: String) throws {
    try configure(folder)
    let file = "\(folder)/items.plist"
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><array><dict><key>name</key><string>Inbox</string><key>items</key><array>

      """
    for index in 0..<items.count {
      text += "<dict><key>text</key><string>\(items.text(index))</string><key>checked</key><false/>"
      text += "<key>dueDate</key><date>\(Timestamp.text(items.due(index)))</date>"
      text += "<key>shouldRemind</key><true/></dict>\n"
    }
    text += "</array></dict></array></plist>\n"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    _ = try importing(file, in: folder).output()
  }

  func addOne(in folder: String) -> Command? {
    command(["add", SampleItems.addedText, "--due", SampleItems.addedDue], in: folder)
  }

  func showNext(in folder: String) -> Command? { command(["show", "-n", "20"], in: folder) }

  func checkOne(_ number: Int, in folder: String) -> Command? { command(["check", "\(number)"], in: folder) }

  /// The command that shows the 20 reminders that ring next.
  func showPending(in folder: String) -> Command { command(["pending", "-n", "20"], in: folder) }

  /// The command that shows what rings in the next days.
  func agenda(days: Int, in folder: String) -> Command { command(["agenda", "--days", "\(days)"], in: folder) }

  func count(in folder: String) throws -> Int {
    struct List: Decodable { var items: Int }
    let output = try command(["lists", "--json"], in: folder).output()
    return try JSONDecoder().decode([List].self, from: Data(output.utf8)).reduce(0) { $0 + $1.items }
  }

  func importing(_ file: String, in folder: String) -> Command { command(["import", file], in: folder) }

  /// Writes the config of a folder, with further lines.
  func configure(_ folder: String, _ more: String = "") throws {
    try "store: { type: \(store), path: belfry.\(store) }\n\(more)"
      .write(toFile: "\(folder)/belfry.yaml", atomically: false, encoding: .utf8)
  }

  /// Adds many items that are due at one instant, to the default list or to one that may be new.
  func add(_ texts: [String], due: Int, to list: String? = nil, in folder: String) throws {
    _ = try adding(texts, due: due, to: list, in: folder).output()
  }

  /// Adds many items due at the next full minute, and waits until they are overdue. It uses the real clock, the only
  /// one for a program without libraries.
  func addOverdue(_ texts: [String], in folder: String) throws {
    // They must count as late, not missed, however long the benchmark takes.
    try configure(folder, Self.patient)
    let due = (Int(Clock.wall + 10) / 60 + 1) * 60
    try add(texts, due: due, in: folder)
    Clock.sleep(milliseconds: (Double(due) - Clock.wall) * 1e3)
  }

  /// The config line by which overdue reminders still fire.
  static let patient = "missed: { grace: 1d }\n"

  private func adding(_ texts: [String], due: Int, to list: String?, in folder: String) throws -> Command {
    let choice = list.map { ["--list", $0, "--create"] } ?? []
    var command = command(["add", "-", "--due", Timestamp.text(due)] + choice, in: folder)
    command.input = "\(folder)/texts"
    try (texts.joined(separator: "\n") + "\n").write(toFile: command.input, atomically: false, encoding: .utf8)
    return command
  }

  /// The command that runs the daemon.
  func daemon(in folder: String, _ arguments: [String] = []) -> Command {
    var daemon = command(arguments, in: folder)
    daemon.program = daemonProgram
    return daemon
  }

  /// The command that runs the web face.
  func web(in folder: String) -> Command {
    var web = command([], in: folder)
    web.program = webProgram
    return web
  }

  /// Makes an access token for everything, and with it the file beside the store that the web face then reads.
  @discardableResult func addAccess(in folder: String) throws -> String {
    let output = try command(["access", "add", "phone", "--scope", "admin"], in: folder).output()
    return output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("bfy_") }.map(String.init) ?? ""
  }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(
      program: program, arguments: arguments,
      environment: Surroundings.variables(home: folder, ["BELFRY_CONFIG": "\(folder)/belfry.yaml"]))
  }
}
