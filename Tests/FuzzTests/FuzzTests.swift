import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// What libFuzzer does at length: each reader gets inputs that somebody has damaged.
@Suite("Readers for libFuzzer", .serialized)
struct FuzzTests {
  @Test("each ends on its seeds, cut short and with bytes changed", arguments: Reader.allCases)
  func ends(reader: Reader) throws {
    var random = SeededGenerator(seed: 38)
    let seeds = try Self.seeds()
    #expect(seeds.count > 20)
    for seed in seeds {
      reader.read(seed)
      reader.read(Array(seed.prefix(Int.random(in: 0...seed.count, using: &random))))
      var changed = seed
      for _ in 1...3 where !changed.isEmpty {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      reader.read(changed)
    }
    Reader.removeFiles()
  }

  @Test("each has its seeds named where libFuzzer is run")
  func named() throws {
    let script = try Checkout.text(".ci/fuzz")
    let lines = script.split(separator: "\"")[1...].first { $0.contains("todo.txt") } ?? ""
    let names = lines.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.sorted() == Reader.allCases.map(\.rawValue).sorted())
  }

  /// The bytes of each seed of at most 8 kB.
  private static func seeds() throws -> [[UInt8]] {
    try ["Tests/FuzzTests/Seeds", "Tests/Support/Calendars", "Tests/Support/Taskwarrior", "Config/samples"]
      .flatMap { folder in
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Checkout.file(folder).path).sorted()
        // A folder has no contents.
        return paths.compactMap { FileManager.default.contents(atPath: Checkout.file("\(folder)/\($0)").path) }
          .map(Array.init).filter { $0.count <= 8192 }
      }
  }
}
