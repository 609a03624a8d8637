/// The error of a change that was interrupted by a stop request. It is rolled back, and made again at the next start.
package struct Stopped: Error {}

/// The request to stop the program; checked between the items of long loops.
public struct StopRequest: Sendable {
  private let isMade: @Sendable () -> Bool

  /// A request that is made once `isMade` returns true. It is called often and must be cheap.
  public init(_ isMade: @escaping @Sendable () -> Bool) { self.isMade = isMade }

  /// A request that is never made.
  public static let never = StopRequest { false }

  /// True if the program was asked to stop.
  package var wasMade: Bool { isMade() }

  /// - Throws: ``Stopped`` once the program was asked to stop.
  package func check() throws { if isMade() { throw Stopped() } }
}
