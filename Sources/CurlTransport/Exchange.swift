import CCurl
import Transport

/// One kind of transfer and its state. Lives on a loop's thread and is reused.
protocol Exchange: AnyObject, SendableMetatype {
  /// The input of a transfer.
  associatedtype Work: Sendable
  /// The result of a transfer.
  associatedtype Answer: Sendable

  /// The most idle connections.
  static var keptConnections: Int { get }

  /// The transfer's options and state for libcurl.
  var easy: EasyHandle { get }

  /// - Parameter sockets: the set for connections in which libcurl may block.
  init(sockets: SocketSet) throws(TransferFailure)

  /// The options of a piece of work.
  static func options(of work: Work) -> TransferOptions

  /// Sets all options.
  ///
  /// - Throws: ``TransferFailure`` `.unsendable`.
  func prepare(_ work: Work, _ ticket: Ticket) throws(TransferFailure)

  /// The result of a transfer that ended with a code.
  func answer(_ code: CURLcode) throws(TransferFailure) -> Answer

  /// The failure of a transfer that has not ended within its limit.
  func failure(after limit: Duration) -> TransferFailure

  /// Releases the state of the transfer.
  func finish()
}

extension Exchange {
  func failure(after limit: Duration) -> TransferFailure { .timedOut(limit) }
}

extension TransferOptions {
  /// The limit, at most a week, at least a millisecond.
  var limit: Duration { .milliseconds(limitMilliseconds) }

  /// The limit in whole milliseconds.
  var limitMilliseconds: Int {
    // In this order NaN compares as the least.
    timeoutSeconds > 0.001 ? Int((min(timeoutSeconds, 604_800) * 1_000).rounded(.up)) : 1
  }
}
