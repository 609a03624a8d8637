import BelfryTestKit
import CivilTime
import RecurrenceRules
import Testing

struct PropertyTests {
  /// Calls a body with reproducible random rules.
  private func withRandomRules(
    _ count: Int, seed: UInt64, _ body: (RecurrenceRule, CivilDateTime, inout SeededGenerator) throws -> Void
  ) throws {
    var random = RandomRules(seed: seed)
    var generator = SeededGenerator(seed: seed + 1)
    for _ in 0..<count {
      let start = random.start()
      try body(try random.rule(start: start), start, &generator)
    }
  }

  private func days(_ frequency: RecurrenceRule.Frequency) -> Int {
    switch frequency {
    case .yearly: 3_000
    case .monthly: 1_200
    case .weekly: 700
    case .daily: 400
    case .hourly: 60
    case .minutely: 3
    }
  }

  @Test("jumping finds what walking through every day, hour and minute finds", arguments: 1...4)
  func jumpIsWalk(seed: Int) throws {
    var found = 0
    try withRandomRules(250, seed: UInt64(seed)) { rule, start, generator in
      let days = days(rule.frequency)
      var walked = ReferenceWalk(rule: rule, start: start).occurrences(days: days)
      if case .count(let count) = rule.end { walked = Array(walked.prefix(count)) }
      let end = CivilDateTime(secondsSinceEpoch: (start.date.daysSinceEpoch + days) * 86_400 - 1)
      let set = RecurrenceSet(start: start, rule: rule)
      #expect(Array(set.occurrences(from: start, through: end)) == walked, "\(start) \(rule)")
      found += walked.count

      let span = end.secondsSinceEpoch - start.secondsSinceEpoch
      let moment = CivilDateTime(
        secondsSinceEpoch: start.secondsSinceEpoch + Int.random(in: 0...span, using: &generator))
      let jumped = set.next(after: moment)
      #expect((jumped.map { $0 <= end } == true ? jumped : nil) == walked.first { $0 > moment }, "\(start) \(rule)")
      #expect(set.last(before: moment) == walked.last { $0 < moment }, "\(start) \(rule)")
    }
    #expect(found > 1_000)
  }

  @Test("COUNT=n is the first n of the rule without end")
  func countIsPrefix() throws {
    try withRandomRules(400, seed: 40) { rule, start, generator in
      let endless = try #require(rule.ending(.never))
      let end = CivilDateTime(secondsSinceEpoch: start.secondsSinceEpoch + days(rule.frequency) * 86_400)
      let all = Array(RecurrenceSet(start: start, rule: endless).occurrences(from: start, through: end).prefix(2_000))
      guard !all.isEmpty else { return }
      let count = Int.random(in: 1...all.count, using: &generator)
      let counted = RecurrenceSet(start: start, rule: try #require(rule.ending(.count(count))))
      #expect(Array(counted) == Array(all.prefix(count)), "\(start) \(endless) \(count)")
      #expect(counted.last(before: CivilDateTime(secondsSinceEpoch: .max)) == all[count - 1])
    }
  }

  @Test("the next occurrence and the last before it are inverse")
  func lastIsInverse() throws {
    try withRandomRules(400, seed: 50) { rule, start, generator in
      let set = RecurrenceSet(start: start, rule: rule)
      let end = CivilDateTime(secondsSinceEpoch: start.secondsSinceEpoch + days(rule.frequency) * 86_400)
      let all = Array(set.occurrences(from: start, through: end).prefix(4))
      for (earlier, later) in zip(all, all.dropFirst()) {
        #expect(set.next(after: earlier) == later)
        #expect(set.last(before: later) == earlier)
        let gap = later.secondsSinceEpoch - earlier.secondsSinceEpoch
        let between = CivilDateTime(
          secondsSinceEpoch: earlier.secondsSinceEpoch + Int.random(in: 0..<gap, using: &generator))
        #expect(set.last(atOrBefore: between) == earlier)
        #expect(set.next(atOrAfter: CivilDateTime(secondsSinceEpoch: between.secondsSinceEpoch + 1)) == later)
        #expect(set.contains(earlier) && (between == earlier || !set.contains(between)))
      }
    }
  }

  @Test("the calendar repeats after 400 years, and so do rules")
  func repeatsAfter400Years() throws {
    let cycle = 146_097 * 86_400
    try withRandomRules(300, seed: 60) { rule, start, _ in
      let endless = try #require(rule.ending(.never))
      let end = CivilDateTime(secondsSinceEpoch: start.secondsSinceEpoch + days(rule.frequency) * 86_400)
      let set = RecurrenceSet(start: start, rule: endless)
      let shifted = RecurrenceSet(
        start: CivilDateTime(secondsSinceEpoch: start.secondsSinceEpoch + cycle), rule: endless)
      let later = shifted.occurrences(
        from: shifted.start, through: CivilDateTime(secondsSinceEpoch: end.secondsSinceEpoch + cycle))
      let here = set.occurrences(from: start, through: end).prefix(20)
      #expect(here.map { $0.secondsSinceEpoch + cycle } == later.prefix(20).map(\.secondsSinceEpoch))
    }
  }

  @Test("a rule's RFC 5545 form reads back as an equal rule")
  func parseIsInverseOfPrint() throws {
    try withRandomRules(3_000, seed: 70) { rule, start, _ in
      let read = try RecurrenceRule(rule.description)
      #expect(read == rule)
      let lowercased = try RecurrenceRule("rrule:" + rule.description.lowercased())
      #expect(lowercased == rule)
      let set = RecurrenceSet(start: start, rules: [rule], dates: [start], exceptions: [start])
      let readSet = try RecurrenceSet(set.description)
      #expect(readSet == set)
    }
  }

  @Test("a rule's words read back as an equal rule")
  func wordsReadBack() throws {
    try withRandomRules(3_000, seed: 80) { rule, _, _ in
      let words = rule.words
      let read = try? RecurrenceRule(words: words)
      #expect(read == rule, "\(rule): \(words): \((try? RecurrenceRule(words: words))?.description ?? "refused")")
    }
  }
}
