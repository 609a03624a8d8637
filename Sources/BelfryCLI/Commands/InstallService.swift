import ArgumentParser
import BelfryModel
import BelfryRuntime
import FoundationEssentials

struct InstallService: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Write systemd units of your own and start them.",
    discussion: """
      belfry service install

      The units start the belfryd that stands beside this program, and belfry-web where the config has a section 'web'.
      A unit that you have edited is left as it is, unless --force is given; 'systemctl --user edit belfry' keeps your
      changes in a file of their own.
      """)

  @Flag(name: .long, help: "Replace a unit that was edited.")
  var force = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    let session = try Session(options)
    let folder = try UnitFolder()
    let units = try units(session)
    let manager = UserManager(environment: ProcessInfo.processInfo.environment)
    if !force { try units.map(\.name).forEach(folder.checkUntouched) }
    let others = UserManager.units.filter { name in !units.contains { $0.name == name } }
    for path in try folder.remove(others, force: force, from: manager) {
      session.console.report("Removed \(path): the config has no section 'web'.")
    }
    for unit in units {
      if folder.text(of: unit.name) == unit.text {
        session.console.report("\(folder.path(of: unit.name)) is there already.")
      } else {
        try folder.write(unit)
        session.console.report("Wrote \(folder.path(of: unit.name)).")
      }
    }
    try start(session, manager)
  }

  private func units(_ session: Session) throws -> [UserUnit] {
    let start = UserUnit.Start(arguments: arguments(session), variables: variables(session))
    let daemon = UserUnit.daemon(program: try DaemonProgram.path(), start)
    guard session.assembly.configuration.hasWebFace else { return [daemon] }
    return [
      daemon, UserUnit.web(program: try DaemonProgram.path(of: .web), start),
      try UserUnit.webSocket(session.settings.web),
    ]
  }

  private func start(_ session: Session, _ manager: UserManager?) throws {
    let hasWeb = session.assembly.configuration.hasWebFace
    let console = session.console
    guard let manager else {
      console.report("Your systemd does not answer here. Where it does, these commands start the service:")
      console.report("  systemctl --user daemon-reload")
      console.report("  systemctl --user enable --now belfry\(hasWeb ? " \(UserManager.webSocket)" : "")")
      console.report(
        "Without systemd: 'belfry run' rings until Ctrl-C\(hasWeb ? ", 'belfry web' serves the web face" : "").")
      return
    }
    if let daemon = RunningDaemon(store: session.belfry.store), !manager.runs(daemon) {
      throw BelfryError(
        .tryAgain,
        "the service was not started: another belfryd (process \(daemon.process)) already runs on this store",
        hint: "stop that one (kill \(daemon.process)), then run this again")
    }
    try manager.startDaemon()
    console.report("The service runs, and starts with each login.")
    if hasWeb {
      try manager.startWeb()
      console.report("The web face starts with its first visitor: 'belfry access link' makes a link to sign in.")
    }
    console.report("  belfry service status        its state; 'belfry service logs' shows its output")
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

struct UninstallService: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Stop the service and remove its units; lists and config stay.",
    discussion: """
      belfry service uninstall

      A unit that you have edited is left as it is, unless --force is given.
      """)

  @Flag(name: .long, help: "Remove a unit that was edited as well.")
  var force = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let console = Console(color: options.color, environment: environment)
    let paths = try UnitFolder().remove(UserManager.units, force: force, from: UserManager(environment: environment))
    if paths.isEmpty { console.report("There is no unit to remove.") }
    for path in paths { console.report("Removed \(path).") }
  }
}
