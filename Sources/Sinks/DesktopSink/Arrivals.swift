import CLinuxEvents
import Glibc

/// A descriptor that is readable while a connection has data to receive, or after a thread has called ``signal()``.
final class Arrivals: Sendable {
  let descriptor: Int32
  private let event: Int32

  /// Creates a descriptor to which connections are added later.
  init() throws(BusFailure) {
    descriptor = belfry_descriptors_create()
    event = belfry_event_create()
    try add(event)
  }

  deinit {
    close(descriptor)
    close(event)
  }

  /// Adds the descriptor of a connection. Closing that descriptor removes it.
  func add(_ other: Int32) throws(BusFailure) {
    guard belfry_descriptors_add(descriptor, other) == 0 else { throw .refused(String(cString: strerror(errno))) }
  }

  /// Makes it readable. Safe from any thread.
  func signal() { _ = belfry_event_signal(event) }

  /// Undoes ``signal()``.
  func drain() { _ = belfry_drain(event) }
}
