import Synchronization
import WebAccess

/// The key by which every server of the store knows again what another has handed out, read once.
final class SealingKey: Sendable {
  private let key = Mutex<[UInt8]?>(nil)

  /// The key of who may use the server.
  func value(_ visitors: Visitors) async throws -> [UInt8] {
    if let known = key.withLock({ $0 }) { return known }
    let read = try await visitors.useAccess { try $0.sealingKey() }
    key.withLock { $0 = read }
    return read
  }
}
