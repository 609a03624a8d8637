import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

@Suite("What another program changes in a folder is planned at once")
struct PlannedAtOnceTests {
  private let place: Place

  init() throws { place = try Place() }

  /// A daemon that has ticked once, some time ago.
  private func daemon(_ belfry: Belfry) async throws -> TestDaemon {
    let daemon = try TestDaemon(belfry, sinks: [])
    try await daemon.tick()
    place.time.uptime += 10
    return daemon
  }

  private func todo(_ number: Int, minute: Int) throws {
    let due = "DUE:20261121T09\(minute)00Z"
    try place.write(Place.todo(uid: "\(number)", "SUMMARY:\(number)", due), to: "home/\(number).ics")
  }

  private func rings(_ belfry: Belfry) throws -> [FireDate] {
    try belfry.store.read { try $0.pending().map(\.fireDate) }
  }

  @Test("a new, a changed and a checked file, between two ticks")
  func each() async throws {
    let belfry = place.belfry()
    let daemon = try await daemon(belfry)
    let before = daemon.events.count
    let acts: [(act: () throws -> Void, rings: [Int])] = [
      ({ try todo(1, minute: 10) }, [10]), ({ try todo(1, minute: 20) }, [20]),
      (
        {
          try place.write(place.read("home/1.ics").replacing("DUE", with: "STATUS:COMPLETED\r\nDUE"), to: "home/1.ics")
        }, []
      ),
    ]
    for (number, (act, expected)) in acts.enumerated() {
      try act()
      #expect(try daemon.scheduler.storeChanged() == nil)
      #expect(try rings(belfry) == expected.map { try Sample.fireDate(60 + $0) })
      #expect(daemon.events.count == before + number + 1, "\(daemon.events)")
      place.time.uptime += 1
    }
  }

  @Test("a file that cannot be used is told at once")
  func fault() async throws {
    let daemon = try await daemon(place.belfry())
    try place.write("no calendar")
    _ = try daemon.scheduler.storeChanged()
    #expect(daemon.events.contains { $0.level == .warning && $0.message.contains("home/a.ics") }, "\(daemon.events)")
  }

  @Test("a sync of many files is planned a few times, not once for each")
  func sync() async throws {
    let belfry = place.belfry()
    let daemon = try await daemon(belfry)
    let before = daemon.events.count
    var next: [Date?] = []
    for number in 10..<60 {
      try todo(number, minute: number)
      next.append(try daemon.scheduler.storeChanged())
    }
    #expect(Set(next) == [nil, Sample.now + 1] && daemon.events.count == before + 1)
    place.time.now = Sample.now + 1
    place.time.uptime += 1
    try await daemon.tick()
    #expect(try rings(belfry).count == 50)
    #expect(daemon.events.count == before + 2)
  }
}
