import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import TestSupport
import Testing

@testable import DesktopSink

@Suite("A desktop that cannot show anything")
struct DesktopFaultTests {
  private func attempt(_ minute: Int = 0) throws -> DeliveryAttempt { Sample.attempt(try Sample.message(at: minute)) }

  @Test("without a server: later, and delivered once one runs")
  func absentServer() async throws {
    let bus = try SessionBus()
    let sink = Notifying.sink(on: bus)
    #expect(
      await sink.deliver(try attempt()) == .later(reason: "no program on the desktop's bus shows notifications"))
    #expect(await sink.probe() == .later(reason: "no program on the desktop's bus shows notifications"))
    let server = try NotificationCollector(on: bus)
    #expect(await sink.deliver(try attempt()).isDelivered)
    #expect(await sink.probe() == .delivered(reply: "Collector 1"))
    #expect(try server.records().count == 1)
  }

  @Test("a server that the bus cannot start is told, to be tried again")
  func unstartable() {
    let failure = BusFailure(code: EIO, words: "org.freedesktop.DBus.Error.Spawn.ChildSignaled: received signal 5")
    #expect(
      failure.outcome
        == .later(
          reason: "the desktop's notification server cannot be started: "
            + "org.freedesktop.DBus.Error.Spawn.ChildSignaled: received signal 5"))
  }

  @Test("the bus going and coming: later, then over a new connection")
  func restartedBus() async throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let bus = try SessionBus(in: folder)
    let server = try NotificationCollector(on: bus)
    let sink = Notifying.sink(on: bus)
    #expect(await sink.deliver(try attempt()).isDelivered)
    server.stop()
    bus.stop()
    for minute in 1...2 {
      guard case .later(let reason, nil, false) = await sink.deliver(try attempt(minute)) else {
        Issue.record("it did not fail as it should")
        return
      }
      #expect(reason.hasPrefix("the desktop's bus at \(bus.address) cannot be reached"), "\(reason)")
    }
    let next = try SessionBus(in: folder)
    let other = try NotificationCollector(on: next)
    #expect(await sink.deliver(try attempt(2)).isDelivered)
    #expect(try other.records().map(\.replaced) == [0])
  }

  @Test("a server that refuses is told in one line without controls, to be tried again")
  func refusing() async throws {
    let desktop = try RecordedDesktop()
    try desktop.server.behave(.refusing)
    #expect(
      await desktop.sink.deliver(try attempt())
        == .later(
          reason: "the desktop's notification server refused: "
            + "org.freedesktop.Notifications.Error.ExcessNotificationGeneration: too many \u{fffd}[31m of them"))
  }

  @Test("a server that replies with something else, or ends, is tried again")
  func broken() async throws {
    let desktop = try RecordedDesktop()
    #expect(await desktop.sink.deliver(try attempt()).isDelivered)
    try desktop.server.behave(.babbling)
    let babbling = await desktop.sink.deliver(try attempt(1))
    guard case .later(let reason, _, _) = babbling else {
      Issue.record("the outcome is \(babbling)")
      return
    }
    #expect(reason.contains("has no number"))
    try desktop.server.behave(.dying)
    // Nobody knows whether it was shown.
    let dying = await desktop.sink.deliver(try attempt(2))
    #expect(dying == .unknown(reason: "the desktop's notification server did not reply in time"))
  }

  @Test("a server that hangs is given up in time, and holds up no other desktop")
  func hanging() async throws {
    let desktop = try RecordedDesktop()
    let other = try RecordedDesktop()
    #expect(await desktop.sink.deliver(try attempt()).isDelivered)
    try desktop.server.behave(.silent)
    let start = ContinuousClock.now
    async let hanging = desktop.sink.deliver(try attempt(1))
    #expect(await other.sink.deliver(try attempt()).isDelivered)
    #expect(try await hanging == .unknown(reason: "the desktop's notification server did not reply in time"))
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test("a bus that says nothing is given up in time")
  func silentBus() async throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let path = folder.file("bus")
    let listener = try UnixListener(path)
    let sink = DesktopSink(DesktopSettings(), busAt: "unix:path=\(path)", zones: Notifying.zones)
    guard case .later(let reason, _, false) = await sink.deliver(try attempt()) else {
      Issue.record("it did not fail as it should")
      return
    }
    #expect(reason.hasSuffix("cannot be reached: Connection timed out"), "\(reason)")
    listener.stop()
  }
}

/// A socket that accepts connections and says nothing.
private final class UnixListener: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try Check.that(status == 0 && listen(descriptor, 8) == 0, "no socket")
  }

  func stop() { close(descriptor) }
}
