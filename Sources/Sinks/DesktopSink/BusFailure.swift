import BelfryEngine
import Glibc

/// The failure of a connection to a bus, or of a call over it.
enum BusFailure: Error, Hashable {
  /// libsystemd cannot be loaded.
  case noLibrary(String)
  /// The bus cannot be connected to.
  case unreachable(address: String, code: Int32)
  /// The connection ended; the message may have been received.
  case ended
  /// No reply arrived in time; the call may have been received.
  case timedOut
  /// No program has the name that was called, and none can be started for it.
  case absent
  /// The bus failed to start a program for the name that was called.
  case unstartable(String)
  /// The reply was an error, or the call was never sent.
  case refused(String)

  /// The failure of a call.
  ///
  /// - Parameters:
  ///   - code: the code of errno(3) that sd-bus returns for the error in the reply, or for its own error.
  ///   - words: the name and text of the error.
  init(code: Int32, words: String) {
    switch code {
    // A server that ends during a call has the bus reply with NoReply, which is a timeout for sd-bus.
    case ETIMEDOUT: self = .timedOut
    case ECONNRESET, ENOTCONN, EPIPE, ECONNABORTED: self = .ended
    case EHOSTUNREACH, ENXIO: self = .absent
    case _ where words.hasPrefix("org.freedesktop.DBus.Error.Spawn."): self = .unstartable(words.visibleLine)
    default: self = .refused(words.isEmpty ? String(cString: strerror(code)) : words.visibleLine)
    }
  }

  var reason: String {
    switch self {
    case .noLibrary(let reason): "libsystemd is needed to reach the desktop: \(reason)"
    case .unreachable(let address, let code):
      "the desktop's bus at \(address) cannot be reached: \(String(cString: strerror(code)))".visibleLine
    case .ended: "the connection to the desktop's bus ended"
    case .timedOut: "the desktop's notification server did not reply in time"
    case .absent: "no program on the desktop's bus shows notifications"
    case .unstartable(let words): "the desktop's notification server cannot be started: \(words)"
    case .refused(let words): "the desktop's notification server refused: \(words)"
    }
  }

  /// True if only the user can repair it. The other failures end once the user signs in.
  private var needsAttention: Bool {
    switch self {
    case .noLibrary: true
    case .unreachable(_, let code): [EACCES, EPERM, EINVAL].contains(code)
    case .ended, .timedOut, .absent, .unstartable, .refused: false
    }
  }

  /// True if there is no server, and the bus can start none.
  var isLackOfServer: Bool {
    switch self {
    case .absent, .unstartable: true
    case .noLibrary, .unreachable, .ended, .timedOut, .refused: false
    }
  }

  /// The outcome of an attempt with this failure.
  var outcome: DeliveryOutcome {
    switch self {
    case .ended, .timedOut: .unknown(reason: reason)
    case .noLibrary, .unreachable, .absent, .unstartable, .refused:
      .later(reason: reason, needsAttention: needsAttention)
    }
  }
}
