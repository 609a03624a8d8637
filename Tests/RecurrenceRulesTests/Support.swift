import Foundation
import RecurrenceRules

/// A repeatable source of chance (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

func time(_ text: String) throws -> CivilDateTime { try CivilDateTime(text) }

/// The set of one rule from a start, both in RFC 5545 form.
func recurrence(_ start: String, _ rule: String) throws -> RecurrenceSet {
  RecurrenceSet(start: try CivilDateTime(start), rule: try RecurrenceRule(rule))
}

/// The first occurrences in RFC 5545 form.
func texts(_ set: RecurrenceSet, _ count: Int) -> [String] { set.prefix(count).map(\.description) }

/// The package that this file is in.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A file of the test inputs that others wrote.
func corpusFile(_ path: String) -> URL {
  let root =
    ProcessInfo.processInfo.environment["BELFRY_CORPUS"].map { URL(fileURLWithPath: $0) }
    ?? packageRoot.appendingPathComponent("../shared/corpus")
  return root.appendingPathComponent(path)
}
