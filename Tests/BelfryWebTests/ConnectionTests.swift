import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Hummingbird
import NIOCore
import Testing

@testable import BelfryWeb

@Suite("Connections of the web face")
struct ConnectionTests {
  private static func limits(_ change: (inout WebLimits) -> Void) -> WebLimits {
    var limits = WebLimits()
    // Far apart, so that each test sees the one that it is about.
    (limits.headTime, limits.bodyTime, limits.idleTime) = (.hours(1), .hours(1), .hours(1))
    change(&limits)
    return limits
  }

  @Test("a head that comes too slowly ends the connection, an idle one has longer")
  func slowHead() async throws {
    let server = try Server(limits: Self.limits { $0.headTime = .milliseconds(50) })
    #expect(try await server.exchange("GET /healthz HTTP/1.1\r\nHost: local") == "")
    let second = try await onThread {
      let connection = try Connection(to: server.address)
      try connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let reply = try connection.text(until: "ok\n")
      try connection.send("GET")
      return (reply, try connection.isClosed())
    }
    #expect(second.0.hasPrefix("HTTP/1.1 200 ") && second.1)
  }

  @Test("a body that comes too slowly ends the connection")
  func slowBody() async throws {
    let server = try Server(limits: Self.limits { $0.bodyTime = .milliseconds(50) }) { router in
      router.post("take") { request, _ in
        _ = try await request.body.collect(upTo: 10)
        return Response.text("taken\n")
      }
    }
    let text = try await server.exchange("POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nabc")
    #expect(!text.contains(" 200 "))
  }

  @Test("a client that leaves a reply unread is not waited for", .timeLimit(.minutes(10)))
  func unread() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let server = try Server(limits: Self.limits { $0.idleTime = .milliseconds(50) }) { router in
      router.get("endless") { _, _ in
        Response(
          status: .ok,
          body: ResponseBody { writer in
            defer { end.finish() }
            while true { try await writer.write(ByteBuffer(repeating: 0x78, count: 65_536)) }
          })
      }
    }
    let connection = try await onThread {
      let connection = try Connection(to: server.address)
      try connection.send("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return connection
    }
    for await _ in ended {}
    #expect(try await server.get("/healthz").status == 200)
    withExtendedLifetime(connection) {}
  }

  @Test("a connection that nobody uses is closed, before and after a request")
  func idle() async throws {
    let server = try Server(limits: Self.limits { $0.idleTime = .milliseconds(50) })
    #expect(try await server.exchange("") == "")
    #expect(try await server.exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").hasSuffix("ok\n"))
  }

  @Test("no more connections are taken than the limit says, and one goes on when another ends")
  func connectionLimit() async throws {
    let server = try Server(limits: Self.limits { $0.connections = 2 })
    let reply = try await onThread {
      var taken = try (1...2).map { _ in try Connection(to: server.address) }
      for connection in taken {
        try connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try connection.text(until: "ok\n")
      }
      let third = try Connection(to: server.address)
      try third.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let isServedAtOnce = try third.hasText(within: .milliseconds(50))
      taken.removeFirst()
      let reply = third.rest()
      return withExtendedLifetime(taken) { isServedAtOnce ? "at once: \(reply)" : reply }
    }
    #expect(reply.hasPrefix("HTTP/1.1 200 ") && reply.hasSuffix("ok\n"), "\(reply)")
  }

  @Test("a stop ends idle connections at once, and streams without end soon after")
  func stop() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let server = try Server(limits: Self.limits { $0.stopTime = .milliseconds(50) }) { router in
      router.get("stream") { _, _ in
        Response(
          status: .ok,
          body: ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "first\n"))
            start.yield()
            let (never, hold) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            withExtendedLifetime(hold) {}
          })
      }
    }
    let connection = try await onThread { try Connection(to: server.address) }
    async let idle = onThread { connection.rest() }
    async let stream = server.exchange("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for await _ in started { break }
    server.stop()
    try await server.ended()
    #expect(try await stream.contains("first\n"))
    #expect(try await idle == "")
    await #expect(throws: Connection.Failure.self) { try await server.exchange("") }
  }

  @Test("a request that is being answered at a stop is answered")
  func stopWhileAnswering() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let server = try Server(limits: Self.limits { $0.stopTime = .hours(1) }) { router in
      router.get("work") { _, _ in
        start.yield()
        for await _ in ended {}
        return Response.text("done\n")
      }
    }
    async let reply = server.exchange("GET /work HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for await _ in started { break }
    server.stop()
    end.finish()
    try await server.ended()
    #expect(try await reply.hasSuffix("done\n"))
  }
}

