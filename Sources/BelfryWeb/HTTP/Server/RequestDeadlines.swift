import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Closes a connection whose head or body comes too slowly, one whose head is too long, and one whose client does not
/// read the replies.
///
/// The library's own idle timeout covers only whole requests: a client that sends single bytes would have a minute for
/// each head, and the server would wait forever for a client that sends many requests and reads no reply.
final class RequestDeadlines: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private enum Phase {
    case between
    case head(bytes: Int)
    case body
    case upload(bytes: Int)
  }

  private let limits: WebLimits
  private var phase = Phase.between
  private var timer: Scheduled<Void>?
  private var replyTimer: Scheduled<Void>?

  init(limits: WebLimits) { self.limits = limits }

  func handlerAdded(context: ChannelHandlerContext) {
    try? context.pipeline.syncOperations.addHandler(ArrivalWatch(deadlines: self), position: .first)
    if let codec = try? context.pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? context.pipeline.syncOperations.addHandler(TargetForm(), position: .before(codec))
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    replyTimer?.cancel()
  }

  // A channel is not writable while much data waits for its client, until the client has read most of it.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let channel = context.channel
    replyTimer?.cancel()
    if !channel.isWritable { replyTimer = close(channel, in: limits.idleTime) }
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      phase = limits.isUpload(head) ? .upload(bytes: 0) : .body
      start(limits.bodyTime, context.channel)
    case .body(let piece): uploaded(piece.readableBytes, context.channel)
    case .end:
      phase = .between
      timer?.cancel()
    }
    context.fireChannelRead(data)
  }

  /// Notes that bytes arrived, before they are parsed.
  fileprivate func began(_ count: Int, _ context: ChannelHandlerContext) {
    switch phase {
    case .between:
      phase = .head(bytes: count)
      start(limits.headTime, context.channel)
    case .head(let bytes): phase = .head(bytes: bytes + count)
    case .body, .upload: break
    }
  }

  // A large file may take long over a slow connection, as long as it makes progress.
  private func uploaded(_ count: Int, _ channel: any Channel) {
    guard case .upload(let bytes) = phase else { return }
    let isEnough = bytes + count >= limits.uploadPiece
    phase = .upload(bytes: isEnough ? 0 : bytes + count)
    if isEnough { start(limits.bodyTime, channel) }
  }

  /// Notes that the bytes were parsed.
  fileprivate func ended(_ context: ChannelHandlerContext) {
    if case .head(let bytes) = phase, bytes > limits.head {
      phase = .body
      context.fireErrorCaught(HTTPParserError.headerOverflow)
    }
  }

  private func start(_ time: TimeAmount, _ channel: any Channel) {
    timer?.cancel()
    timer = close(channel, in: time)
  }

  private func close(_ channel: any Channel, in time: TimeAmount) -> Scheduled<Void> {
    channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}

/// Notifies the deadlines of bytes before they are parsed.
private final class ArrivalWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let deadlines: RequestDeadlines

  init(deadlines: RequestDeadlines) { self.deadlines = deadlines }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    deadlines.began(unwrapInboundIn(data).readableBytes, context)
    context.fireChannelRead(data)
    deadlines.ended(context)
  }
}

/// Refuses a request whose target is not a path, since a Host in the target would be ignored.
private final class TargetForm: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private var hasRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") {
      hasRefused = true
      context.fireErrorCaught(HTTPParserError.invalidURL)
    }
    // The library closes the connection after an error.
    if !hasRefused { context.fireChannelRead(data) }
  }
}
