import BelfryEngine
import Hummingbird
import NIOCore
import NIOEmbedded
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("Clients that leave")
struct LeavingClientTests {
  private static let long = "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let healthz = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// A server with a path whose work ends only where it is cancelled.
  private struct Long {
    let server: Server
    let begun: AsyncStream<Void>
    /// True for work that was cancelled.
    let ended: AsyncStream<Bool>

    init(_ limits: WebLimits) throws {
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let (ended, end) = AsyncStream.makeStream(of: Bool.self)
      (self.begun, self.ended) = (begun, ended)
      server = try Server(limits: limits) { router in
        for method in [HTTPRequest.Method.get, .post] {
          router.on("long", method: method) { request, _ in
            _ = try await request.body.collect(upTo: 100)
            begin.yield()
            let (never, hold) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            end.yield(Task.isCancelled)
            return withExtendedLifetime(hold) { Response.text("ended\n") }
          }
        }
      }
    }
  }

  /// The requests of a client, and the one among them at which it leaves.
  enum Requests: String, CaseIterable, Sendable {
    case one
    case withBody
    case behindAnother
    case beforeAnother
    case beforeMany

    var text: String {
      switch self {
      case .one: LeavingClientTests.long
      case .withBody: "POST /long HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"
      case .behindAnother: LeavingClientTests.healthz + LeavingClientTests.long
      case .beforeAnother: LeavingClientTests.long + LeavingClientTests.long + LeavingClientTests.healthz
      case .beforeMany: LeavingClientTests.long + String(repeating: LeavingClientTests.healthz, count: 200)
      }
    }
  }

  @Test(
    "the work for one ends, whether its body was read, others came before it on the connection, or others wait behind",
    arguments: Requests.allCases)
  func left(requests: Requests) async throws {
    let long = try Long(WebLimits(leaveTime: .milliseconds(20), stopTime: .hours(1)))
    do {
      let connection = try await onThread {
        let connection = try Connection(to: long.server.address)
        try connection.send(requests.text)
        return connection
      }
      for await _ in long.begun { break }
      withExtendedLifetime(connection) {}
    }
    for await isCancelled in long.ended {
      #expect(isCancelled)
      break
    }
    // Nothing continues behind it, not even requests that waited on its connection.
    long.server.stop()
    try await long.server.ended()
  }

  @Test("a stop ends the work for those who wait")
  func stopped() async throws {
    let long = try Long(WebLimits(leaveTime: .hours(1), stopTime: .milliseconds(20)))
    async let reply = long.server.exchange(Self.long)
    for await _ in long.begun { break }
    long.server.stop()
    try await long.server.ended()
    for await isCancelled in long.ended {
      #expect(isCancelled)
      break
    }
    _ = try await reply
  }

  @Test("one that has said everything, and closed its side, gets its reply")
  func halfClosed() async throws {
    let server = try Server()
    let reply = try await onThread {
      let connection = try Connection(to: server.address)
      try connection.send(Self.healthz)
      connection.endSide()
      return connection.rest()
    }
    #expect(reply.hasPrefix("HTTP/1.1 200 ") && reply.hasSuffix("ok\n"), "\(reply)")
  }

  @Test("the next connection does not get the identity of one whose client is not yet known to have left")
  func identity() {
    let (connections, loop) = (OpenConnections(), EmbeddedEventLoop())
    func open() -> EmbeddedChannel {
      let channel = EmbeddedChannel(
        handler: LeaveWatch(connections, patience: .milliseconds(500)), loop: loop)
      connections.add(channel)
      return channel
    }
    func identityOfOneThatLeft() -> ObjectIdentifier {
      let channel = open()
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      channel.close(promise: nil)
      loop.run()
      return ObjectIdentifier(channel)
    }
    let left = identityOfOneThatLeft()
    // Memory that is free is given to the next that asks.
    let next = (1...100).map { _ in open() }
    #expect(!next.contains { ObjectIdentifier($0) == left })
    for channel in next { channel.close(promise: nil) }
    loop.advanceTime(by: .milliseconds(500))
  }

  @Test("a search that finds nothing ends with its request")
  func search() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let found = Task { [belfry = fixture.server.belfry] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try belfry.read {
        try SearchRoutes.find("bread", nil, Sight(reading: $0, grant: Access.Grant(scope: .read))).count
      }
    }
    await #expect(throws: CancellationError.self) { try await found.value }
  }

  @Test("what waits for the store is not begun for one who has left, and is no fault of the server")
  func notBegun() async throws {
    let server = try Server()
    let calls = StoreCalls(belfry: server.belfry, threads: StoreThreads(count: 1))
    let (gate, begun) = (Gate(), Gate())
    let first = Task {
      try await calls.run { _ in
        begun.open()
        gate.wait()
      }
    }
    try await onThread { begun.wait() }
    let second = Task { try await calls.run { _ in true } }
    second.cancel()
    gate.open()
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(Problem(any: CancellationError()).status == .serviceUnavailable)
  }
}
