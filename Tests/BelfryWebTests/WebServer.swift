import AnswerTokens
import BelfryEngine
import BelfryTestKit
import CivilTime
import Dispatch
import Hummingbird
import MemoryStore
import Synchronization
import SystemThreads
import Testing
import WebAccess

@testable import BelfryWeb

/// A server on a free port, or where its settings say, with routes that a test adds; it ends with the test.
final class Server: Sendable {
  let address: ListenAddress
  let time = ManualTimeSource()
  /// The tokens and sessions, in a folder of its own.
  let access: AccessStore
  /// The file that has them.
  let accessFile: AccessFile
  /// The engine that it serves.
  let belfry: Belfry
  /// The keys of its links.
  let keys: KeyRingFile
  /// The feed of open pages.
  let feed: StoreFeed
  private let folder: TemporaryFolder
  private let settings: WebSettings
  private let limits: WebLimits
  private let memory = WebMemory()
  private let routes: CurrentRoutes
  private let events = EventList()
  private let stopping: AsyncStream<Never>.Continuation
  private let running: Task<Void, any Error>

  /// - Parameter routes: routes beside Belfry's own, under the same rules.
  init(
    _ settings: WebSettings = .freePort, limits: WebLimits = WebLimits(), socket: ListeningSocket? = nil,
    store: any ItemStore = MemoryStore(), belfry belfrySettings: Settings = Settings(), setup: WebSetup = WebSetup(),
    routes: (Router<WebContext>) -> Void = { _ in }
  ) throws {
    belfry = Belfry(store: store, settings: belfrySettings, time: time, zones: ZoneDatabase(environment: [:]))
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    accessFile = AccessFile(store: folder.file("store"))
    access = AccessStore(accessFile)
    keys = KeyRingFile(path: folder.file("keys"))
    feed = StoreFeed(belfry: belfry, access: access, log: events.add)
    let socket = try socket ?? ListeningSocket(listeningOn: settings.listen, mode: settings.socketMode)
    address = socket.address
    (self.settings, self.limits) = (settings, limits)
    let face = WebFace(
      belfry: belfry, setup: setup, access: access, links: LinkReader(file: keys), threads: StoreThreads(),
      memory: memory, feed: feed, log: events.add)
    let router = try face.router(settings, at: address, limits: limits)
    routes(router)
    self.routes = CurrentRoutes(router)
    let server = WebServer(socket: socket, limits: limits, routes: self.routes)
    let (stream, stopping) = AsyncStream.makeStream(of: Never.self)
    self.stopping = stopping
    running = Task { [feed] in
      try await server.run {
        for await _ in stream {}
      } entering: {
        if $0 == .ending { feed.end() }
      }
    }
  }

  deinit { stopping.finish() }

  var log: [Event] { events.all.withLock { $0 } }

  /// Makes the routes again, as when the config is reloaded, without those that the test has added.
  func reload() throws {
    let face = WebFace(
      belfry: belfry, access: access, links: LinkReader(file: keys), threads: StoreThreads(), memory: memory,
      feed: feed, log: events.add)
    routes.replace(by: try face.router(settings, at: address, limits: limits))
  }

  /// Asks the server to end.
  func stop() { stopping.finish() }

  /// Waits until the server has ended.
  func ended() async throws { try await running.value }

  /// The reply to one request over a new connection.
  func reply(to request: String) async throws -> Reply {
    let all = try await exchange(request)
    return try #require(Reply(all), "\(all)")
  }

  /// The reply to a GET.
  ///
  /// - Parameter fields: more fields, each with its line end.
  func get(_ path: String, _ fields: String = "", host: String = "localhost") async throws -> Reply {
    try await reply(to: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)Connection: close\r\n\r\n")
  }

  /// The reply to a POST, of a form where it has a body.
  func post(
    _ path: String, _ fields: String = "", host: String = "localhost", body: String = ""
  ) async throws -> Reply {
    let type = body.isEmpty ? "" : "Content-Type: application/x-www-form-urlencoded\r\n"
    return try await reply(
      to: "POST \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\(type)Content-Length: \(body.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(body)")
  }

  /// Everything received over a new connection until the server closes it.
  func exchange(_ request: String) async throws -> String {
    let address = address
    return try await onThread {
      let connection = try Connection(to: address)
      // A server may reply without reading everything: only its reply matters.
      try? connection.send(request)
      return connection.rest()
    }
  }
}

private final class EventList: Sendable {
  let all = Mutex<[Event]>([])

  @Sendable func add(_ event: Event) { all.withLock { $0.append(event) } }
}

extension WebSettings {
  static let freePort = WebSettings(listen: .tcp(address: "127.0.0.1", port: 0))
}

/// A reply as it was received.
struct Reply {
  let status: Int
  let fields: [(name: String, value: String)]
  let body: String

  init?(_ text: String) {
    guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    self.status = status
    fields = lines.dropFirst().compactMap { line in
      line.firstIndex(of: ":").map { colon in
        (line[..<colon].lowercased(), line[colon...].dropFirst().drop { $0 == " " }.description)
      }
    }
    body = String(text[end.upperBound...])
  }

  subscript(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

/// Runs blocking work apart from the threads that the server's tasks need.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  let thread = TaskThread()
  defer { withExtendedLifetime(thread) {} }
  return try await Task(executorPreference: thread) { try body() }.value
}

/// Holds threads back until it is opened.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }

  func open() { semaphore.signal() }
}
