import CCurl
import Synchronization
import Transport

/// The cancellation flag of a transfer, and the limit of the attempt that it belongs to.
final class Ticket: Sendable {
  private let limit = StartLimit.current
  private let flag = Atomic(false)
  private let hasAsked = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  func cancel() { flag.store(true, ordering: .releasing) }

  /// Checks the limit once the connection is open, right before the request or MAIL FROM. The ticket must outlive the
  /// transfer.
  func limitStart(of easy: EasyHandle) {
    guard limit != nil else { return }
    easy.record(belfry_curl_set_watcher(easy.raw, askTicket, Unmanaged.passUnretained(self).toOpaque()))
  }

  // libcurl itself repeats a request if a kept connection turns out to be closed, and reconnecting may take long.
  fileprivate func maySend() -> Bool {
    guard let limit else { return true }
    return hasAsked.exchange(true, ordering: .relaxed) ? limit.allowsRepetition() : limit.allowsStart()
  }
}

private func askTicket(
  context: UnsafeMutableRawPointer?, remoteAddress: UnsafeMutablePointer<CChar>?,
  localAddress: UnsafeMutablePointer<CChar>?, remotePort: Int32, localPort: Int32
) -> Int32 {
  guard let context else { return CURL_PREREQFUNC_ABORT }
  let ticket = Unmanaged<Ticket>.fromOpaque(context).takeUnretainedValue()
  return ticket.maySend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
