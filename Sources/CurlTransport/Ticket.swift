import CCurl
import Synchronization
import Transport

/// The cancellation flag of a transfer, and the limit of the attempt that it belongs to.
final class Ticket: Sendable {
  private let limit = StartLimit.current
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  func cancel() { flag.store(true, ordering: .releasing) }

  /// Has the limit asked once the connection is open, right before the request or MAIL FROM. The ticket must outlive the
  /// transfer.
  func limitStart(of easy: EasyHandle) {
    guard let limit else { return }
    easy.record(belfry_curl_set_watcher(easy.raw, askLimit, Unmanaged.passUnretained(limit).toOpaque()))
  }
}

private func askLimit(
  context: UnsafeMutableRawPointer?, remoteAddress: UnsafeMutablePointer<CChar>?,
  localAddress: UnsafeMutablePointer<CChar>?, remotePort: Int32, localPort: Int32
) -> Int32 {
  guard let context, Unmanaged<StartLimit>.fromOpaque(context).takeUnretainedValue().allowsStart() else {
    return CURL_PREREQFUNC_ABORT
  }
  return CURL_PREREQFUNC_OK
}
