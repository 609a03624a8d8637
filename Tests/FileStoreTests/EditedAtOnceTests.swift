import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Synchronization
import Testing

@Suite("What a hand edits is planned at once by the daemon, and by the commands that show it")
struct EditedAtOnceTests {
  private let time = ManualTimeSource(Sample.now)

  private func place(_ format: Format) throws -> Place {
    let place = try Place(format)
    let drafts = (1...3).map { number in
      ItemDraft(text: "Item \(number)", due: WallTime(parsing: "2026-11-21T09:0\(number)"), shouldRemind: true)
    }
    _ = try place.belfry(time).add(drafts, to: ListChoice("Home", createsMissing: true))
    return place
  }

  private func rings(_ place: Place) throws -> [FireDate] { try place.open().read { try $0.pending().map(\.fireDate) } }

  private var moved: [FireDate] {
    get throws {
      try [Sample.fireDate(61), Sample.fireDate(63), FireDate(#require(parseRFC3339("2026-12-24T18:30:00Z")))]
    }
  }

  @Test("between two ticks, and told", arguments: Format.texts)
  func daemon(format: Format) async throws {
    let place = try place(format)
    let daemon = try TestDaemon(place.belfry(time), sinks: [])
    try await daemon.tick()
    try place.replace("2026-11-21T09:02", with: "2026-12-24T18:30")
    #expect(try daemon.scheduler.storeChanged() == nil)
    #expect(try rings(place) == moved)
    #expect(daemon.events.last?.message == "\(place.file) was edited by another program: 1 item or list rescheduled")
  }

  @Test("not by a daemon that does not lead", arguments: Format.texts)
  func follower(format: Format) async throws {
    let place = try place(format)
    let lock = RoleLock()
    let daemon = try TestDaemon(place.belfry(time), sinks: [], lock: lock)
    try await daemon.tick()
    try place.replace("2026-11-21T09:02", with: "2026-12-24T18:30")
    _ = try daemon.scheduler.storeChanged()
    #expect(try place.open().read { try $0.isEditedElsewhere() })
  }

  @Test("the edits of a burst are planned together, by the tick that is named for them", arguments: Format.texts)
  func burst(format: Format) async throws {
    let place = try place(format)
    let daemon = try TestDaemon(place.belfry(time), sinks: [])
    try await daemon.tick()
    var next: Date?
    for minute in 10...40 {
      try place.replace(
        minute == 10 ? "2026-11-21T09:02" : "2026-11-21T09:\(minute - 1)", with: "2026-11-21T09:\(minute)")
      next = try daemon.scheduler.storeChanged()
      #expect(next == (minute == 10 ? nil : Sample.now + 1))
    }
    #expect(daemon.events.count == 1)
    time.now = try #require(next)
    time.uptime += 1
    try await daemon.tick()
    #expect(daemon.events.count == 2)
    #expect(try rings(place) == [Sample.fireDate(61), Sample.fireDate(63), Sample.fireDate(100)])
    try place.replace("2026-11-21T09:40", with: "2026-12-24T18:30")
    #expect(try daemon.scheduler.storeChanged() == Sample.now + 2)
    time.uptime += 1
    #expect(try daemon.scheduler.storeChanged() == nil)
    #expect(try rings(place) == moved)
  }

  @Test("planning that lasts until the next minute is left to the tick of that minute", arguments: Format.texts)
  func minute(format: Format) async throws {
    let place = try place(format)
    let clock = RunningClock()
    let belfry = Belfry(
      store: place.open(), settings: Settings(), time: clock, zones: ZoneDatabase(environment: ["TZ": "UTC"]))
    let daemon = try TestDaemon(belfry, sinks: [])
    try await daemon.tick()
    try place.replace("2026-11-21T09:02", with: "2026-12-24T18:30")
    clock.step = 20
    let next = try #require(try daemon.scheduler.storeChanged())
    clock.step = 0
    #expect(next >= Sample.now + 60)
    #expect(try place.open().read { try $0.isEditedElsewhere() })
    #expect(daemon.events == [])
    try await daemon.tick()
    #expect(try rings(place) == moved)
  }

  @Test("a command reads it planned, and as it is if the store cannot be changed", arguments: Format.texts)
  func command(format: Format) throws {
    let place = try place(format)
    try place.replace("2026-11-21T09:02", with: "2026-12-24T18:30")
    let belfry = place.belfry(time)
    var refusals: [BelfryError] = []
    func shown(_ belfry: Belfry) throws -> [FireDate] {
      try belfry.readPlanned(unplanned: { refusals.append($0) }) { try $0.view.pending().map(\.fireDate) }
    }
    let fixed = Belfry(
      store: ReadableStore(store: place.open()), settings: Settings(), time: time,
      zones: ZoneDatabase(environment: ["TZ": "UTC"]))
    #expect(try shown(fixed).count == 3)
    #expect(refusals.map(\.kind) == [.noPermission])
    #expect(try shown(belfry) == moved)
    let data = place.data
    #expect(try shown(belfry) == moved)
    #expect(place.data == data && refusals.count == 1)
  }
}

/// A lock of a daemon that follows another one.
private struct RoleLock: DaemonLock {
  var wasAbandoned: Bool { false }
  var part: DaemonPart { DaemonPart(term: nil, sinks: [:], poll: 5) }

  func release() {}

  func abandon() {}
}

/// A store that this user may only read.
private struct ReadableStore: FrontStore {
  let store: any ItemStore

  var location: String { store.location }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    throw BelfryError(.noPermission, "\(location) cannot be written")
  }
}

/// A clock that a test sets going: it moves by some seconds with each look at it.
private final class RunningClock: TimeSource {
  private let clock = ManualTimeSource(Sample.now)
  private let seconds = Mutex(0.0)

  /// The seconds by which it moves.
  var step: Double {
    get { seconds.withLock(\.self) }
    set { seconds.withLock { $0 = newValue } }
  }

  var now: Date {
    clock.advance(by: step)
    return clock.now
  }

  var uptime: Double { 0 }
}
