import CLinuxEvents
import Glibc

/// A descriptor that is readable while something waits to be received: on a connection, or taken up by another thread.
final class Arrivals: Sendable {
  let descriptor: Int32
  private let event: Int32

  /// A descriptor for connections that are still to be added.
  init() throws(BusFailure) {
    descriptor = belfry_descriptors_create()
    event = belfry_event_create()
    try add(event)
  }

  deinit {
    close(descriptor)
    close(event)
  }

  /// Adds a descriptor, which leaves when it is closed.
  func add(_ other: Int32) throws(BusFailure) {
    guard belfry_descriptors_add(descriptor, other) == 0 else { throw .refused(String(cString: strerror(errno))) }
  }

  /// Makes it readable. Safe from any thread.
  func signal() { _ = belfry_event_signal(event) }

  /// Undoes ``signal()``.
  func drain() { _ = belfry_drain(event) }
}
