import FoundationEssentials
import Glibc
import Synchronization

/// The user, or the system, has asked a command that takes its time to end.
struct Interrupted: Error {
  fileprivate let signal: Int32

  /// Ends the program as if the signal had not been caught, so that a shell or a script sees it.
  func end() -> Never {
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }
}

/// Lets a command find a good moment to end when it is interrupted; the second time it ends at once.
enum Interruption {
  private static let received = Atomic<Int32>(0)

  /// Notes SIGINT, SIGTERM and SIGHUP from now on.
  static func watch() {
    // Made before a signal comes: a handler may do no more than store a number.
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { Interruption.received.store($0, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  // As nohup leaves it.
  private static func isIgnored(_ number: Int32) -> Bool {
    var present = sigaction()
    guard sigaction(number, nil, &present) == 0 else { return false }
    return unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// - Throws: ``Interrupted`` once a signal has come.
  static func check() throws {
    let number = received.load(ordering: .relaxed)
    if number != 0 { throw Interrupted(signal: number) }
  }
}
