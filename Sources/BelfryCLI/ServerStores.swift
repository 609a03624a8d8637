import BelfryEngine
import BelfryRuntime
import Synchronization

/// The stores that only `belfryd` reaches.
enum ServerStores {
  /// True in `belfryd`, which must not hand over to itself.
  static let areReachable = Atomic(false)

  /// Continues in `belfryd`, with the same words, if this program cannot reach a store on a server. Must be called
  /// before standard input is read.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if `belfryd` is not installed.
  static func handOver(_ assembly: Assembly) throws {
    guard isOutOfReach(assembly) else { return }
    try DaemonProgram.become([BelfryProgram.handOver] + ProgramArguments.read())
  }

  /// True if this program cannot reach the store.
  static func isOutOfReach(_ assembly: Assembly) -> Bool {
    assembly.configuration.store.isOnServer && !areReachable.load(ordering: .relaxed)
  }
}
