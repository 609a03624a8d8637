/// The daemon was asked to end in the middle of a change: the change is taken back, and made anew at the next start.
public struct Stopped: Error {}

/// Whether the program was asked to end; loops over many items ask between two of them.
public struct StopRequest: Sendable {
  private let isMade: @Sendable () -> Bool

  /// A request that is made once `isMade` says so, which has to be cheap.
  public init(_ isMade: @escaping @Sendable () -> Bool) { self.isMade = isMade }

  /// A request that nobody makes.
  public static let never = StopRequest { false }

  /// Whether it was made.
  public var wasMade: Bool { isMade() }

  /// - Throws: ``Stopped`` once it was made.
  package func check() throws { if isMade() { throw Stopped() } }
}
