import BelfryDaemon
import BelfryEngine
import BelfryRuntime
import CLinuxEvents
import ConfigKeys
import CurlTransport
import Foundation
import PostgresStore
import Transport

/// Belfry's daemon on a PostgreSQL store, with leases of another length and perhaps a flaw, for tests.
///
/// usage: belfryd-trial URL LEASE POLLS_ONLY [FLAW]
@main
enum TrialDaemon {
  struct Usage: Error {
    let words: [String]
  }

  static func main() throws {
    // Must be first, since threads inherit it.
    belfry_signals_block()
    let words = try ProgramArguments.read()
    guard words.count > 2, let lease = Double(words[1]), let pollsOnly = Bool(words[2]) else {
      throw Usage(words: words)
    }
    let flaw = try words.dropFirst(3).first.map { word in
      guard let flaw = Flaw(rawValue: word) else { throw Usage(words: words) }
      return flaw
    }
    try run(url: words[0], lease: lease, pollsOnly: pollsOnly, flaw)
    fflush(nil)
    // Not by `exit`, which unloads libraries that other threads still use.
    _exit(EXIT_SUCCESS)
  }

  private static func run(url: String, lease: Double, pollsOnly: Bool, _ flaw: Flaw?) throws {
    let time = TrialClock()
    let transport = CurlTransport()
    let assembly = try Assembly(.file(nil), time: time, transports: Transports(http: transport, mail: transport))
    var limits = PostgresLimits()
    (limits.lease, limits.renewal, limits.poll) = (lease, lease / 3.5, lease * 5 / 7)
    let store = TrialStore(
      base: PostgresStore(
        url: SecretSource(Secret(url)), schema: "belfry", pollsOnly: pollsOnly, limits: limits),
      flaw: flaw, clock: time)
    let belfry = Belfry(
      store: store, settings: assembly.belfry.settings, time: time, zones: assembly.belfry.zones)
    let sinks = flaw == .wideBegin ? assembly.sinks.map(WideSink.replacing) : assembly.sinks
    let waker = try Waker(signals: SignalWatch(statusAtDeadline: EXIT_SUCCESS), time: time)
    let log = ProgramLog.makeEventLog(of: "belfryd-trial", .text, from: .info, time: time)
    try Daemon(belfry: belfry, sinks: sinks, waker: waker, http: transport, log: log) { (belfry, sinks) }.run()
  }
}

/// A sink with eight times as many slots as its config says.
private struct WideSink: ReminderSink {
  let sink: any ReminderSink

  static func replacing(_ active: ActiveSink) -> ActiveSink {
    ActiveSink(name: active.name, sink: WideSink(sink: active.sink), retry: active.retry)
  }

  var recipients: [String?] { sink.recipients }
  var concurrency: Int { sink.concurrency * 8 }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome { await sink.deliver(attempt) }
}
