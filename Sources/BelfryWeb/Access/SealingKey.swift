import Synchronization
import WebAccess

/// The key with which servers of one store verify each other's cursors and challenges; read once.
final class SealingKey: Sendable {
  private let key = Mutex<[UInt8]?>(nil)

  /// The key, from the tables of access.
  func value(_ visitors: Visitors) async throws -> [UInt8] {
    if let known = key.withLock({ $0 }) { return known }
    let read = try await visitors.useAccess { try $0.sealingKey() }
    key.withLock { $0 = read }
    return read
  }
}
