import CCurl
import Transport

/// One kind of transfer and its state. Lives on a loop's thread and is reused.
protocol Exchange: AnyObject, SendableMetatype {
  /// The input of a transfer.
  associatedtype Work: Sendable
  /// The result of a transfer.
  associatedtype Answer: Sendable

  /// The most connections that are kept while idle.
  static var keptConnections: Int { get }

  /// The transfer's options and state for libcurl.
  var easy: EasyHandle { get }

  /// The time at which the loop ends the transfer, `nil` for none. It is set at the start, and a stream moves it.
  var deadline: ContinuousClock.Instant? { get set }

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

  /// The failure of a transfer that has not ended by its deadline.
  ///
  /// - Parameter limit: the limit in the transfer's options.
  func failure(after limit: Duration) -> TransferFailure

  /// Continues a transfer that waits for its reader; has no effect on others.
  func resume() -> CURLcode

  /// Releases the state of the transfer.
  func finish()
}

extension Exchange {
  func failure(after limit: Duration) -> TransferFailure { .timedOut(limit) }

  func resume() -> CURLcode { CURLE_OK }
}

extension TransferOptions {
  /// The limit, at most a week, at least a millisecond.
  var limit: Duration { .milliseconds(limitMilliseconds) }

  /// The limit in whole milliseconds.
  var limitMilliseconds: Int { Self.milliseconds(timeoutSeconds) }

  /// A limit in seconds in whole milliseconds, at most a week, at least one millisecond.
  static func milliseconds(_ seconds: Double) -> Int {
    // In this order NaN counts as the least.
    seconds > 0.001 ? Int((min(seconds, 604_800) * 1_000).rounded(.up)) : 1
  }
}
