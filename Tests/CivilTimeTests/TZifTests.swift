import BelfryTestKit
import Foundation
import Testing
@testable import CivilTime
@testable import SystemFiles

@Suite struct TZifTests {
  /// Builds zone files, to cover each part of the format.
  private struct File {
    var version: Character = "2"
    var transitions: [(at: Int, type: UInt8)] = []
    var types: [(offset: Int, abbreviation: UInt8)] = [(3_600, 0), (7_200, 4)]
    var names = "CET\0CEST\0"
    var leaps: [(at: Int, correction: Int)] = []
    var footer: String? = ""

    private static func integer(_ value: Int, size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func block(timeSize: Int) -> [UInt8] {
      var bytes = Array("TZif".utf8) + [version == "1" ? 0 : version.asciiValue ?? 0] + [UInt8](repeating: 0, count: 15)
      for count in [0, 0, leaps.count, transitions.count, types.count, names.utf8.count] {
        bytes += Self.integer(count, size: 4)
      }
      for transition in transitions { bytes += Self.integer(transition.at, size: timeSize) }
      bytes += transitions.map(\.type)
      for type in types { bytes += Self.integer(type.offset, size: 4) + [0, type.abbreviation] }
      bytes += Array(names.utf8)
      for leap in leaps { bytes += Self.integer(leap.at, size: timeSize) + Self.integer(leap.correction, size: 4) }
      return bytes
    }

    var bytes: [UInt8] {
      guard version != "1" else { return block(timeSize: 4) }
      return block(timeSize: 4) + block(timeSize: 8) + (footer.map { Array("\n\($0)\n".utf8) } ?? [])
    }
  }

  private static func systemFile(_ name: String) throws -> [UInt8] {
    try #require(SmallFile.bytes(path: "/usr/share/zoneinfo/\(name)"))
  }

  @Test("version 1 has the changes and nothing after them", arguments: [[(100, 1), (200, 0)], [(-100, 1)], []])
  func versionOne(changes: [(Int, Int)]) throws {
    let file = File(version: "1", transitions: changes.map { (at: $0.0, type: UInt8($0.1)) })
    let rules = try TZif.rules(from: file.bytes)
    #expect(rules.type(at: -1_000).offset == 3_600)
    for (at, type) in changes { #expect(rules.type(at: at).offset == [3_600, 7_200][type]) }
    #expect(rules.type(at: 4_000_000_000).offset == [3_600, 7_200][changes.last?.1 ?? 0])
  }

  @Test(
    "times before 1901 and after 2038 are those of the second block", arguments: ["2", "3", "4", "5"] as [Character])
  func longTimes(version: Character) throws {
    let rules = try TZif.rules(from: File(version: version, transitions: [(-1 << 40, 1), (1 << 33, 0)]).bytes)
    #expect(rules.type(at: -1 << 41).offset == 3_600)
    #expect(rules.type(at: 0).abbreviation == "CEST")
    #expect(rules.type(at: 1 << 33).abbreviation == "CET")
  }

  @Test("the last line rules after the last change, and everything where there is none")
  func footer() throws {
    for transitions in [[(at: 0, type: UInt8(0))], []] {
      let rules = try TZif.rules(from: File(transitions: transitions, footer: "CET-1CEST,M3.5.0,M10.5.0/3").bytes)
      #expect(rules.type(at: 1_784_116_800).abbreviation == "CEST")
      #expect(rules.type(at: 1_800_000_000).abbreviation == "CET")
    }
  }

  @Test("leap seconds are passed over")
  func leapSeconds() throws {
    let file = File(transitions: [(100, 1)], leaps: [(at: 78_796_800, correction: 1), (at: 94_694_401, correction: 2)])
    let rules = try TZif.rules(from: file.bytes)
    #expect(rules.type(at: 99).offset == 3_600 && rules.type(at: 100).offset == 7_200)
  }

  @Test("files that contradict themselves are refused")
  func contradictions() {
    var files: [File] = []
    files.append(File(transitions: [(200, 1), (100, 0)]))
    files.append(File(transitions: [(100, 1), (100, 0)]))
    files.append(File(transitions: [(100, 2)]))
    files.append(File(types: [(3_600, 9)]))
    files.append(File(types: [(90_000_000, 0)]))
    files.append(File(types: []))
    files.append(File(names: ""))
    files.append(File(types: [(3_600, 0)], names: "C\u{1b}T\0"))
    files.append(File(types: [(3_600, 0)], names: "CET"))
    files.append(File(footer: "nonsense"))
    files.append(File(footer: nil))
    for file in files { #expect(throws: TZifError.self) { try TZif.rules(from: file.bytes) } }
  }

  @Test(
    "a file cut off anywhere is refused", arguments: ["Europe/Zurich", "Africa/Casablanca", "America/Nuuk", "Etc/UTC"])
  func truncated(name: String) throws {
    let bytes = try Self.systemFile(name)
    #expect(throws: Never.self) { try TZif.rules(from: bytes) }
    for length in 0..<bytes.count {
      #expect(throws: TZifError.self) { try TZif.rules(from: Array(bytes.prefix(length))) }
    }
  }

  @Test("counts that no file can have cost nothing")
  func hugeCounts() throws {
    let bytes = try Self.systemFile("Europe/Zurich")
    for position in 20..<44 {
      var damaged = bytes
      damaged[position] = 0xff
      #expect(throws: TZifError.self) { try TZif.rules(from: damaged) }
    }
  }

  @Test("damaged files are refused or read as some zone, and answer every question")
  func damaged() throws {
    var random = SeededGenerator(seed: 4)
    var refused = 0
    var read = 0
    for name in ["Europe/Zurich", "Pacific/Apia", "America/Nuuk", "Asia/Kathmandu"] {
      let bytes = try Self.systemFile(name)
      for _ in 0..<1_500 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let rules = try? TZif.rules(from: damaged) else {
          refused += 1
          continue
        }
        read += 1
        let zone = Zone(identifier: "damaged", rules: rules)
        for _ in 0..<5 {
          let wall = WallTime(minutesSinceEpoch: Int.random(in: -800_000_000...4_300_000_000, using: &random))
          let instant = zone.instant(of: wall).instant
          #expect(abs(instant.timeIntervalSince1970 - Double(wall.minutesSinceEpoch * 60)) <= 26 * 3_600)
          #expect(abs(zone.offset(at: instant)) <= 26 * 3_600)
        }
      }
    }
    #expect(refused > 100 && read > 100, "\(refused) refused, \(read) read")
  }
}
