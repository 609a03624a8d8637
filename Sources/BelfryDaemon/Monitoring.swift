import BelfryEngine
import BelfryModel
import BelfryRuntime
import ConfigKeys
import FoundationEssentials
import Glibc
import Synchronization
import SystemFiles
import SystemThreads
import Transport

/// The heartbeat and the metrics, written each minute.
///
/// They cannot block or stop the daemon: a failure is logged once, and again only after a success.
final class Monitoring: Sendable {
  private struct State {
    var nextBeat = Date.distantPast
    var isBeating = false
    var complaints: Set<String> = []
  }

  private let http: any HTTPTransport
  private let log: EventLog
  private let thread = TaskThread()
  private let state = Mutex(State())

  init(http: any HTTPTransport, log: @escaping EventLog) {
    self.http = http
    self.log = log
  }

  /// Called after each successful tick.
  func ticked(_ belfry: Belfry) {
    let now = belfry.time.now
    if let heartbeat = belfry.settings.heartbeat { beat(heartbeat, at: now) }
    if let path = belfry.settings.metricsFile { write(belfry, to: path, at: now) }
  }

  private func beat(_ heartbeat: Heartbeat, at now: Date) {
    let isDue = state.withLock { state in
      // After the clock was set back, the heartbeat must not pause.
      let isDue = now >= state.nextBeat || now < state.nextBeat - Double(heartbeat.every)
      guard isDue, !state.isBeating else { return false }
      state.nextBeat = now + Double(heartbeat.every)
      state.isBeating = true
      return true
    }
    guard isDue else { return }
    Task(executorPreference: thread) {
      let failure = await self.send(heartbeat.url)
      self.state.withLock { $0.isBeating = false }
      self.report("heartbeat", failure)
    }
  }

  // Returns why the heartbeat failed, without its URL; nil on success.
  private func send(_ url: SecretSource) async -> String? {
    let secret: Secret
    do throws(BelfryError) { secret = try url.read() } catch { return error.message }
    let request = HTTPRequest(
      method: "GET", url: secret.revealed, fields: [.userAgent], body: [], options: TransferOptions())
    do throws(TransferFailure) {
      let response = try await http.send(request)
      return 200..<300 ~= response.status ? nil : "HTTP \(response.status)"
    } catch {
      let parts = (try? ServerURL(secret.revealed, schemes: ["http", "https"]))?.secrets ?? []
      return Redaction([secret] + parts + http.secrets).reason(error.reason)
    }
  }

  private func write(_ belfry: Belfry, to path: String, at now: Date) {
    do {
      let metrics = try belfry.store.read { try Metrics($0, version: BelfryVersion.current, now: now) }
      report("metrics", Self.replace(path, with: metrics.text))
    } catch {
      report("metrics", "\(error)")
    }
  }

  // Renamed into place, so that no collector reads half a file. Not synced, since each minute writes the file again.
  private static func replace(_ path: String, with text: String) -> String? {
    let draft = FileDraft("\(path).new")
    var place = draft.path
    do throws(SystemCallFailure) {
      try draft.write(Array(text.utf8), mode: 0o644, isSynced: false)
      place = path
      try draft.replace(path)
      return nil
    } catch {
      return "\(place): \(String(cString: strerror(error.code)))"
    }
  }

  private func report(_ what: String, _ failure: String?) {
    let isNews = state.withLock { state in
      failure == nil ? state.complaints.remove(what) != nil : state.complaints.insert(what).inserted
    }
    guard isNews else { return }
    if let failure {
      log(Event(.warning, "\(what): \(failure)"))
    } else {
      log(Event(.info, "\(what): in order again"))
    }
  }
}

extension ServiceManager {
  /// Sets the status to the numbers of scheduled reminders and pending deliveries.
  func sendState(of belfry: Belfry) throws {
    status(try belfry.read { try Self.words($0) })
  }

  private static func words(_ reading: Reading) throws -> String {
    let counts = try reading.view.counts()
    var words = "\(counts.scheduled) scheduled"
    try reading.view.forEachPending(limit: 1) { next in
      words += ", the next \(reading.planner.floatingZone.readable(next.reminder.fireDate.date))"
    }
    words += "; \(counts.deliveries[.pending] ?? 0) waiting to be delivered"
    if let dead = counts.deliveries[.dead], dead > 0 { words += ", \(dead) given up" }
    return words
  }
}
