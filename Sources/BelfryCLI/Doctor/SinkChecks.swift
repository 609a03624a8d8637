import BelfryEngine
import BelfryModel
import BelfryRuntime
import ConfigKeys
import FoundationEssentials
import Glibc

/// The checks of `belfry doctor` that need no connection: the sinks' secrets and certificates, the heartbeat's secrets.
struct SinkChecks {
  let session: Session
  let now: Date

  func findings() -> [Finding] {
    let sinks = session.assembly.configuration.sinks
    guard sinks.contains(where: \.isEnabled) else {
      return [
        .warning(
          "sinks", "no sink is switched on: reminders fire and go nowhere", advice: "add one to the config's 'sinks'")
      ]
    }
    // A store that cannot be read is reported by its own checks.
    let kept = try? session.belfry.store.read { (try $0.sinkProblems(), try $0.inboxes(), try Backlog.all(in: $0)) }
    return SinkState.all(
      session.assembly.configuration.sinks, session.assembly.sinks, kept?.0 ?? [], kept?.1 ?? []
    ).map { finding($0, kept?.2[$0.section.name]) }
  }

  private func finding(_ state: SinkState, _ backlog: Backlog?) -> Finding {
    let sink = state.section
    let check = "sink \(sink.name)"
    guard sink.isEnabled else { return .ok(check, "\(sink.type), switched off") }
    if let fault = Self.fault(check, of: Self.secrets(sink)) { return fault }
    if let (key, error) = sink.certificateFaults().first {
      return .fail(check, error.kind, "'\(key)': \(error.message)", advice: error.hint)
    }
    if let absence = sink.plugin.absence {
      return .warning(
        check, absence, advice: "run belfryd in the user's session: 'belfry service install' does")
    }
    if let zone = try? session.belfry.configuredZone(), let problems = state.problems(zone) {
      return .warning(check, problems, advice: state.advice)
    }
    let browsers = session.assembly.sinks.first { $0.name == sink.name }?.sink as? any SubscribedSink
    if let browsers, let silence = browsers.silence {
      return .warning(
        check, silence,
        advice:
          "open /settings of the web face in each browser; a lost \(browsers.subscriptionFile) can be put back")
    }
    if let backlog {
      return .warning(
        check, backlog.words,
        advice: "belfryd tries again by itself; 'belfry sinks test \(sink.name.shellQuoted)' tries now")
    }
    var words = state.channel == nil ? sink.type : "\(sink.type), takes answers"
    if let browsers {
      words +=
        ", \(counted(browsers.recipients.count, "browser")); on iPhone and iPad only an app on the home screen can "
        + "subscribe; Safari and Firefox show no buttons, and a press on a notification opens the page"
    }
    if let zone = try? session.belfry.configuredZone(), let end = sink.quietHours?.end(of: now, in: zone) {
      words += ", quiet until \(zone.wallTime(at: end).time)"
    }
    let connects = type(of: sink.plugin).connects
    return .ok(check, connects ? "\(words); 'belfry config check --probe' connects" : words)
  }

  private static func secrets(_ sink: SinkSection) -> [SecretSource] {
    sink.section.values([SecretSource].self).flatMap(\.value)
  }

  /// The finding about the first secret that cannot be read, or that other users can read; `nil` without one.
  static func fault(_ check: String, of secrets: [SecretSource]) -> Finding? {
    for secret in secrets {
      do throws(BelfryError) { _ = try secret.read() } catch {
        // The service may have a variable that this shell does not.
        let isElsewhere = secret.isInEnvironment && error.kind == .notFound
        return isElsewhere
          ? .warning(check, error.message, advice: "only the daemon needs it: \(error.hint ?? "check its unit")")
          : .fail(check, error)
      }
    }
    for path in secrets.compactMap(\.file) {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      return .warning(
        check, "others may read the secret in \(path) (mode \(FileMode.words(status)))",
        advice: "chmod 600 \(path.shellQuoted)")
    }
    return nil
  }

  /// The secrets in the config itself.
  var secretsInConfig: [SecretSource] {
    let all =
      session.assembly.configuration.sinks.flatMap(Self.secrets) + [session.settings.heartbeat?.url].compactMap(\.self)
    return all.filter(\.isFixed)
  }
}

/// The deliveries of one sink that wait for a retry.
private struct Backlog {
  private var count = 0
  private var attemptedAt: Date
  private var reason: String

  /// The backlogs of all sinks that have one, by name.
  static func all(in view: any StoreView) throws -> [String: Backlog] {
    guard try !view.sinksWithPendingDeliveries().isEmpty else { return [:] }
    var backlogs: [String: Backlog] = [:]
    try view.forEachDelivery(state: .pending, limit: nil) { delivery, _ in
      guard let instant = delivery.lastAttemptAt, let reason = delivery.lastError else { return }
      var backlog = backlogs[delivery.sink] ?? Backlog(attemptedAt: instant, reason: reason)
      backlog.count += 1
      if instant > backlog.attemptedAt { (backlog.attemptedAt, backlog.reason) = (instant, reason) }
      backlogs[delivery.sink] = backlog
    }
    return backlogs
  }

  /// The number, and why the last attempt failed.
  var words: String { "\(count) waiting for another attempt: \(reason)" }
}
