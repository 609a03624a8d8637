import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials
import Glibc

/// The checks of `belfry doctor` for the daemon and its output.
struct DaemonChecks {
  let session: Session
  let now: Date
  let daemon: RunningDaemon?

  /// The findings about the daemon, its program, metrics and heartbeat.
  func findings() -> [Finding] {
    [presence(), program()] + [metrics(), heartbeat(), proxySecret()].compactMap(\.self)
  }

  private func presence() -> Finding {
    guard let daemon else {
      if session.assembly.configuration.store.isOnServer { return sharedPresence() }
      if let other = RunningDaemon.processes().first {
        return .warning(
          "daemon", "belfryd runs (process \(other)), but not on this store",
          advice: "check that it uses the same config: 'belfry service status --config FILE'")
      }
      return .warning(
        "daemon", "no daemon runs: nothing rings",
        advice: "'belfry service install' or 'belfry run' starts one; not needed if cron runs 'belfry run --once'")
    }
    if daemon.isOutdated {
      return .warning(
        "daemon", "process \(daemon.process) runs a belfryd that was replaced after it started",
        advice: "restart it: systemctl --user restart belfry")
    }
    let zone = (try? session.belfry.configuredZone()) ?? .utc
    return .ok("daemon", "process \(daemon.process) rings since \(zone.readable(daemon.since))")
  }

  private func sharedPresence() -> Finding {
    guard let daemons = try? session.belfry.store.daemons() else {
      return .warning(
        "daemon", "whether a daemon runs is unknown, since the store cannot be read",
        advice: "see the finding about the store")
    }
    let zone = (try? session.belfry.configuredZone()) ?? .utc
    guard let first = daemons.first else {
      return .warning(
        "daemon", "no daemon runs on this store: nothing rings",
        advice: "'belfry service install' or 'belfry run' starts one")
    }
    if let other = daemons.first(where: { !$0.agrees }) {
      return .warning(
        "daemon", "belfryd on \(other.host) (process \(other.process)) has a config that differs from the leader's",
        advice:
          "give all machines the same time_zone, missed, routes, categories, actions, people, escalations and lists")
    }
    if let other = daemons.first(where: { !$0.hasKeys }) {
      return .warning(
        "daemon",
        "belfryd on \(other.host) (process \(other.process)) lacks the answer keys of the leader: it sends "
          + "nothing that has links or buttons",
        advice: "copy the file that answers.key_file names from the leader's machine")
    }
    guard daemons.count > 1 else { return .ok("daemon", first.words(zone)) }
    let leader = daemons.first(where: \.leads).map { ", the leader is on \($0.host) (process \($0.process))" } ?? ""
    return .ok("daemon", "\(daemons.count) daemons share the store\(leader)")
  }

  private func program() -> Finding {
    do {
      let path = try DaemonProgram.path()
      guard access(path, X_OK) == 0 else {
        return .fail("program", .notFound, "there is no \(path)", advice: "install belfryd beside belfry")
      }
      let version = try ProgramRun([path, "--version"]).output.filter { !$0.isWhitespace }
      guard version == BelfryVersion.current else {
        return .fail(
          "program", .notFound, "belfry is \(BelfryVersion.current), belfryd beside it \(version)",
          advice: "install both from the same version")
      }
      return .ok("program", "belfry and belfryd \(version)")
    } catch {
      return .fail("program", error)
    }
  }

  // A running daemon writes the metrics each minute.
  private func metrics() -> Finding? {
    guard let path = session.settings.metricsFile else { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else {
      return .warning(
        "metrics", "\(path) has never been written", advice: "check that the daemon runs, and that it may write there")
    }
    let age = now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
    guard age < 180 || daemon == nil else {
      return .warning(
        "metrics", "\(path) was last written \(Int(age / 60)) minutes ago",
        advice: "the daemon's log tells why: belfry service logs")
    }
    return .ok("metrics", path)
  }

  private func heartbeat() -> Finding? {
    guard let heartbeat = session.settings.heartbeat else { return nil }
    if let fault = SinkChecks.fault("heartbeat", of: [heartbeat.url]) { return fault }
    return .ok("heartbeat", "every \(heartbeat.every / 60) min while the daemon runs")
  }

  private func proxySecret() -> Finding? {
    SinkChecks.fault("web", of: [session.settings.web.proxySecret].compactMap(\.self))
  }
}

extension DaemonMember {
  /// The daemon in words: where it runs, since when, and what it does.
  func words(_ zone: Zone) -> String {
    let role = leads ? "leads, " : ""
    let work = sinks.isEmpty ? "has no sink" : "delivers through \(sinks.joined(separator: ", "))"
    return "process \(process) on \(host) since \(zone.readable(since)): \(role)\(work)"
  }
}
