import BelfryModel
import BelfryRuntime
import FoundationEssentials
import Glibc

/// The systemd that runs this user's services.
struct UserManager {
  static let daemon = "belfry.service"
  static let web = "belfry-web.service"
  /// The socket that starts the web face.
  static let webSocket = "belfry-web.socket"
  /// All units, each before the units that it starts.
  static let units = [webSocket, web, daemon]

  /// The user's systemd; `nil` if there is none, as in most containers.
  init?(environment: [String: String]) {
    guard let folder = environment["XDG_RUNTIME_DIR"], access("\(folder)/systemd/private", F_OK) == 0,
      ProgramRun.path(of: "systemctl", environment) != nil
    else { return nil }
  }

  /// A unit's properties; empty if systemctl fails.
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

  /// True if a daemon is that of its service.
  func runs(_ daemon: RunningDaemon) -> Bool { properties(of: Self.daemon)["MainPID"] == "\(daemon.process)" }

  /// Reloads the units, enables the daemon and restarts it.
  ///
  /// - Throws: ``BelfryError`` `.refused` with systemctl's message; so do the other methods.
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

  /// Disables and stops units, before their files are removed.
  func disable(_ units: [String]) throws {
    for unit in units { try run("disable", "--now", unit) }
  }

  /// Makes the service manager read its units again.
  func reload() throws { try run("daemon-reload") }

  private func run(_ words: String...) throws {
    let run = try ProgramRun(["systemctl", "--user"] + words)
    guard run.status != 0 else { return }
    let said = run.messages.split(separator: "\n").first.map { ": \($0)" } ?? ""
    throw BelfryError(
      .refused, "'systemctl --user \(words.joined(separator: " "))' failed\(said)",
      hint: "'belfry service logs' shows the output of the programs")
  }
}
