import Synchronization

/// A desktop that shows notifications, for the thread that delivers and the one that receives answers.
///
/// The connection is opened by the first use and kept, also by the next sink if the config is reloaded: some servers
/// report a press only over the connection that showed the notification.
final class Desktop: Sendable {
  /// A press of a button of this program.
  struct Press: Sendable {
    /// The effect of a press.
    enum Effect: Sendable {
      case answer(ButtonKey)
      case open(String)
    }

    let effect: Effect
    /// The number of the notification, if this program is known to have shown it.
    let notification: UInt32?
    /// Its number among all presses.
    let serial: Int
  }

  /// The presses that have arrived, and the connection over which more will.
  struct Arrived: Sendable {
    /// The presses that wait to be taken.
    let presses: [Press]
    /// A descriptor that is readable once there may be more.
    let descriptor: Int32
    /// The number of the connection, which is unique.
    let connection: Int
    /// True once after do-not-disturb has ended, or after a server that a call had not found has appeared.
    let hasResumed: Bool
  }

  /// The most presses that wait to be taken.
  private static let mostPresses = 1_024

  private struct State {
    var arrivals: Arrivals?
    var server: NotificationServer?
    var connections = 0
    var presses: [Press] = []
    var lastPress = 0
  }

  private let address: String
  private let state = Mutex(State())

  /// A desktop whose bus is at an address.
  init(at address: String) { self.address = address }

  /// Runs `body` with the notification server, over a new connection if the last one has ended. Blocks.
  func withServer<Result: Sendable>(
    _ body: @Sendable (NotificationServer) throws(BusFailure) -> Result
  ) throws(BusFailure) -> Result {
    try state.withLock { state throws(BusFailure) in
      let server = try Self.connect(&state, address)
      defer {
        // This call may have read signals for the other thread, which the connection then no longer wakes.
        Self.receive(&state)
        let isIdle = state.presses.isEmpty && state.server?.mayTellResumption == false
        if !isIdle { state.arrivals?.signal() }
      }
      return try body(server)
    }
  }

  /// The presses that have arrived. Connects if there is no connection.
  func arrived() throws(BusFailure) -> Arrived {
    try state.withLock { state throws(BusFailure) in
      state.arrivals?.drain()
      let hasResumed = try Self.connect(&state, address).tellsResumption()
      return Arrived(
        presses: state.presses, descriptor: state.arrivals?.descriptor ?? -1, connection: state.connections,
        hasResumed: hasResumed)
    }
  }

  /// Removes a press that was taken.
  func remove(_ press: Press) { state.withLock { $0.presses.removeAll { $0.serial == press.serial } } }

  private static func connect(_ state: inout State, _ address: String) throws(BusFailure) -> NotificationServer {
    receive(&state)
    if let server = state.server {
      server.beginCalls()
      return server
    }
    let arrivals = if let arrivals = state.arrivals { arrivals } else { try Arrivals() }
    state.arrivals = arrivals
    let server = try NotificationServer(on: address)
    try arrivals.add(server.descriptor)
    state.server = server
    state.connections += 1
    // Wakes the other thread, so that it uses the new connection.
    arrivals.signal()
    return server
  }

  // Reads the messages that have arrived, and drops a connection that has ended.
  private static func receive(_ state: inout State) {
    do throws(BusFailure) {
      try state.server?.receive { press in
        guard state.presses.count < mostPresses else { return }
        let shown = state.server?.shown[press.notification]
        let page = shown?.pages[press.key].map { Press.Effect.open($0) }
        guard let effect = page ?? ButtonKey(parsing: press.key).map({ .answer($0) }) else { return }
        state.lastPress += 1
        state.presses.append(Press(effect: effect, notification: shown?.number, serial: state.lastPress))
      }
    } catch {
      state.server = nil
    }
  }
}
