import FoundationEssentials
import Glibc
import Synchronization

/// The error of a long command that was interrupted by a signal.
struct Interrupted: Error {
  fileprivate let signal: Int32

  /// Ends the program as if the signal had not been caught, so that a shell or script sees it.
  func end() -> Never {
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }
}

/// Lets a long command choose the moment at which a signal ends it; a second signal ends it at once.
enum Interruption {
  private static let received = Atomic<Int32>(0)

  /// Records SIGINT, SIGTERM and SIGHUP from now on.
  static func watch() {
    // Initialised before a signal arrives, since a handler may only store a number.
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { Interruption.received.store($0, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  // nohup ignores SIGHUP, for example.
  private static func isIgnored(_ number: Int32) -> Bool {
    var present = sigaction()
    guard sigaction(number, nil, &present) == 0 else { return false }
    return unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// - Throws: ``Interrupted`` once a signal has arrived.
  static func check() throws {
    let number = received.load(ordering: .relaxed)
    if number != 0 { throw Interrupted(signal: number) }
  }
}
