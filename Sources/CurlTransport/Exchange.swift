import BelfryCore
import CCurl

/// One kind of transfer, and all that one of its kind needs while it is under way. Lives on a loop's thread, and is used
/// again and again.
protocol Exchange: AnyObject, SendableMetatype {
  /// What to do.
  associatedtype Work: Sendable
  /// What comes of it.
  associatedtype Answer: Sendable

  /// How many connections may stay open when nothing goes on.
  static var keptConnections: Int { get }

  /// The transfer's options and state for libcurl.
  var easy: EasyHandle { get }

  /// - Parameter sockets: where to open connections that libcurl may block in.
  init(sockets: SocketSet) throws(TransferFailure)

  /// What limits a piece of work.
  static func options(of work: Work) -> TransferOptions

  /// Sets all options.
  ///
  /// - Throws: ``TransferFailure`` `.unsendable`.
  func prepare(_ work: Work, _ ticket: Ticket) throws(TransferFailure)

  /// What came of it.
  func answer(_ code: CURLcode) throws(TransferFailure) -> Answer

  /// Lets go of what only the transfer needed.
  func finish()
}

extension TransferOptions {
  /// The limit, at most a week, at least a millisecond.
  var limit: Duration { .milliseconds(limitMilliseconds) }

  /// The limit in whole milliseconds.
  var limitMilliseconds: Int {
    // Compared this way round so that NaN is the least.
    timeoutSeconds > 0.001 ? Int((min(timeoutSeconds, 604_800) * 1_000).rounded(.up)) : 1
  }
}
