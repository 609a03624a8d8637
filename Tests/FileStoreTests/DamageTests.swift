import BelfryModel
import BelfryTestKit
import Foundation
import JSONStore
import PlistStore
import Testing

@Suite("Damaged files are refused, or read as something that is a store; they are never changed by reading")
struct DamageTests {
  @Test("a file that is cut anywhere is refused, unless only white space is missing", arguments: Format.allCases)
  func truncated(format: Format) throws {
    let whole = try sample(format)
    let room = try Place(format)
    for length in lengths(whole) {
      let cut = whole.prefix(length)
      try room.edit(cut)
      do {
        let records = try room.open().records()
        #expect(records.count == 75, "cut to \(length) of \(whole.count): read in part")
        #expect(whole.dropFirst(length).allSatisfy { $0 == 0x0A }, "cut to \(length) of \(whole.count): read")
      } catch let error as BelfryError {
        #expect(error.kind == .storeFailed && error.message.hasPrefix(room.file), "\(error)")
      }
      #expect(room.data == cut)
    }
  }

  @Test("a flipped bit anywhere is refused, or reads as a store that can be written again", arguments: Format.allCases)
  func flipped(format: Format) throws {
    let whole = try sample(format)
    var random = SeededGenerator(seed: 5)
    var refused = 0
    let step = self.step(whole, places: 250)
    let room = try Place(format)
    for index in stride(from: 0, to: whole.count, by: step) {
      var bytes = whole
      bytes[index] ^= 1 << UInt8(random.next() % 8)
      refused += try readOrRefuse(bytes, room, "byte \(index)") ? 0 : 1
    }
    #expect(refused > whole.count / step / 20)
  }

  @Test("every byte replaced by each of a few others", arguments: Format.allCases)
  func replaced(format: Format) throws {
    let whole = try sample(format)
    let room = try Place(format)
    for value in [UInt8(0), 0xFF, 0x22, 0x3C] {
      for index in stride(from: Int(value) % 7, to: whole.count, by: step(whole, places: 40))
      where whole[index] != value {
        var bytes = whole
        bytes[index] = value
        _ = try readOrRefuse(bytes, room, "byte \(index) as \(value)")
      }
    }
  }

