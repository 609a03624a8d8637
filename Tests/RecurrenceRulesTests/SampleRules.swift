import BelfryTestKit
import CivilTime
import Foundation
import RecurrenceRules

extension SeededGenerator {
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

func time(_ text: String) throws -> CivilDateTime { try CivilDateTime(text) }

/// The set of one rule from a start, both in RFC 5545 form.
func recurrence(_ start: String, _ rule: String) throws -> RecurrenceSet {
  RecurrenceSet(start: try CivilDateTime(start), rule: try RecurrenceRule(rule))
}

/// The first occurrences in RFC 5545 form.
func texts(_ set: RecurrenceSet, _ count: Int) -> [String] { set.prefix(count).map(\.description) }
