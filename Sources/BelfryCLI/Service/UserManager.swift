import BelfryModel
import FoundationEssentials
import Glibc

/// The systemd that runs this user's services.
struct UserManager {
  /// The daemon's service.
  static let daemon = "belfry.service"
  /// The web face's service.
  static let web = "belfry-web.service"
  /// The socket that starts the web face.
  static let webSocket = "belfry-web.socket"
  /// All of them, each before those that it starts.
  static let units = [webSocket, web, daemon]

  /// The user's systemd; `nil` where there is none, as in most containers.
  init?(environment: [String: String]) {
    guard let folder = environment["XDG_RUNTIME_DIR"], access("\(folder)/systemd/private", F_OK) == 0,
      ProgramRun.path(of: "systemctl", environment) != nil
    else { return nil }
  }

  /// A unit's properties; empty where systemctl fails.
  func properties(of unit: String) -> [String: String] {
    let names = ["LoadState", "UnitFileState", "ActiveState", "SubState", "MainPID", "StatusText"]
    guard
      let run = try? ProgramRun([
        "systemctl", "--user", "show", unit, "--property=" + names.joined(separator: ","),
      ]),
      run.status == 0
    else { return [:] }
    let pairs = run.output.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs) { $1 }
  }

  /// Reads the units anew, enables the daemon and restarts it.
  ///
  /// - Throws: ``BelfryError`` `.refused` with systemctl's message; so do the others.
  func startDaemon() throws {
    try reload()
    try run("enable", Self.daemon)
    try run("restart", Self.daemon)
  }

  /// Enables the web face's socket and restarts it; the next visitor starts the service.
  func startWeb() throws {
    // A socket whose service runs does not start.
    try run("stop", Self.web)
    try run("enable", Self.webSocket)
    try run("restart", Self.webSocket)
  }

  /// Disables and stops units, before their files go.
  func disable(_ units: [String]) throws {
    for unit in units { try run("disable", "--now", unit) }
  }

  /// Reads the units anew.
  func reload() throws { try run("daemon-reload") }

  private func run(_ words: String...) throws {
    let run = try ProgramRun(["systemctl", "--user"] + words)
    guard run.status != 0 else { return }
    let said = run.messages.split(separator: "\n").first.map { ": \($0)" } ?? ""
    throw BelfryError(
      .refused, "'systemctl --user \(words.joined(separator: " "))' failed\(said)",
      hint: "'belfry service logs' tells what the programs said")
  }
}

/// A finished run of another program.
struct ProgramRun {
  /// The exit status; 128 and the signal's number for a killed program.
  let status: Int32
  /// The text of standard output.
  let output: String
  /// The text of standard error.
  let messages: String

  /// Runs a program found by `PATH`.
  ///
  /// - Throws: ``BelfryError`` `.notFound` where it is not installed.
  init(_ words: [String]) throws {
    guard let path = Self.path(of: words[0], ProcessInfo.processInfo.environment) else {
      throw BelfryError(.notFound, "there is no program '\(words[0])' on this machine")
    }
    // Foundation's Process waits on a clock that stands still under faketime.
    let output = try Pipe()
    let messages = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, messages.writing, STDERR_FILENO)
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, nil, &pointers, environ)
    guard code == 0 else {
      throw BelfryError(.notFound, "cannot start \(path): \(String(cString: strerror(code)))")
    }
    // Both are short: neither pipe fills up while the other is read.
    self.output = output.text()
    self.messages = messages.text()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    self.status = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
  }

  /// The path of a program by `PATH`; a path is returned as it is.
  static func path(of name: String, _ environment: [String: String]) -> String? {
    if name.contains("/") { return name }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

/// A pipe from a program to this one.
private final class Pipe {
  let writing: Int32
  private let reading: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw BelfryError(.storeFailed, "the system gave no pipe: \(String(cString: strerror(errno)))")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  /// The program's output, once it has closed its end.
  func text() -> String {
    close(writing)
    defer { close(reading) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
