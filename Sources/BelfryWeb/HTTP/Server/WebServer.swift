import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP server over one socket. It knows nothing of Belfry but the limits.
struct WebServer: Sendable {
  private let socket: ListeningSocket
  private let limits: WebLimits
  private let http: HTTP1Channel
  private let connections = OpenConnections()

  /// The stages of a server's life.
  enum Stage: Sendable {
    case started
    /// It accepts no more connections, and ends.
    case ending
  }

  init(socket: ListeningSocket, limits: WebLimits, routes: CurrentRoutes) {
    self.socket = socket
    self.limits = limits
    http = HTTP1Channel(
      responder: { [connections] request, writer, channel in
        let context = WebContext(source: ApplicationRequestContextSource(channel: channel, logger: Self.logger))
        let response = try await connections.work(for: channel) {
          try await routes.responder.respond(to: request, context: context)
        }
        try await writer.write(response: response.head, body: response.body)
      },
      configuration: .init(
        additionalChannelHandlers: [RequestDeadlines(limits: limits)], idleTimeout: limits.idleTime,
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.head, maxHeaderListSize: limits.head, maxHeaderFieldCount: 100)))
  }

  /// Serves until it is asked to stop, or until the service manager's socket was idle for long.
  ///
  /// - Parameters:
  ///   - stop: returns when the server must stop, and when its task is cancelled.
  ///   - enter: called with each stage.
  func run(
    until stop: @escaping @Sendable () async -> Void, entering enter: (Stage) -> Void = { _ in }
  ) async throws {
    // One thread reads and writes; requests are handled on others.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let listener = try await listen(on: loop)
    enter(.started)
    let ending = Task {
      await stop()
      listener.channel.close(promise: nil)
    }
    let unused = watchUse(loop, listener.channel)
    let serving = Task { try await serve(listener) }
    try? await listener.channel.closeFuture.get()
    socket.remove()
    enter(.ending)
    ending.cancel()
    unused?.cancel()
    connections.quiesce()
    let last = loop.scheduleTask(in: limits.stopTime) { [connections] in
      serving.cancel()
      connections.close()
    }
    try await serving.value
    last.cancel()
    // Awaited even if the server ended because it was idle, since the task still uses the loop.
    await ending.value
    try await group.shutdownGracefully()
  }

  private func listen(on loop: any EventLoop) async throws -> NIOAsyncChannel<HTTP1Channel.Value, Never> {
    let (connectionLimit, patience) = (limits.connections, limits.leaveTime)
    return try await ServerBootstrap(group: loop)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            AvailableConnectionsChannelHandler(maxConnections: connectionLimit), AcceptPause(),
          ])
        }
      }
      .bind(socket.descriptor) { [http, connections] channel in
        connections.add(channel)
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(LeaveWatch(connections, patience: patience))
        }.flatMap { http.setup(channel: channel, logger: Self.logger) }
      }
  }

  private func serve(_ listener: NIOAsyncChannel<HTTP1Channel.Value, Never>) async throws {
    try await listener.executeThenClose { accepted in
      try await withThrowingDiscardingTaskGroup { group in
        for try await connection in accepted {
          group.addTask { await http.handle(value: connection, logger: Self.logger) }
        }
      }
    }
  }

  private func watchUse(_ loop: any EventLoop, _ listener: any Channel) -> RepeatedTask? {
    guard socket.isActivated else { return nil }
    let pause = TimeAmount.nanoseconds(max(1_000_000, limits.unusedTime.nanoseconds / 10))
    return loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { [connections, limits] _ in
      if let time = connections.unusedTime, time >= limits.unusedTime { listener.close(promise: nil) }
    }
  }

  // The library logs each connection; important events are logged where they are decided.
  private static let logger = Logger(label: "web") { _ in SwiftLogNoOpLogHandler() }
}

/// Stops accepting for a moment when the system has no descriptors left, instead of retrying at once forever.
private final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let time = TimeAmount.milliseconds(500)

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let channel = context.channel
    channel.setOption(.autoRead, value: false).whenComplete { _ in
      channel.eventLoop.scheduleTask(in: Self.time) { channel.setOption(.autoRead, value: true) }
    }
  }
}

/// The routes in force, which a reload of the config replaces between two requests.
final class CurrentRoutes: Sendable {
  private let current: Mutex<RouterResponder<WebContext>>

  init(_ router: Router<WebContext>) { current = Mutex(Self.responder(of: router)) }

  /// The responder for the next request.
  var responder: RouterResponder<WebContext> { current.withLock { $0 } }

  func replace(by router: Router<WebContext>) {
    let responder = Self.responder(of: router)
    current.withLock { $0 = responder }
  }

  private static func responder(of router: Router<WebContext>) -> RouterResponder<WebContext> {
    // Added after all routes, so that it replies only if none of them does.
    router.add(middleware: PathMethods(of: router.routes))
    return router.buildResponder()
  }
}
