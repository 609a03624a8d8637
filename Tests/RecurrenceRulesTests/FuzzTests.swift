import BelfryTestKit
import RecurrenceRules
import Testing

/// Random texts: readers return a value or throw, without a crash, an endless search, or a place outside the text.
struct FuzzTests {
  private static let pieces: [[UInt8]] = [
    "FREQ=", "INTERVAL=", "COUNT=", "UNTIL=", "BYDAY=", "BYSETPOS=", "BYWEEKNO=", "WKST=", ";", ",", "=", "-", "+", "0",
    "99999999999999999999", "-366", "366", "53MO", "20270229", "T", "Z", "every ", "other ", "last ", "1st ", " of ",
    "the ",
    "month", "year", "until ", " times", "\u{301}", "é", "\0", "\n", "RRULE:", "DTSTART:", "EXDATE:", "\u{1F600}",
  ].map { Array($0.utf8) }

  private func mutated(_ text: String, _ generator: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 1: bytes.removeSubrange(place..<min(place + Int.random(in: 1...6, using: &generator), bytes.count))
      case 2: bytes.insert(contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)], at: place)
      case 3:
        guard place < bytes.count else { continue }
        bytes[place] = UInt8.random(in: 32...126, using: &generator)
      default:
        guard let digit = bytes[place...].firstIndex(where: { 48...57 ~= $0 }) else { continue }
        bytes[digit] = UInt8.random(in: 48...57, using: &generator)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a text, and checks the place of an error or the resulting rule.
  private func check(_ text: String, read: (String) throws -> RecurrenceRule) -> Bool {
    do {
      let rule = try read(text)
      #expect((try? RecurrenceRule(rule.description)) == rule, "\(text)")
      #expect((try? RecurrenceRule(words: rule.words)) == rule, "\(text): \(rule.words)")
      return true
    } catch let error as RecurrenceRuleError {
      #expect((0...text.utf8.count).contains(error.position), "\(text)")
      #expect(error.message.utf8.count < 400)
    } catch {
      Issue.record(error)
    }
    return false
  }

  @Test("damaged rules are read or refused")
  func rules() throws {
    var random = RandomRules(seed: 90)
    var generator = SeededGenerator(seed: 91)
    var understood = 0
    for _ in 0..<10_000 {
      _ = try random.rule(start: random.start())
      if check(mutated(random.text, &generator), read: { try RecurrenceRule($0) }) { understood += 1 }
    }
    #expect((1_000..<9_000).contains(understood), "both must happen: \(understood)")
  }

  @Test("damaged words are read or refused")
  func words() throws {
    var random = RandomRules(seed: 92)
    var generator = SeededGenerator(seed: 93)
    var understood = 0
    for _ in 0..<5_000 {
      let rule = try random.rule(start: random.start())
      if check(mutated(rule.words, &generator), read: { try RecurrenceRule(words: $0) }) { understood += 1 }
    }
    #expect((200..<4_800).contains(understood), "both must happen: \(understood)")
  }

  @Test("damaged sets are read or refused, and what is read can be searched")
  func sets() throws {
    var random = RandomRules(seed: 94)
    var generator = SeededGenerator(seed: 95)
    var understood = 0
    for _ in 0..<3_000 {
      let start = random.start()
      let rule = try random.rule(start: start)
      let text = RecurrenceSet(start: start, rules: [rule], dates: [start], exceptions: [start]).description
      do {
        let set = try RecurrenceSet(mutated(text, &generator))
        let first = set.next(atOrAfter: set.start)
        #expect(first == nil || first.map { $0 >= set.start } == true)
        understood += 1
      } catch {
        #expect(error.position >= 0)
      }
    }
    #expect(understood > 100)
  }

  @Test("a text of a hundred kilobytes is answered in no time")
  func large() {
    let texts = [
      String(repeating: "x", count: 100_000), "FREQ=YEARLY;BYMONTH=" + String(repeating: "1,", count: 50_000) + "1",
      "FREQ=DAILY;COUNT=" + String(repeating: "9", count: 100_000), String(repeating: "FREQ=DAILY;", count: 9_000),
      "FREQ=MONTHLY;BYDAY=" + String(repeating: "1", count: 100_000), String(repeating: ";", count: 100_000),
      "every " + String(repeating: "monday, ", count: 12_000), String(repeating: "the 1st of ", count: 9_000),
      "daily until " + String(repeating: "1", count: 100_000), String(repeating: ",", count: 100_000),
    ]
    for text in texts {
      let time = ProcessorTime.measure {
        _ = try? RecurrenceRule(text)
        _ = try? RecurrenceRule(words: text)
        _ = try? RecurrenceSet("DTSTART:20260101 EXDATE:" + text)
      }
      #expect(time < .seconds(10), "also without optimisation: \(text.prefix(30))")
    }
  }
}
