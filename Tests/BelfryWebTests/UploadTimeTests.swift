import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Testing

@testable import BelfryWeb

@Suite("The time for a body")
struct UploadTimeTests {
  /// A connection on its own clock, over which a head with a long body has arrived.
  private func connection(_ path: String) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers([
      ByteToMessageHandler(HTTPRequestDecoder()), HTTPResponseEncoder(), HTTP1ToHTTPServerCodec(secure: false),
      RequestDeadlines(limits: WebLimits()),
    ])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n"
    try channel.writeInbound(ByteBuffer(string: head))
    return channel
  }

  /// Sends bytes after some time, if the connection still takes them.
  private func send(_ count: Int, after time: TimeAmount, over channel: EmbeddedChannel) throws {
    channel.embeddedEventLoop.advanceTime(by: time)
    if channel.isActive { try channel.writeInbound(ByteBuffer(repeating: 0x20, count: count)) }
  }

  @Test("a file that is imported may take long as long as it grows; what stops or drips ends the connection")
  func upload() throws {
    let piece = WebLimits().uploadPiece
    for (path, count, isTaken) in [
      ("/api/v1/import?format=json", piece, true), ("/api/v1/import", piece / 2 + 1, true),
      ("/api/v1/import", 1, false), ("/api/v1/items", piece, false),
    ] {
      let channel = try connection(path)
      for _ in 0..<10 { try send(count, after: .seconds(14), over: channel) }
      #expect(channel.isActive == isTaken, "\(path) \(count)")
      channel.embeddedEventLoop.advanceTime(by: .seconds(31))
      #expect(!channel.isActive)
      // The decoder reports that the body was cut off.
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }
  }
}
