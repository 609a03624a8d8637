import NIOCore
import Synchronization

/// The open connections, so that all can be closed. The work for a connection is cancelled when it closes.
final class OpenConnections: Sendable {
  private struct Connection {
    let channel: any Channel
    /// True once its client has left.
    var isLeft = false
    /// Cancels the work on a request.
    var cancel: (@Sendable () -> Void)?
  }

  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    var isEnding = false
    var emptySince = NIODeadline.now()
  }

  private let state = Mutex(State())

  /// Adds a connection until it is closed.
  func add(_ channel: any Channel) {
    let isEnding = state.withLock { state in
      state.connections[ObjectIdentifier(channel)] = Connection(channel: channel)
      return state.isEnding
    }
    channel.closeFuture.whenComplete { [self, id = ObjectIdentifier(channel)] _ in
      leave(id)
      state.withLock { state in
        state.connections[id] = nil
        state.emptySince = .now()
      }
    }
    if isEnding { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
  }

  /// Works on a request of a connection. The work is cancelled when its client leaves or the caller is cancelled.
  func work<Output: Sendable>(
    for channel: any Channel, _ body: @escaping @Sendable () async throws -> Output
  ) async throws -> Output {
    let id = ObjectIdentifier(channel)
    let task = Task(operation: body)
    let isLeft = state.withLock { state in
      state.connections[id]?.cancel = { task.cancel() }
      return state.connections[id]?.isLeft ?? true
    }
    defer { state.withLock { $0.connections[id]?.cancel = nil } }
    if isLeft { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Notes that the client of a connection has left.
  func leave(_ id: ObjectIdentifier) {
    let cancel = state.withLock { state in
      state.connections[id]?.isLeft = true
      return state.connections[id]?.cancel
    }
    cancel?()
  }

  /// The time since the last connection was closed; `nil` while one is open.
  var unusedTime: TimeAmount? {
    state.withLock { state in state.connections.isEmpty ? NIODeadline.now() - state.emptySince : nil }
  }

  /// Closes idle connections at once, and the others after their reply.
  func quiesce() {
    let channels = state.withLock { state in
      state.isEnding = true
      return state.connections.values.map(\.channel)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
  }

  /// Closes all of them at once.
  func close() {
    for channel in state.withLock({ $0.connections.values.map(\.channel) }) { channel.close(promise: nil) }
  }
}

/// Notes that a client has left, a moment after it closed its side of the connection, since some clients close it after
/// their request and still wait for the reply.
final class LeaveWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connections: OpenConnections
  private let patience: TimeAmount

  init(_ connections: OpenConnections, patience: TimeAmount) {
    (self.connections, self.patience) = (connections, patience)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      // Kept until then, since a new channel at the same address in memory would have the same identity.
      let channel = context.channel
      context.eventLoop.scheduleTask(in: patience) { [connections] in connections.leave(ObjectIdentifier(channel)) }
    }
    context.fireUserInboundEventTriggered(event)
  }
}
