import CCurl
import CLinuxEvents
import Transport

/// The work and state of a loop's thread, used by no other thread.
final class TransferThread<Kind: Exchange> {
  /// A reusable place for one transfer at a time.
  private final class Slot {
    let exchange: Kind
    var job: TransferLoop<Kind>.Job?
    /// Its index among the busy slots.
    var place = 0

    init(_ exchange: Kind) { self.exchange = exchange }

    func isOverdue(at now: ContinuousClock.Instant) -> Bool { exchange.deadline.map { $0 <= now } ?? false }
  }

  private static var keptSlots: Int { 64 }

  private let loop: TransferLoop<Kind>
  private let clock = ContinuousClock()
  private var multi: UnsafeMutableRawPointer
  private var busy: [Slot] = []
  private var free: [Slot] = []
  private var now: ContinuousClock.Instant
  /// The time at which idle connections are closed; `nil` while a transfer runs, or without connections.
  private var closing: ContinuousClock.Instant?

  /// - Returns: `nil` if libcurl is out of memory.
  init?(_ loop: TransferLoop<Kind>) {
    guard let multi = Self.makeMulti() else { return nil }
    self.loop = loop
    self.multi = multi
    now = clock.now
  }

  /// Runs transfers until the loop is stopped.
  func run() {
    while true {
      let inbox = loop.drainInbox()
      now = clock.now
      for job in inbox.jobs { start(job) }
      if inbox.hasCancelled { endAll(.cancelled) { $0.job?.ticket.isCancelled == true } }
      if inbox.isStopping { break }
      if inbox.hasRoom { resumeAll() }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      collectResults()
      expire()
      sleep()
    }
    endAll(.closed) { _ in true }
    free = []
    close(multi)
  }

  private static func makeMulti() -> UnsafeMutableRawPointer? {
    guard let multi = curl_multi_init() else { return nil }
    belfry_curl_limit_connections(multi, Kind.keptConnections)
    return multi
  }

  // Sends QUIT and does not wait for the reply.
  private func close(_ multi: UnsafeMutableRawPointer) {
    loop.sockets.stopReading()
    curl_multi_cleanup(multi)
  }

  private func start(_ job: TransferLoop<Kind>.Job) {
    if job.ticket.isCancelled { return job.end(.failure(.cancelled)) }
    do throws(TransferFailure) {
      let slot = try freeSlot()
      do throws(TransferFailure) {
        try slot.exchange.prepare(job.work, job.ticket)
        let easy = slot.exchange.easy
        easy.set(CURLOPT_PRIVATE, pointer: Unmanaged.passUnretained(slot).toOpaque())
        // libcurl has its own limit of two minutes, after which it reconnects.
        easy.set(CURLOPT_MAXAGE_CONN, Int((loop.idleLimit / .seconds(1)).rounded(.up)))
        try easy.check()
        let code = curl_multi_add_handle(multi, easy.raw)
        guard code == CURLM_OK else { throw TransferFailure(.unsendable, String(cString: curl_multi_strerror(code))) }
      } catch {
        recycle(slot)
        throw error
      }
      slot.job = job
      slot.exchange.deadline = now + Kind.options(of: job.work).limit
      slot.place = busy.count
      busy.append(slot)
      closing = nil
    } catch {
      job.end(.failure(error))
    }
  }

  private func freeSlot() throws(TransferFailure) -> Slot {
    if let slot = free.popLast() { return slot }
    return Slot(try Kind(sockets: loop.sockets))
  }

  private func resumeAll() {
    for slot in busy {
      let code = slot.exchange.resume()
      if code != CURLE_OK { end(slot, code) }
    }
  }

  private func collectResults() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let context = belfry_curl_private(easy)
      else { continue }
      let slot = Unmanaged<Slot>.fromOpaque(context).takeUnretainedValue()
      end(slot, message.pointee.data.result)
    }
  }

  private func end(_ slot: Slot, _ code: CURLcode) {
    let outcome: TransferLoop<Kind>.Outcome
    do throws(TransferFailure) {
      outcome = .success(try slot.exchange.answer(code))
    } catch {
      // Cancelling breaks the connection, which ends a wait inside libcurl.
      let isGivenUp = slot.job?.ticket.isCancelled == true
      outcome = .failure(isGivenUp ? .cancelled : loop.isStopping ? .closed : error)
    }
    finish(slot, outcome)
  }

  private func endAll(_ failure: TransferFailure, where condition: (Slot) -> Bool) {
    for slot in busy.filter(condition) { abort(slot, failure) }
  }

  private func abort(_ slot: Slot, _ failure: TransferFailure) {
    // The connection's state is unknown, and libcurl would keep an HTTP/2 connection.
    slot.exchange.easy.set(CURLOPT_FORBID_REUSE, 1)
    finish(slot, .failure(failure))
  }

  private func finish(_ slot: Slot, _ outcome: TransferLoop<Kind>.Outcome) {
    curl_multi_remove_handle(multi, slot.exchange.easy.raw)
    busy[slot.place] = busy[busy.count - 1]
    busy[slot.place].place = slot.place
    busy.removeLast()
    if busy.isEmpty { closing = now + loop.idleLimit }
    let job = slot.job
    slot.job = nil
    recycle(slot)
    job?.end(outcome)
  }

  private func recycle(_ slot: Slot) {
    slot.exchange.finish()
    if free.count < Self.keptSlots { free.append(slot) }
  }

  private func expire() {
    now = clock.now
    for slot in busy where slot.isOverdue(at: now) {
      abort(slot, slot.exchange.failure(after: slot.job.map { Kind.options(of: $0.work).limit } ?? .zero))
    }
    if let closing, closing <= now { closeIdle() }
  }

  // libcurl closes idle connections only when new ones are opened, or with the handle.
  private func closeIdle() {
    closing = nil
    guard let fresh = Self.makeMulti() else { return }
    free = []
    close(multi)
    multi = fresh
  }

  private func sleep() {
    guard loop.maySleep() else { return }
    let until = closing ?? busy.lazy.compactMap(\.exchange.deadline).min()
    let limit: Int32 = 3_600_000
    let milliseconds = until.map { Int32(clamping: Int(($0 - now) / .milliseconds(1)) + 1) } ?? limit
    var wakeEvent = curl_waitfd(fd: loop.wakeEvent, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    curl_multi_poll(multi, &wakeEvent, 1, max(0, min(milliseconds, limit)), nil)
    if wakeEvent.revents != 0 { belfry_drain(loop.wakeEvent) }
  }
}
