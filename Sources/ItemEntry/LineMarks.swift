import BelfryModel
import CivilTime
import NaturalDates
import RecurrenceRules

/// Reads the marks of a line, from its end to its text: a list, tags, a priority, a repeat, a WHEN, in any order.
///
/// A mark is removed as a whole or stays in the text, and there is at most one of each kind except tags. The two parts
/// of a WHEN can be apart: `friday #Work 9am`.
struct LineMarks {
  /// The meaning of a mark.
  private enum Meaning {
    /// The name of the item's list.
    case list(String)
    case tag(String)
    case priority(ItemPriority.Level)
    /// The repeat, with the time of day written after it.
    case `repeat`(RecurrenceRule, clock: String?)
    /// A WHEN, or a part of it.
    case when(String)
  }

  /// A mark with the place of its first word.
  private typealias Found = (start: Int, meaning: Meaning)

  let parser: WhenParser
  /// The names of the lists that the line can name.
  let lists: [String]
  /// True if a rule has an occurrence, from now on.
  let occurs: (RecurrenceRule) -> Bool
  /// The words of the text.
  private(set) var words: ArraySlice<Substring>
  /// The marks as written, in the order of the line.
  private(set) var marks: [String] = []
  private(set) var list: String?
  private(set) var priority: ItemPriority.Level?
  private var tagNames: [String] = []
  private(set) var rule: RecurrenceRule?
  /// The words of the WHEN.
  private(set) var when: String?
  var tags: ItemTags { (try? ItemTags(tagNames)) ?? .empty }
  /// The text without the marks.
  var text: String { marks.isEmpty ? words.written : words.written[...].withoutLastCommas }

  /// True if no repeat and no WHEN is read.
  private var leavesTimes = false

  /// The marks of a line.
  init(_ line: String, _ parser: WhenParser, lists: [String], occurs: @escaping (RecurrenceRule) -> Bool) {
    (self.parser, self.lists, self.occurs) = (parser, lists, occurs)
    let all = line.split(whereSeparator: \.isWhitespace)[...]
    words = all
    read()
    guard leavesPart else { return }
    (words, marks, list, tagNames, priority, rule, when, leavesTimes) = (all, [], nil, [], nil, nil, nil, true)
    read()
  }

  /// True if a part of the repeat or of the WHEN is still in the text. Then neither is read: never ringing is better
  /// than ringing once, or on another day.
  private var leavesPart: Bool {
    guard let rule else {
      guard let when else { return false }
      if words.indices.contains(where: beginsEvery) || clockStart != nil { return true }
      guard parser.timeOfDay(when) != nil else { return endsInPart(of: when) }
      return endsInUnreadTime || parser.time(of: "\(words.written) \(when)") != nil
    }
    return when == nil && !rule.hasClock && words.last?.looksLikeClock == true
  }

  private mutating func read() {
    while let found = longestMark() {
      marks.insert(words[found.start...].written, at: 0)
      words = words[..<found.start]
      switch found.meaning {
      case .list(let name): list = name
      case .tag(let name): tagNames.insert(name, at: 0)
      case .priority(let level): priority = level
      case .repeat(let rule, let clock):
        self.rule = rule
        when = clock.map(joined) ?? when
      case .when(let part): when = joined(part)
      }
    }
  }

  private func joined(_ part: String) -> String { when.map { "\(part) \($0)" } ?? part }

  private func longestMark() -> Found? {
    [listMark, tagMark, priorityMark, repeatMark, whenMark].compactMap(\.self)
      .filter { found in words[..<found.start].contains { !$0.allSatisfy { $0 == "," } } }
      .min { $0.start < $1.start }
  }

  /// The places where a mark at the end can start, the longest mark first.
  private var starts: [Int] { words.indices.dropFirst().suffix(WhenParser.mostWords) }

  private var listMark: Found? {
    guard list == nil else { return nil }
    return starts.lazy.filter { words[$0].first == "#" }
      .compactMap { start in namedList(words[start...]).map { (start, .list($0)) } }.first
  }

  /// The list that `#Name` names, which can have several words.
  func namedList(_ phrase: ArraySlice<Substring>) -> String? {
    let name = phrase.written.dropFirst().withoutLastCommas
    return lists.first { Checklist.nameKey($0) == Checklist.nameKey(name) }
  }

  // `@5pm` is not a tag, and neither is the `@home.` that ends a sentence.
  private var tagMark: Found? {
    guard let word = words.last, word.first == "@" else { return nil }
    let name = word.dropFirst().withoutLastCommas
    guard name.first?.isLetter ?? false, name.last.map({ !".!?:;".contains($0) }) ?? false,
      (try? ItemTags([name] + tagNames)) != nil
    else { return nil }
    return (words.endIndex - 1, .tag(name))
  }