  @Test("runs of bytes removed, doubled or zeroed", arguments: Format.allCases)
  func runs(format: Format) throws {
    let whole = try sample(format)
    let room = try Place(format)
    var random = SeededGenerator(seed: 17)
    for round in 0..<240 * depth {
      let start = Int(random.next() % UInt64(whole.count))
      let end = min(whole.count, start + 1 + Int(random.next() % 64))
      var bytes = whole
      switch round % 3 {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: whole[start..<end], at: end)
      default: bytes.replaceSubrange(start..<end, with: Data(count: end - start))
      }
      _ = try readOrRefuse(bytes, room, "round \(round), \(start)..<\(end)")
    }
  }

  @Test("garbage, nothing and NUL are refused, and the last good copy is named", arguments: Format.allCases)
  func garbage(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 3)
    try place.open().write { _ = try $0.addSampleList("Last") }
    let size = place.data.count
    let backup = place.contents(place.file + ".bak")
    var random = SeededGenerator(seed: 3)
    let noise = Data((0..<4_096).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    for spoiled in [
      Data(), Data(count: size), Data(count: 1), noise, Data("\n\n  \n".utf8), Data("shopping: milk\n".utf8),
      Data("bplist00".utf8) + noise, Data("{\"format\":".utf8), Data("null".utf8), Data("[]".utf8), Data("{}".utf8),
      Data("<plist version=\"1.0\"><array/></plist>".utf8), Data([0xEF, 0xBB, 0xBF]),
      Data(String(repeating: "[", count: 100_000).utf8), Data(String(repeating: "{\"a\":", count: 100_000).utf8),
      Data(("{\"x\":" + String(repeating: "[", count: 100_000)).utf8),
      Data(("<plist version=\"1.0\">" + String(repeating: "<array>", count: 100_000)).utf8),
      Data(("<plist version=\"1.0\">" + String(repeating: "<dict><key>x</key>", count: 100_000)).utf8),
    ] {
      try place.edit(spoiled)
      var refusal: BelfryError?
      let time = try ProcessorTime.measure { refusal = try place.refusal() }
      #expect(time < TimeLimit.damagedStore, "bounded work")
      let error = try #require(refusal)
      #expect(error.kind == .storeFailed && error.message.hasPrefix(place.file), "\(error)")
      #expect(error.hint?.contains("goes back to the last good copy, \(place.file).bak (3 items") == true, "\(error)")
      for work in [
        { try place.open().write { _ = try $0.addSampleList() } }, { _ = try place.open().damage() },
        { _ = try place.open().info() }, { try place.open().tidy() },
      ] {
        // Tidying does not read the content.
        do { try work() } catch { #expect((error as? BelfryError)?.kind == .storeFailed, "\(error)") }
      }
      #expect(place.data == spoiled)
      #expect(place.contents(place.file + ".bak") == backup)
    }
  }

  @Test("a copy that is damaged as well is not called good", arguments: Format.allCases)
  func noGoodCopy(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 1)
    let before = place.data
    try place.edit(place.data.prefix(200))
    #expect(try place.refusal().hint?.contains("no good copy") == true)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: place.file + ".bak"))
    #expect(try place.refusal().hint?.contains("no good copy") == true)
    try place.edit(before)
    #expect(try place.open().info().backup == nil)
  }

  @Test("the copy put back in place is a store again")
  func recovery() throws {
    let place = try Place(.json)
    try place.fill(items: 3)
    try place.open().write { _ = try $0.addSampleItem("last", to: 1) }
    try place.edit(place.data.prefix(300))
    #expect(throws: BelfryError.self) { try place.open().read { try $0.counts() } }
    #expect(rename(place.file + ".bak", place.file) == 0)
    #expect(try place.open().read { try $0.items().count } == 3)
    #expect(try place.open().write { try $0.addSampleItem("next", to: 1).id } == 4)
  }

  @Test("a store that is gone while its copy is there is refused, and the copy stays", arguments: Format.allCases)
  func gone(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 3)
    try place.open().write { _ = try $0.addSampleItem("last", to: 1) }
    unlink(place.file)
    let backup = place.contents(place.file + ".bak")
    #expect(try place.refusal().hint?.contains("belfry store restore") == true)
    for _ in 1...2 { try Check.throwsError(.storeFailed) { try place.open().write { _ = try $0.addSampleList("b") } } }
    #expect(place.contents(place.file + ".bak") == backup)
    unlink(place.file + ".bak")
    #expect(try place.open().read { try $0.lists() } == [])
  }

  /// The factor of tries with `BELFRY_DEEP=1`; trying every byte of each format would take hours.
  private let depth = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 8 : 1

  /// The distance between this many places in a file.
  private func step(_ whole: Data, places: Int) -> Int { max(1, whole.count / (places * depth)) }

  private func sample(_ format: Format) throws -> Data {
    let place = try Place(format)
    try place.fill()
    return place.data
  }

  private func lengths(_ whole: Data) -> [Int] {
    Array(stride(from: 0, to: whole.count - 64, by: step(whole, places: 250)))
      + Array(whole.count - 64..<whole.count)
  }

  /// True if the bytes are read; if so, writing them again must give the same.
  private func readOrRefuse(_ bytes: Data, _ place: Place, _ what: String) throws -> Bool {
    try place.edit(bytes)
    let store = place.open()
    let records: [StoreRecord]
    do {
      records = try store.records()
    } catch let error as BelfryError {
      #expect(error.kind == .storeFailed && error.message.hasPrefix(place.file), "\(what): \(error)")
      #expect(place.data == bytes, "\(what)")
      return false
    }
    #expect(place.data == bytes, "\(what)")
    do {
      try store.write { try $0.setPlannedZone("Etc/\($0.plannedZone() ?? "")") }
    } catch let error as BelfryError {
      #expect(error.kind == .badInput, "\(what): \(error)")
      return true
    }
    let again = try place.open().records()
    #expect(RecordSet(again.filter(\.isNoCounter)) == RecordSet(records.filter(\.isNoCounter)), "\(what)")
    return true
  }
}

extension StoreRecord {
  fileprivate var isNoCounter: Bool {
    if case .counters = self { false } else { true }
  }
}
