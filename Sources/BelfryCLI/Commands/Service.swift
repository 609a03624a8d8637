import ArgumentParser
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials
import Glibc
import OrderedJSON

struct Service: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "service", abstract: "Run the daemon as a service of systemd.",
    discussion: """
      belfry service install          from now on, and after each login
      belfry service status           succeeds only while a daemon runs
      belfry service logs -f
      belfry service uninstall
      """,
    subcommands: [InstallService.self, ServiceStatus.self, ServiceLogs.self, UninstallService.self])
}

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
    let daemon = RunningDaemon(store: session.belfry.store)
    let shared = session.assembly.configuration.store.isOnServer ? try session.belfry.store.daemons() : nil
    let isRunning = shared.map { !$0.isEmpty } ?? (daemon != nil)
    let manager = UserManager(environment: ProcessInfo.processInfo.environment)
    let unit = manager?.properties(of: UserManager.daemon)
    let web = manager?.properties(of: UserManager.webSocket)
    if options.json {
      let zone = try session.belfry.configuredZone()
      try session.console.print([
        [
          "running": .bool(isRunning),
          "process": daemon.map { .integer(Int64($0.process)) } ?? .null,
          "since": daemon.map { .string(zone.rfc3339($0.since)) } ?? .null, "store": .string(store),
          "unit": Self.json(unit?["UnitFileState"]), "unit_state": Self.json(unit?["ActiveState"]),
          "status": Self.json(unit?["StatusText"]), "web_unit": Self.json(web?["UnitFileState"]),
          "web_unit_state": Self.json(web?["ActiveState"]),
          "daemons": shared.map { .array($0.map { Self.json($0, zone) }) } ?? .null,
        ]
      ])
    } else {
      try session.console.print(try lines(session, daemon, shared, unit, web).joined(separator: "\n"))
    }
    guard !isRunning else { return }
    throw BelfryError(
      .refused, "no daemon runs on \(store): nothing rings",
      hint: "'belfry service install' starts one with each login, 'belfry run' until Ctrl-C")
  }

  private static func json(_ daemon: DaemonMember, _ zone: Zone) -> JSONValue {
    [
      "host": .string(daemon.host), "process": .integer(Int64(daemon.process)), "version": .string(daemon.version),
      "since": .string(zone.rfc3339(daemon.since)), "leads": .bool(daemon.leads),
      "sinks": .array(daemon.sinks.map { .string($0) }), "agrees": .bool(daemon.agrees),
      "has_keys": .bool(daemon.hasKeys),
    ]
  }

  private static func json(_ property: String?) -> JSONValue {
    property.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
  }

  private func lines(
    _ session: Session, _ daemon: RunningDaemon?, _ shared: [DaemonMember]?, _ unit: [String: String]?,
    _ web: [String: String]?
  ) throws -> [String] {
    let style = session.console.style
    let zone = try session.belfry.configuredZone()
    var lines: [String] = []
    if let daemon {
      lines.append("Daemon  \(style.green("runs")), process \(daemon.process), since \(zone.readable(daemon.since))")
    } else if let shared, !shared.isEmpty {
      lines.append("Daemons \(style.green("\(shared.count) on this store"))")
      lines += shared.map { "        \($0.words(zone).visibleLine)" }
    } else {
      lines.append("Daemon  \(style.red("does not run"))")
    }
    lines.append("Store   \(session.belfry.store.location.visibleLine)")
    lines.append("Unit    \(Self.words(unit))")
    if let status = unit?["StatusText"], !status.isEmpty { lines.append("Says    \(status.visibleLine)") }
    if session.assembly.configuration.hasWebFace { lines.append("Web     \(Self.words(web))") }
    return lines
  }

  private static func words(_ unit: [String: String]?) -> String {
    guard let unit else { return "systemd does not answer: this user has no systemd session" }
    guard unit["LoadState"] == "loaded" else { return "not installed" }
    return
      "\(unit["UnitFileState"] ?? "unknown"), \(unit["ActiveState"] ?? "unknown") (\(unit["SubState"] ?? "unknown"))"
  }
}

/// `belfry service logs`, which replaces itself with `journalctl`.
struct ServiceLogs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logs", abstract: "Show the logs of the daemon and the web face, from journalctl.",
    discussion: """
      belfry service logs -n 20
      belfry service logs -f
      """)

  @Option(name: .short, help: ArgumentHelp("The number of lines, the latest; 50 by default.", valueName: "n"))
  var number: Int?

  @Flag(name: .shortAndLong, help: "Follow the log until Ctrl-C.")
  var follow = false

  @OptionGroup var options: CommonOptions

  func validate() throws { try validate(limit: number) }

  func run() throws {
    var words = [
      "journalctl", "--user", "--unit=\(UserManager.daemon)", "--unit=\(UserManager.web)", "--lines=\(number ?? 50)",
    ]
    if follow { words.append("--follow") }
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    execvp("journalctl", &pointers)
    throw BelfryError(
      .notFound, "cannot start journalctl: \(String(cString: strerror(errno)))",
      hint: "without systemd the daemon's log goes to the standard error of whoever started it")
  }
}