  private var priorityMark: Found? {
    guard priority == nil, let word = words.last, word.first == "!" else { return nil }
    let name = word.dropFirst().withoutLastCommas.lowercased()
    return ItemPriority.Level(rawValue: name).map { (words.endIndex - 1, .priority($0)) }
  }

  private var repeatMark: Found? {
    guard rule == nil, !leavesTimes else { return nil }
    return starts.lazy.filter { RecurrenceRule.isBegun(by: words[$0...]) }.compactMap(repetition).first
  }

  private func repetition(from start: Int) -> Found? {
    guard !WhenParser.isBound(toWordBefore: start, of: words) else { return nil }
    let phrase = words[start...]
    for count in (1...3).reversed() where count < phrase.count {
      let clock = phrase.suffix(count).written
      guard parser.timeOfDay(clock) != nil, when == nil || parser.time(of: joined(clock)) != nil,
        suits(clock, phrase), let rule = rule(of: phrase.dropLast(count)), !rule.hasClock
      else { continue }
      return (start, .repeat(rule, clock: clock))
    }
    guard let rule = rule(of: phrase), when.map({ suits($0, phrase) }) ?? !RecurrenceRule.lacksTime(phrase) else {
      return nil
    }
    return timesInFront(of: phrase) ?? (start, .repeat(rule, clock: nil))
  }

  /// False for `at 8` with `every evening`, which means 20:00.
  private func suits(_ clock: String, _ phrase: ArraySlice<Substring>) -> Bool {
    guard RecurrenceRule.lacksTime(phrase), let time = parser.timeOfDay(clock) else { return true }
    return time.hour >= 12 || clock.lowercased().filter { $0 != "." }.hasSuffix("am")
  }

  /// A repeat with several times of day before it, as in `8am and 8pm daily`.
  private func timesInFront(of phrase: ArraySlice<Substring>) -> Found? {
    guard when == nil else { return nil }
    return starts.lazy.filter { $0 < phrase.startIndex && !WhenParser.isBound(toWordBefore: $0, of: words) }
      .compactMap { start in
        let times = words[start..<phrase.startIndex]
        guard times.contains(where: { $0.lowercased() == "and" }),
          let rule = try? RecurrenceRule(words: "\(phrase.written) \(times.written)"), rule.hasClock, occurs(rule)
        else { return nil }
        return (start, .repeat(rule, clock: nil))
      }.first
  }

  /// The rule of a phrase; `nil` if there is none, or if it does not occur again.
  func rule(of phrase: ArraySlice<Substring>) -> RecurrenceRule? {
    guard let rule = try? RecurrenceRule(words: phrase.written), occurs(rule) else { return nil }
    return rule
  }

  private var whenMark: Found? {
    guard !leavesTimes, let (lead, start, _) = parser.whenAtEnd(of: words, and: when), !endsRepeat(lead),
      !endsWeekdays(lead)
    else { return nil }
    return (lead, .when(words[start...].written))
  }

  /// True if the word at a place is the weekday of a repeat right before it, as in `every 3rd friday`.
  private func endsRepeat(_ place: Int) -> Bool {
    guard isWeekday(place) else { return false }
    return words[..<place].indices.suffix(WhenParser.mostWords).contains {
      beginsEvery($0) && rule(of: words[$0..<place]) != nil
    }
  }

  /// True if a WHEN at a place continues a list of weekdays, as in `mon wed fri 7am` and `mon-fri 8am`, since a WHEN
  /// has at most one weekday.
  private func endsWeekdays(_ place: Int) -> Bool {
    guard place > words.startIndex else { return false }
    let days = words[place - 1].split { "-\u{2013}/+,".contains($0) }
    guard days.allSatisfy({ WhenWords.weekday($0.lowercased()) != nil }) else { return false }
    return days.count > 1 || (days.count == 1 && isWeekday(place))
  }

  private func beginsEvery(_ place: Int) -> Bool {
    ["every", "each"].contains(words[place].lowercased()) && RecurrenceRule.isBegun(by: words[place...])
  }

  /// True if the word at a place is a weekday.
  func isWeekday(_ place: Int) -> Bool {
    place < words.endIndex && WhenWords.weekday(words[place].lowercased().filter { $0 != "," }) != nil
  }
}

extension RecurrenceRule {
  /// True if it names times of day.
  var hasClock: Bool { !hours.isEmpty || !minutes.isEmpty || [.hourly, .minutely].contains(frequency) }
}

extension Substring {
  fileprivate var withoutLastCommas: String {
    var rest = self
    while rest.last == "," { rest.removeLast() }
    return String(rest)
  }
}
