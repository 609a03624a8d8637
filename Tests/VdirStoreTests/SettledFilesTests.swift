import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@testable import VdirStore

/// The clock stands far behind the times of the files, so that their content counts as settled.
@Suite("Files that are settled are looked at once, and each change of them is noticed")
struct SettledFilesTests {
  private let place: Place
  private let store: VdirStore

  init() throws {
    place = try Place()
    place.time.advance(by: 20 * 365 * 86_400)
    store = place.open()
    for number in 0..<40 { try place.write(Place.todo(uid: "\(number)", "SUMMARY:old"), to: "home/\(number).ics") }
    #expect(try texts() == ["old": 40])
  }

  private func texts() throws -> [String: Int] {
    Dictionary(try store.items().map { ($0.text, 1) }, uniquingKeysWith: +)
  }

  @Test("content written in place, with the same size, and with its old time of writing")
  func inPlace() throws {
    let (path, text) = (place.path("home/7.ics"), Place.todo(uid: "7", "SUMMARY:new"))
    let written = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.modificationDate: try #require(written)], ofItemAtPath: path)
    #expect(try texts() == ["old": 39, "new": 1])
    #expect(try texts() == ["old": 39, "new": 1])
  }

  @Test("a new file, one in another case of letters, one renamed, one removed")
  func places() throws {
    try place.write(Place.todo(uid: "x", "SUMMARY:new"), to: "home/x.ics")
    try place.write(Place.todo(uid: "y", "SUMMARY:new"), to: "home/y.ICS")
    #expect(try texts() == ["old": 40, "new": 2])
    try FileManager.default.moveItem(atPath: place.path("home/3.ics"), toPath: place.path("home/z.ics"))
    #expect(try texts() == ["old": 40, "new": 2] && store.damage().isEmpty)
    try place.remove("home/9.ics")
    _ = try texts()
    place.time.advance(by: 120)
    #expect(try texts() == ["old": 39, "new": 2])
  }

  @Test("a file that becomes a link, one that cannot be read as text, a new list and its name")
  func others() throws {
    try place.remove("home/1.ics")
    try FileManager.default.createSymbolicLink(
      atPath: place.path("home/1.ics"), withDestinationPath: place.path("home/2.ics"))
    #expect(try store.damage().contains { $0.contains("is not a regular file") })
    try place.write("nothing", to: "home/2.ics")
    #expect(try store.damage().contains { $0.contains("home/2.ics") } && texts() == ["old": 40])
    try FileManager.default.createDirectory(atPath: place.path("work"), withIntermediateDirectories: true)
    try place.write("At work", to: "work/displayname")
    #expect(try store.read { try $0.lists().map(\.name) } == ["home", "At work"])
    try place.write("Office", to: "work/displayname")
    #expect(try store.read { try $0.lists().map(\.name) } == ["home", "Office"])
  }

  @Test("a file that was read long after its change is settled, one that was read at once is not")
  func settled() throws {
    let mark = try #require(FileMark(place.path("home/7.ics")))
    var file = Mirror.File(path: "home/7.ics", stamp: mark.text, changedAt: mark.changedAt, digest: [1])
    file.readAt = mark.changedAt + Mirror.File.doubt + 1
    #expect(file.settled != nil)
    file.readAt = mark.changedAt
    #expect(file.settled == nil)
  }

  @Test("a file whose time is the last one that can be counted is read")
  func farTime() throws {
    let last = Date(timeIntervalSince1970: 9_223_372_036)
    try FileManager.default.setAttributes([.modificationDate: last], ofItemAtPath: place.path("home/5.ics"))
    #expect(try texts() == ["old": 40])
    #expect(try texts() == ["old": 40])
  }

  @Test("changes here and there, in any order, leave the store as a new one reads the folder")
  func random() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<120 {
      let number = Int.random(in: 0..<40, using: &generator)
      let path = "home/\(number).ics"
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: try place.write(Place.todo(uid: "\(number)", "SUMMARY:\(round)"), to: path)
      case 1:
        let uuid = UUID(uuidString: "00000000-0000-0000-0000-\(String(100_000_000_000 + round))")
        try place.write(Place.todo(uid: try #require(uuid).uuidString, "SUMMARY:\(round)"), to: "home/new\(round).ics")
      case 2: try store.check(try #require(try store.items().randomElement(using: &generator)).id)
      default: place.time.advance(by: 3)
      }
      _ = try texts()
    }
    let copy = place.folder.file("copy")
    try FileManager.default.copyItem(atPath: place.root, toPath: copy)
    try FileManager.default.removeItem(atPath: "\(copy)/.belfry-vdir")
    let other = VdirStore(path: copy, states: place.folder.file("others"), zones: place.zones, time: place.time)
    func content(_ items: [Item]) -> Set<String> { Set(items.map { "\($0.uuid) \($0.text) \($0.isChecked)" }) }
    #expect(try content(store.items()) == content(other.items()) && store.damage().isEmpty)
  }
}
