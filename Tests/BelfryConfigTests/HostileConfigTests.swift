import BelfryConfig
import BelfryTestKit
import Foundation
import TestSupport
import Testing

@Suite("No text crashes, hangs or is taken by mistake")
struct HostileConfigTests {
  @Test("a text made to be costly is refused at once", arguments: HostileText.all)
  func costly(_ hostile: HostileText) {
    var complaints: [String] = []
    let time = ProcessorTime.measure { complaints = Fixture.complaints(hostile.text()) }
    #expect(complaints.contains { $0.contains(": error: \(hostile.message)") }, "\(complaints.prefix(3))")
    #expect(time < TimeLimit.costlyConfig)
  }

  @Test("nesting is refused at the place where it becomes too deep")
  func depth() {
    func nested(_ depth: Int) -> String {
      "a: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(Fixture.complaints(nested(32)).map { $0.prefix(34) } == ["x.yaml:1:1: error: unknown key 'a'"])
    #expect(Fixture.complaints(nested(33)) == ["x.yaml:1:36: error: values are nested more than 32 deep"])
  }

  @Test("configs with some bytes changed are read or refused, each complaint on one line with its place")
  func mutations() throws {
    let seeds = try Fixture.shipped().map {
      [UInt8](try Data(contentsOf: Checkout.file($0)))
    }
    var random = SeededGenerator(seed: 20_261_121)
    var refused = 0
    let deadline = ContinuousClock.now + .seconds(20)
    var rounds = 0
    while rounds < 200 || (rounds < 3_000 && ContinuousClock.now < deadline) {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) { bytes.mutate(using: &random) }
      let complaints = Fixture.complaints(bytes: bytes)
      if complaints.contains(where: { $0.contains(": error: ") }) { refused += 1 }
      for complaint in complaints {
        #expect(complaint.hasPrefix("x.yaml:"), "\(String(decoding: bytes, as: UTF8.self))")
        #expect(complaint.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
      rounds += 1
    }
    #expect(refused > rounds / 2)
  }
}

/// A text that would be costly to read without bounds.
struct HostileText: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let message: String
  let text: @Sendable () -> String

  init(_ name: String, _ message: String, _ text: @escaping @Sendable () -> String) {
    testDescription = name
    self.message = message
    self.text = text
  }

  private static func chain(_ element: @escaping @Sendable (String) -> String) -> String {
    let names = "abcdefghijklmnopqrst".map(String.init)
    return "a: &a {x: 1}\n" + zip(names, names.dropFirst()).map { "\($1): &\($1) \(element("*\($0)"))\n" }.joined()
  }

  static let all = [
    HostileText("100,000 open lists", "values are nested more than 32 deep") { String(repeating: "[", count: 100_000) },
    HostileText("100,000 open sections", "values are nested more than 32 deep") {
      String(repeating: "{a: ", count: 100_000)
    },
    HostileText("100,000 lists in lists", "values are nested more than 32 deep") {
      String(repeating: "- ", count: 100_000)
    },
    HostileText("100,000 keys in keys", "values are nested more than 32 deep") {
      String(repeating: "? ", count: 100_000)
    },
    HostileText("1,400 sections in sections", "values are nested more than 32 deep") {
      (0..<1_400).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    },
    HostileText("a thousand million aliases", "aliases (*) are not supported") {
      chain { "[" + Array(repeating: $0, count: 9).joined(separator: ",") + "]" }
    },
    HostileText("a thousand million aliases in keys", "aliases (*) are not supported") {
      chain { "{ ? [" + Array(repeating: $0, count: 9).joined(separator: ",") + "] : 1 }" }
    },
    HostileText("100,000 unknown keys", "the config has more than 20000 values") {
      (0..<100_000).map { "k\($0): 1\n" }.joined()
    },
    HostileText("3,000 keys that are nearly right", "unknown key 'defalt_2999'") {
      (0..<3_000).map { "defalt_\($0): 1\n" }.joined()
    },
    HostileText("3,000 unknown sinks among 2,000", "unknown person or sink 'snik2999'") {
      "sinks:\n" + (0..<2_000).map { "  sink\($0): {}\n" }.joined() + "routes:\n- sinks: ["
        + (0..<3_000).map { "snik\($0)" }.joined(separator: ",") + "]\n"
    },
    HostileText("9,000 duplicates", "duplicate key 'a'") { String(repeating: "a: 1\n", count: 9_000) },
    HostileText("500,000 values", "the config has more than 20000 values") {
      "a: [" + String(repeating: "1,", count: 500_000)
    },
    HostileText("a key of a megabyte", "unknown key 'kkkk") {
      "? " + String(repeating: "k", count: 1_000_000) + "\n: 1\n"
    },
    HostileText("an anchor of a megabyte", "anchors (&) are not supported") {
      "&" + String(repeating: "a", count: 1_000_000)
    },
    HostileText("a tag of a megabyte", "tags (!) are not supported") { String(repeating: "!", count: 1_000_000) },
    HostileText("an open text of a megabyte", "not valid YAML") { "a: \"" + String(repeating: "x", count: 1_000_000) },
    HostileText("250,000 documents", "a second YAML document") { String(repeating: "---\n", count: 250_000) },
    HostileText("a million colons", "not valid YAML") { String(repeating: ":", count: 1_000_000) },
    HostileText("a million tabs", "not valid YAML: a tab cannot indent") { String(repeating: "\t", count: 1_000_000) },
    HostileText("ten megabytes", "the file is larger than 1 MiB") { String(repeating: "#", count: 10 << 20) },
  ]
}

extension [UInt8] {
  private static let pieces = [
    ":", "- ", "? ", "&a ", "*a", "!t ", "{", "}", "[", "]", ",", "#", "\"", "'", "|\n", ">\n", "\n", "\t", "\r", "~",
    "<<: ",
    "%YAML 1.1\n", "---\n", "...\n", "null", "no", "1e9", "\u{feff}", "\u{85}", "\u{2028}", "\\u0000", "\\x", "\0",
    "  ",
  ].map { [UInt8]($0.utf8) }

  /// Changes one place: another byte, a character with a meaning in YAML, or a part removed or moved.
  fileprivate mutating func mutate(using random: inout SeededGenerator) {
    guard !isEmpty else { return }
    let place = Int.random(in: 0..<count, using: &random)
    let end = Swift.min(count, place + Int.random(in: 1...20, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: self[place] = UInt8.random(in: 0...255, using: &random)
    case 1: removeSubrange(place..<end)
    case 2: insert(contentsOf: Array(self[place..<end]), at: Int.random(in: 0...count, using: &random))
    case 3: removeSubrange(place...)
    default: insert(contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)], at: place)
    }
  }
}
