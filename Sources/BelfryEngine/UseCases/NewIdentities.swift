import BelfryModel
import FoundationEssentials
import Synchronization

/// The identities of the items and lists that one request makes, known before it is carried out: whoever does not know
/// whether it was, because a process died or a file was locked, looks for the first one in the store.
package final class NewIdentities: Sendable {
  private let seed: String
  private let count = Mutex(0)

  /// The identities of a request.
  ///
  /// - Parameter seed: tells it from every other request.
  package init(seed: String) { self.seed = seed }

  /// The next identity, a version 5 UUID (RFC 9562 section 5.5).
  func next() -> UUID {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    return identity(number)
  }

  /// True if the first thing that the request was to make is in the store.
  package func areMade(in view: any StoreView) throws -> Bool {
    let first = identity(0)
    return try view.item(uuid: first) != nil || view.lists().contains { $0.uuid == first }
  }

  private func identity(_ number: Int) -> UUID {
    UUID(namespace: .belfry, utf8: Array("request \(seed) \(number)".utf8))
  }
}
