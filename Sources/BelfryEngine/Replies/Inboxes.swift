import FoundationEssentials
import Synchronization
import SystemThreads

/// The inboxes of all sinks that receive answers.
public final class Inboxes {
  private let waits: any TaskWaits
  private let random: @Sendable () -> Double
  private let log: EventLog
  private let changed: @Sendable () -> Void
  private var takingUp = RunningCount(0)
  private var tasks: [Task<Void, Never>] = []

  /// Creates inboxes without opening them.
  ///
  /// - Parameters:
  ///   - random: from 0 to 1, for jitter.
  ///   - changed: called from any thread when something was answered.
  public init(
    waits: any TaskWaits, random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    changed: @escaping @Sendable () -> Void
  ) {
    (self.waits, self.random, self.log, self.changed) = (waits, random, log, changed)
  }

  /// Opens the inboxes of a config instead of those of an earlier one.
  package func open(_ belfry: Belfry, sinks: [ActiveSink]) {
    close()
    tasks = loops(belfry, sinks).map { loop in start { await loop.run() } }
  }

  package func close() {
    for task in tasks { task.cancel() }
    tasks = []
  }

  /// Takes the answers that were given so far.
  ///
  /// - Parameters:
  ///   - seconds: the time after which ``isTakingUp`` is false, although receiving goes on until ``close()``.
  ///   - ended: called from any thread when a sink has no more, and when the time is over.
  package func takeUp(
    _ belfry: Belfry, sinks: [ActiveSink], within seconds: Double, ended: @escaping @Sendable () -> Void
  ) {
    let loops = loops(belfry, sinks)
    guard !loops.isEmpty else { return }
    let takingUp = RunningCount(loops.count)
    self.takingUp = takingUp
    tasks = loops.map { loop in
      start {
        await loop.runOnce()
        takingUp.value.subtract(1, ordering: .releasing)
        ended()
      }
    }
    let end = belfry.time.now.addingTimeInterval(seconds)
    tasks.append(
      start { [waits] in
        await waits.until(end)
        takingUp.value.store(0, ordering: .releasing)
        ended()
      })
  }

  /// True until everything is taken up, or the time for it is over.
  package var isTakingUp: Bool { takingUp.value.load(ordering: .acquiring) > 0 }

  // The thread has to last as long as its task.
  private func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let thread = TaskThread()
    return Task(executorPreference: thread) {
      await work()
      withExtendedLifetime(thread) {}
    }
  }

  private func loops(_ belfry: Belfry, _ sinks: [ActiveSink]) -> [InboxLoop] {
    let authors = ReplyAuthors(belfry.settings, sinks: sinks)
    return sinks.compactMap { sink in
      guard let source = sink.sink.replySource else { return nil }
      let inbox = Inbox(
        sink, over: source.channel, by: authors, belfry: belfry, waits: waits, log: log, changed: changed)
      return InboxLoop(source: source, inbox: inbox, waits: waits, random: random)
    }
  }
}

/// The number of loops still to wait for. It becomes 0 when the time is over; loops that end later make it negative.
private final class RunningCount: Sendable {
  let value: Atomic<Int>

  init(_ value: Int) { self.value = Atomic(value) }
}
