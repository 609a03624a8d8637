import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import TestSupport
import Testing
import VdirStore

@Suite("A folder of hostile files")
struct HostileVdirTests {
  private static let count = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 10_000 : 600

  @Test(
    "whatever is in it, the good to-do rings, what cannot be read is named, and files keep their bytes",
    arguments: [false, true])
  func hostile(readsEvents: Bool) throws {
    let place = try Place()
    let belfry = place.belfry(readsEvents: readsEvents, writesAcknowledged: readsEvents)
    // Most calendars of other programs consist of VEVENTs.
    let seeds = try Corpus.calendars.map { file in
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      return Array((readsEvents ? text : text.replacing("VEVENT", with: "VTODO")).utf8.prefix(6_000))
    }
    var random = SeededGenerator(seed: 22)
    for number in 1...Self.count {
      var bytes = try #require(seeds.randomElement(using: &random))
      for _ in 0..<Int.random(in: 0...6, using: &random) { HostileCalendar.spoil(&bytes, &random) }
      try Data(bytes).write(to: URL(filePath: place.path("home/\(number).ics")))
    }
    try place.write(Place.todo(uid: "good", "SUMMARY:Good", "DUE:20261121T090000"), to: "home/good.ics")
    _ = try belfry.planEdits()
    let good = try #require(belfry.store.items().first { $0.text == "Good" })
    #expect(try belfry.store.read { try $0.pending().contains { $0.occurrence.owner == .item(good.id) } })
    let before = try contents(of: place)
    _ = try belfry.setChecked(true, [good.id])
    var after = try contents(of: place)
    #expect(after["good.ics"]?.contains(Data("STATUS:COMPLETED".utf8)) == true)
    after["good.ics"] = before["good.ics"]
    #expect(after == before)
    let damage = try belfry.store.damage()
    #expect(!damage.isEmpty && damage.allSatisfy { $0.hasPrefix(place.root) })
    // The others can be changed too, except those that cannot be read.
    for item in try belfry.store.items().prefix(100) { _ = try? belfry.setChecked(!item.isChecked, [item.id]) }
    #expect(try belfry.store.damage() == damage)
  }

  @Test("a file of 100 MB and one whose name is not UTF-8 are named, and the rest goes on")
  func odd() throws {
    let place = try Place()
    try place.write(Place.todo("SUMMARY:Milk"))
    try Data().write(to: URL(filePath: place.path("home/large.ics")))
    #expect(truncate(place.path("home/large.ics"), 100 << 20) == 0)
    let name = (Array(place.path("home/").utf8) + [0xFF] + Array(".ics".utf8) + [0]).map { CChar(bitPattern: $0) }
    let file = creat(name, 0o600)
    #expect(file >= 0)
    close(file)
    let store = place.open()
    #expect(try store.items().map(\.text) == ["Milk"])
    let damage = try store.damage()
    #expect(damage.count == 2)
    #expect(damage.contains { $0.contains("home/large.ics") && $0.contains("MiB") })
    #expect(damage.contains { $0.contains("UTF-8") })
  }

  private func contents(of place: Place) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path("home")) {
      contents[name] = try Data(contentsOf: URL(filePath: place.path("home/\(name)")))
    }
    return contents
  }
}