@Suite("Sockets of the web face")
struct SocketTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("belfry.sock") }

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  @Test(
    "one in the file system has its mode, takes the place of one that was left, and goes at the end",
    arguments: WebSettings.SocketMode.allCases)
  func unix(mode: WebSettings.SocketMode) async throws {
    let address = ListenAddress.unix(path: path)
    let left = try ListeningSocket(listeningOn: address, mode: .user)
    #expect(errorKind { try ListeningSocket(listeningOn: address, mode: mode) } == .tryAgain)
    close(left.descriptor)
    let server = try Server(WebSettings(listen: address, socketMode: mode))
    #expect(try await server.get("/healthz").status == 200)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == Int(mode.number))
    server.stop()
    try await server.ended()
    #expect(try folder.names() == [])
  }

  @Test("a file in the place of a socket stays, and a folder that is missing is told")
  func places() throws {
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(errorKind { try ListeningSocket(listeningOn: .unix(path: path), mode: .user) } == .cannotCreate)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    let missing = ListenAddress.unix(path: folder.file("none/belfry.sock"))
    #expect(errorKind { try ListeningSocket(listeningOn: missing, mode: .user) } == .cannotCreate)
  }

  @Test("a port that another has is told, over IPv6 too", arguments: ["127.0.0.1:0", "[::1]:0"])
  func port(text: String) throws {
    let free = try #require(ListenAddress(text))
    let first = try ListeningSocket(listeningOn: free, mode: .user)
    defer { close(first.descriptor) }
    #expect(first.address != free && first.address.isLocal)
    #expect(errorKind { try ListeningSocket(listeningOn: first.address, mode: .user) } == .tryAgain)
  }

  /// A socket that the service manager hands over.
  private func handedOver() throws -> ListeningSocket {
    let made = try ListeningSocket(listeningOn: .unix(path: path), mode: .user)
    let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
    return try #require(try ListeningSocket(handedOverIn: environment, from: made.descriptor))
  }

  @Test("the service manager's socket is taken, and the program ends once nobody has used it for long")
  func activated() async throws {
    let socket = try handedOver()
    #expect(socket.isActivated && socket.address == .unix(path: path))
    let limits = WebLimits(unusedTime: .seconds(1))
    // It connects before the server accepts, as the connection that makes the service manager start the program.
    let reply = try await onThread {
      let connection = try Connection(to: socket.address)
      try connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let server = try Server(limits: limits, socket: socket)
      return (try connection.text(until: "ok\n"), server)
    }
    #expect(reply.0.hasPrefix("HTTP/1.1 200 "))
    try await reply.1.ended()
    // The service manager's stays.
    #expect(try folder.names() == ["belfry.sock"])
  }

  @Test("a server that ends by itself ends after the task that waits for a stop, which calls its event loop")
  func lastTask() async throws {
    let routes = CurrentRoutes(Router(context: WebContext.self))
    let server = WebServer(
      socket: try handedOver(), limits: WebLimits(unusedTime: .milliseconds(1)), routes: routes)
    let (endless, hold) = AsyncStream.makeStream(of: Never.self)
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    let hasEnded = DispatchSemaphore(value: 0)
    let running = Task {
      try await server.run {
        for await _ in endless {}
        // Cancelled, it stays until the server has ended, but no longer than a moment.
        try? await onThread { _ = hasEnded.wait(timeout: .now() + .milliseconds(50)) }
        end.yield("task")
      }
      end.yield("server")
      hasEnded.signal()
    }
    try await running.value
    end.finish()
    #expect(await ends.reduce(into: []) { $0.append($1) } == ["task", "server"])
    withExtendedLifetime(hold) {}
  }

  @Test("what is handed over to another process is not taken, and what is no socket that listens is refused")
  func notActivated() throws {
    #expect(try ListeningSocket(handedOverIn: [:]) == nil)
    #expect(try ListeningSocket(handedOverIn: ["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
    let own = ["LISTEN_PID": "\(getpid())"]
    #expect(try ListeningSocket(handedOverIn: own.merging(["LISTEN_FDS": "0"]) { $1 }) == nil)
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(
      errorKind { try ListeningSocket(handedOverIn: own.merging(["LISTEN_FDS": "1"]) { $1 }, from: file) } == .badConfig
    )
    #expect(
      errorKind { try ListeningSocket(handedOverIn: own.merging(["LISTEN_FDS": "2"]) { $1 }, from: file) } == .badConfig
    )
  }
}
