import BelfryEngine
import BelfryModel
import BelfryRuntime
import CLinuxEvents
import CivilTime
import FoundationEssentials
import Glibc
import Synchronization
import SystemThreads
import WebAccess

/// Notifies open pages of changes to the store, and of accesses that have ended.
///
/// One thread watches the store and the tables of access, from the first page on. It reads them at most a few times a
/// second, and only while a page is open.
final class StoreFeed: Sendable {
  /// The seconds between two heartbeats.
  private static let beat = 25.0

  private struct Stream {
    let updates: AsyncStream<FeedState>.Continuation
    /// The lists that it shows; `nil` for all of them.
    let lists: Set<UUID>?
    /// True until it gets its first state.
    var isNew = true
  }

  private struct Shared {
    var state = FeedState()
    var streams: [Int: Stream] = [:]
    var nextStream = 0
    var hasThread = false
    var isEnded = false
  }

  private let belfry: Belfry
  private let access: AccessStore
  private let log: EventLog
  private let shared = Mutex(Shared())
  private let event = belfry_event_create()

  /// A feed of a store, whose thread starts with the first page.
  init(belfry: Belfry, access: AccessStore, log: @escaping EventLog) {
    self.belfry = belfry
    self.access = access
    self.log = log
  }

  deinit { close(event) }

  /// The states from now on: first the present one, then one after each change. A slow reader gets only the latest.
  ///
  /// - Parameter lists: the lists that are shown; `nil` for all of them.
  func updates(for lists: Set<UUID>?) -> AsyncStream<FeedState> {
    let (stream, updates) = AsyncStream.makeStream(of: FeedState.self, bufferingPolicy: .bufferingNewest(1))
    let (number, startsThread) = shared.withLock { shared -> (Int, Bool) in
      defer { (shared.nextStream, shared.hasThread) = (shared.nextStream + 1, true) }
      if shared.isEnded { updates.finish() }
      shared.streams[shared.nextStream] = Stream(updates: updates, lists: lists)
      return (shared.nextStream, !shared.hasThread && !shared.isEnded)
    }
    updates.onTermination = { [weak self] _ in self?.shared.withLock { $0.streams[number] = nil } }
    if startsThread, !SystemThread.start({ [self] in run() }) {
      shared.withLock { $0.hasThread = false }
      updates.finish()
    }
    wake()
    return stream
  }

  /// Makes the thread read the state at once. Safe from any thread.
  func wake() { _ = belfry_event_signal(event) }

  /// Ends all streams, and any that are opened later.
  func end() {
    let streams = shared.withLock { shared in
      shared.isEnded = true
      return shared.streams.values.map(\.updates)
    }
    for updates in streams { updates.finish() }
    wake()
  }

  // MARK: The thread

  private func run() {
    let watches = makeWatches()
    var look = FeedLook(belfry: belfry, access: access)
    var nextBeat = belfry.time.now
    while !isLeft(atBeat: belfry.time.now >= nextBeat) {
      let isAwoken = wait(until: watches.map(\.nextLook).reduce(nextBeat, min), watches)
      let now = belfry.time.now
      for watch in watches { watch.drain(at: now) }
      // All are asked, without a short circuit, since each watch that is due notes this read.
      let isDue = watches.map { $0.isLookDue(at: now) }.contains(true)
      // If the clock was set back, the next heartbeat must not wait for the old time.
      let isBeat = now >= nextBeat || nextBeat > now + Self.beat
      if isBeat { nextBeat = now + Self.beat }
      if isAwoken || isDue || isBeat { publish(&look, isBeat: isBeat, at: now) }
    }
  }

  /// True if the thread must end: at the end of the feed, or at a heartbeat without streams. The next page starts
  /// another.
  private func isLeft(atBeat isBeat: Bool) -> Bool {
    shared.withLock { shared in
      if shared.isEnded { return true }
      guard isBeat, shared.streams.isEmpty else { return false }
      shared.hasThread = false
      return true
    }
  }

  private func makeWatches() -> [StoreWatch] {
    let store = belfry.store
    let own = store.watchedFile.flatMap { watch($0, folders: { store.watchedFolders }) }
    let files = [own, access.watchedFile.flatMap { watch($0) }].compactMap(\.self)
    return files + [store.changeSource()].compactMap(\.self).map(StoreWatch.init(source:))
  }

  private func watch(_ file: String, folders: @escaping @Sendable () -> [String] = { [] }) -> StoreWatch? {
    do {
      return try StoreWatch(file: file, folders: folders)
    } catch {
      log(Event(.warning, "open pages show changes late: \(error)"))
      return nil
    }
  }

  /// Waits until a watched file changes, an instant comes, or it is woken; true if it was woken.
  private func wait(until instant: Date, _ watches: [StoreWatch]) -> Bool {
    let seconds = min(max(0, instant.timeIntervalSince(belfry.time.now)), Self.beat)
    var descriptors = ([event] + watches.map(\.awaited)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, nfds_t(descriptors.count), Int32((seconds * 1_000).rounded(.up)))
    guard descriptors[0].revents != 0 else { return false }
    _ = belfry_drain(event)
    return true
  }

  private func publish(_ look: inout FeedLook, isBeat: Bool, at now: Date) {
    let (lists, old, isUnused) = shared.withLock { shared in
      (shared.streams.values.compactMap(\.lists), shared.state, shared.streams.isEmpty)
    }
    if isUnused { return }
    var state = old
    do {
      try look.update(&state, lists: Set(lists), at: now)
    } catch {
      log(Event(.warning, "open pages cannot be told of changes: \((error as? BelfryError)?.line ?? "\(error)")"))
      // New streams end, so their pages reconnect; the others go on once the store can be read.
      return finishNew()
    }
    if isBeat { state.beats += 1 }
    shared.withLock { shared in
      shared.state = state
      for (number, stream) in shared.streams where stream.isNew || state != old {
        // The lists of a stream that was opened meanwhile are read the next time, which is already due since it was
        // opened.
        guard stream.lists.map({ state.views[$0] != nil }) ?? true else { continue }
        shared.streams[number]?.isNew = false
        stream.updates.yield(state)
      }
    }
  }

  private func finishNew() {
    let new = shared.withLock { $0.streams.values.filter(\.isNew).map(\.updates) }
    for updates in new { updates.finish() }
  }
}
