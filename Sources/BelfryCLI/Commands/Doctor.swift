import ArgumentParser
import BelfryModel
import BelfryRuntime
import CivilTime
import ConfigKeys
import FoundationEssentials
import Glibc
import OrderedJSON

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "doctor", abstract: "Diagnose config, store, daemon, sinks, clock and time zone.",
    discussion: """
      belfry doctor

      Changes nothing and sends nothing. Exit status: 0 if no check failed, otherwise the status of the first
      failure. A warning is not a failure.
      """)

  @OptionGroup var options: DataOptions

  func run() throws {
    let console = Console(color: options.color, environment: ProcessInfo.processInfo.environment)
    let findings = findings()
    if options.json {
      try console.print(.array(findings.map(\.json)))
    } else {
      try console.print(findings.map { $0.line(console.style) }.joined(separator: "\n"))
    }
    let failed = findings.compactMap { if case .fail(let kind) = $0.state { kind } else { nil } }
    guard let kind = failed.first else { return }
    throw BelfryError(kind, "\(failed.count) of \(findings.count) checks failed")
  }

  private func findings() -> [Finding] {
    let now = SystemTimeSource().now
    let variables = Assembly.environment.variables
    let machine = MachineChecks(now: now, zones: ZoneDatabase(environment: variables), environment: variables)
    let session: Session
    do {
      session = try Session(options, printsWarnings: false)
    } catch {
      let zone = machine.zones.localZone()
      return [config(error), machine.clock(lastWrite: nil), machine.zone(zone, setting: .local, planned: nil)]
    }
    let store = StoreChecks(session: session, now: now)
    let sinks = SinkChecks(session: session, now: now)
    let daemon = RunningDaemon(store: session.belfry.store)
    var findings = [config(session, sinks)]
    findings += store.findings()
    findings += SyncChecks(path: session.belfry.store.location, environment: Assembly.environment).findings()
    findings += DaemonChecks(session: session, now: now, daemon: daemon).findings()
    findings += sinks.findings()
    if let key = KeyCheck.finding(session.assembly) { findings.append(key) }
    findings.append(machine.clock(lastWrite: try? store.info.get().lastWrite))
    // A store that cannot be read is reported once.
    guard (try? store.info.get()) != nil else { return findings }
    findings.append(zone(session, machine))
    findings += store.setAside()
    findings.append(store.deliveries(daemon: daemon))
    return findings
  }

  private func config(_ error: any Error) -> Finding {
    guard let error = error as? ConfigurationError else { return .fail("config", error) }
    let lines = error.description.split(separator: "\n")
    let more = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
    return .fail(
      "config", error.kind, "\(lines.first ?? "cannot be read")\(more)",
      advice: "'belfry config check' lists all errors")
  }

  private func config(_ session: Session, _ sinks: SinkChecks) -> Finding {
    let warnings = session.assembly.warnings
    if let first = warnings.first {
      let advice = warnings.count == 1 ? nil : "'belfry config check' lists all \(warnings.count) warnings"
      return .warning("config", first, advice: advice)
    }
    guard let path = session.assembly.configuration.source else {
      return .ok("config", "none: the embedded default; 'belfry init' writes one")
    }
    var status = stat()
    if !sinks.secretsInConfig.isEmpty, stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
      return .warning(
        "config", "others may read \(path), which holds secrets (mode \(FileMode.words(status)))",
        advice: "chmod 600 \(path.shellQuoted)")
    }
    return .ok("config", path)
  }

  private func zone(_ session: Session, _ machine: MachineChecks) -> Finding {
    do {
      let planned = try session.belfry.store.read { try $0.plannedZone() }
      return machine.zone(try session.belfry.configuredZone(), setting: session.settings.timeZone, planned: planned)
    } catch {
      return .fail("zone", error)
    }
  }
}
