import ArgumentParser
import BelfryModel
import BelfryPlugins
import FoundationEssentials
import Glibc
import OrderedJSON
import SystemFiles

/// `belfry service`.
struct Service: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Run the daemon as a service of systemd.",
    discussion: """
      belfry service install          from now on, and after each login
      belfry service status           succeeds only while a daemon runs
      belfry service logs -f
      """,
    subcommands: [InstallService.self, ServiceStatus.self, ServiceLogs.self])
}

/// `belfry service install`.
struct InstallService: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install a user unit of systemd and start it.",
    discussion: """
      belfry service install

      The unit starts the belfryd beside this program. A unit that you have edited is kept, except with --force;
      'systemctl --user edit belfry' keeps changes in a separate file.
      """)

  @Flag(name: .long, help: "Replace an edited unit.")
  var force = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    let session = try Session(options)
    let unit = try UserUnit(program: DaemonProgram.path(), arguments: arguments(session), variables: variables(session))
    guard let folder = Assembly.environment.folder("XDG_CONFIG_HOME", orInHome: ".config") else {
      throw BelfryError(.cannotCreate, "the home folder is unknown", hint: "set HOME")
    }
    let path = "\(folder)/systemd/user/\(UserManager.unit)"
    try write(unit.text, to: path, session.console)
    try start(session)
  }

  private func write(_ text: String, to path: String, _ console: Console) throws {
    let present = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    if present == text { return console.report("\(path) is there already.") }
    if let present, !force, !UserUnit.isUntouched(present) {
      throw BelfryError(
        .cannotCreate, "\(path) is not as this command has written it, and was left as it is",
        hint: "--force replaces it; 'systemctl --user edit belfry' keeps your changes apart")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if let code = PrivateFolder.make(at: folder) {
      throw BelfryError(.cannotCreate, "\(folder) cannot be created: \(String(cString: strerror(code)))")
    }
    try OutputFile.write(path) { try $0(Array(text.utf8)) }
    console.report("Wrote \(path), which runs \(try DaemonProgram.path()).")
  }

  private func start(_ session: Session) throws {
    let console = session.console
    guard let manager = UserManager(environment: ProcessInfo.processInfo.environment) else {
      console.report("No systemd of yours answers here. Where it does, these start the service:")
      console.report("  systemctl --user daemon-reload")
      console.report("  systemctl --user enable --now belfry")
      console.report("Without systemd: 'belfry run' rings until Ctrl-C.")
      return
    }
    if let daemon = RunningDaemon(store: session.belfry.store.location),
      manager.properties()["MainPID"] != "\(daemon.process)"
    {
      throw BelfryError(
        .tryAgain, "another belfryd (process \(daemon.process)) rings already, and the service was not started",
        hint: "stop that one (kill \(daemon.process)), then run this again")
    }
    try manager.enableAndRestart()
    console.report("The service runs, and starts with each login.")
    console.report("  belfry service status        how it is; 'belfry service logs' what it said")
    console.report("  loginctl enable-linger       lets it ring while you are logged out as well")
  }

  // The service does not get this shell's variables, so the config's path goes into the unit.
  private func arguments(_ session: Session) -> [String] {
    guard let source = session.assembly.configuration.source else { return [] }
    let path = URL(fileURLWithPath: source).path
    let found = Assembly.environment.home.map { "\($0)/.config/belfry/config.yaml" }
    return path == found || path == "/etc/belfry/config.yaml" ? [] : ["--config", path]
  }

  private func variables(_ session: Session) -> [(name: String, value: String)] {
    guard session.assembly.configuration.source == nil,
      let folder = Assembly.environment.variables["XDG_DATA_HOME"], folder.hasPrefix("/")
    else { return [] }
    return [("XDG_DATA_HOME", folder)]
  }
}

/// `belfry service status`.
struct ServiceStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether a daemon runs, and the state of the service.",
    discussion: """
      belfry service status

      Exit status: 0 if a daemon of this store runs, otherwise 69.
      """)

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let store = session.belfry.store.location
    let daemon = RunningDaemon(store: store)
    let unit = UserManager(environment: ProcessInfo.processInfo.environment)?.properties()
    if options.json {
      let zone = try session.belfry.configuredZone()
      try session.console.print([
        [
          "running": .bool(daemon != nil), "process": daemon.map { .integer(Int64($0.process)) } ?? .null,
          "since": daemon.map { .string(zone.rfc3339($0.since)) } ?? .null, "store": .string(store),
          "unit": unit?["UnitFileState"].flatMap { $0.isEmpty ? nil : .string($0) } ?? .null,
          "unit_state": unit?["ActiveState"].map { .string($0) } ?? .null,
          "status": unit?["StatusText"].flatMap { $0.isEmpty ? nil : .string($0) } ?? .null,
        ]
      ])
    } else {
      try session.console.print(try lines(session, daemon, unit).joined(separator: "\n"))
    }
    guard daemon == nil else { return }
    throw BelfryError(
      .refused, "no daemon runs on \(store): nothing rings",
      hint: "'belfry service install' starts one with each login, 'belfry run' until Ctrl-C")
  }

  private func lines(_ session: Session, _ daemon: RunningDaemon?, _ unit: [String: String]?) throws -> [String] {
    let style = session.console.style
    let zone = try session.belfry.configuredZone()
    var lines: [String] = []
    if let daemon {
      lines.append("Daemon  \(style.green("runs")), process \(daemon.process), since \(zone.readable(daemon.since))")
    } else {
      lines.append("Daemon  \(style.red("does not run"))")
    }
    lines.append("Store   \(session.belfry.store.location.visibleLine)")
    lines.append("Unit    \(Self.words(unit))")
    if let status = unit?["StatusText"], !status.isEmpty { lines.append("Says    \(status.visibleLine)") }
    return lines
  }

  private static func words(_ unit: [String: String]?) -> String {
    guard let unit else { return "no systemd of yours answers here" }
    guard unit["LoadState"] == "loaded" else { return "not installed" }
    return
      "\(unit["UnitFileState"] ?? "unknown"), \(unit["ActiveState"] ?? "unknown") (\(unit["SubState"] ?? "unknown"))"
  }
}

/// `belfry service logs`, which becomes `journalctl`.
struct ServiceLogs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logs", abstract: "Show the log of the daemon, from journalctl.",
    discussion: """
      belfry service logs -n 20
      belfry service logs -f
      """)

  @Option(name: .short, help: ArgumentHelp("The number of lines, the latest; 50 by default.", valueName: "n"))
  var number: Int?

  @Flag(name: .shortAndLong, help: "Follow the log until Ctrl-C.")
  var follow = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if let number, number < 1 { throw ValidationError("-n takes a whole number from 1.") }
  }

  func run() throws {
    var words = ["journalctl", "--user", "--unit=\(UserManager.unit)", "--lines=\(number ?? 50)"]
    if follow { words.append("--follow") }
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    execvp("journalctl", &pointers)
    throw BelfryError(
      .notFound, "cannot start journalctl: \(String(cString: strerror(errno)))",
      hint: "without systemd the daemon's log goes to the standard error of whoever started it")
  }
}
