import NIOCore
import Synchronization

/// The connections that are open, so that all can be closed.
final class OpenConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isEnding = false
    var emptySince = NIODeadline.now()
  }

  private let state = Mutex(State())

  /// Adds a connection until it is closed.
  func add(_ channel: any Channel) {
    let isEnding = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return state.isEnding
    }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.channels[ObjectIdentifier(channel)] = nil
        state.emptySince = .now()
      }
    }
    if isEnding { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
  }

  /// The time since the last connection was closed; `nil` while one is open.
  var unusedTime: TimeAmount? {
    state.withLock { state in state.channels.isEmpty ? NIODeadline.now() - state.emptySince : nil }
  }

  /// Closes those without a request at once, and the others after their reply.
  func quiesce() {
    let channels = state.withLock { state in
      state.isEnding = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
  }

  /// Closes all of them at once.
  func close() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }
}
