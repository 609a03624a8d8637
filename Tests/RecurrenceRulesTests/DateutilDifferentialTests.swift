import CivilTime
import Foundation
import RecurrenceRules
import TestSupport
import Testing

/// Random rules compared with python-dateutil, in four parallel parts: 10,000 of them, or 100,000 with `BELFRY_DEEP=1`.
struct DateutilDifferentialTests {
  private static let count = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 25_000 : 2_500
  private static let occurrences = 6

  private struct Question {
    let start: CivilDateTime
    let rule: RecurrenceRule
    let text: String
    let lastYear: Int
  }

  @Test("random rules occur when python-dateutil says they do", arguments: 1...4)
  func agreesWithDateutil(seed: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dateutil-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let questions = try Self.questions(seed: UInt64(seed))
    let lines = questions.map { "\($0.start)\t\($0.text)\t\($0.lastYear)\t\(Self.occurrences)\n" }
    let (asked, answered) = (folder.appendingPathComponent("questions"), folder.appendingPathComponent("answers"))
    try lines.joined().write(to: asked, atomically: false, encoding: .utf8)

    let oracle = Checkout.file("Tests/RecurrenceRulesTests/Oracle/dateutil_oracle.py")
    _ = try Python.run(script: oracle, [asked.path, answered.path])
    let ours = questions.map(Self.answer)

    let theirs = try String(contentsOf: answered, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    try #require(theirs.count == Self.count + 1)
    for (index, question) in questions.enumerated() where ours[index] != theirs[index] {
      Issue.record("\(question.start) \(question.text)\n  dateutil \(theirs[index])\n  ours     \(ours[index])")
    }
    #expect(ours.count { !$0.isEmpty } > Self.count / 2, "most rules should occur, or nothing is compared")
  }

  private static func questions(seed: UInt64) throws -> [Question] {
    var random = RandomRules(seed: seed)
    var questions: [Question] = []
    while questions.count < count {
      let start = random.start()
      let rule = try random.rule(start: start)
      guard hasCommonMeaning(rule, start: start) else { continue }
      let lastYear = start.date.year + yearsAhead(rule.frequency)
      questions.append(Question(start: start, rule: rule, text: random.text, lastYear: lastYear))
    }
    return questions
  }

  /// A span long enough to find occurrences, and short enough that dateutil, which steps through it, takes a minute and
  /// not a day.
  private static func yearsAhead(_ frequency: RecurrenceRule.Frequency) -> Int {
    switch frequency {
    case .yearly: 30
    case .monthly: 10
    case .weekly: 5
    case .daily: 3
    case .hourly, .minutely: 1
    }
  }

  private static func answer(_ question: Question) -> String {
    guard let last = CivilDateTime(year: question.lastYear, month: 12, day: 31, hour: 23, minute: 59, second: 59) else {
      return ""
    }
    let set = RecurrenceSet(start: question.start, rule: question.rule)
    let found = set.occurrences(from: question.start, through: last).prefix(occurrences)
    return found.map(\.description).joined(separator: ",")
  }

  /// True if dateutil agrees with RFC 5545, and with the choices stated at `RecurrenceRule`, about a rule.
  private static func hasCommonMeaning(_ rule: RecurrenceRule, start: CivilDateTime) -> Bool {
    // BYDAY=MO,-1FR: dateutil requires both at once, RFC 5545 either.
    let isNumbered = rule.weekdays.contains { $0.ordinal != nil }
    if isNumbered, rule.weekdays.contains(where: { $0.ordinal == nil }) { return false }
    // A 6th weekday of a month, a 51st of a year: dateutil fails with an IndexError.
    let mostWeeks = rule.months.isEmpty && rule.frequency == .yearly ? 50 : 5
    if rule.weekdays.contains(where: { abs($0.ordinal ?? 0) > mostWeeks }) { return false }
    // January days in the last week of the previous year: dateutil uses the length of the wrong year, and, as its
    // source admits, misses that a week counted from the end may be week 1 of the next year.
    if rule.weekNumbers.contains(where: { abs($0) >= 52 }) { return false }
    // A BYSETPOS larger than any minute's set: dateutil would step through every minute of the year.
    if rule.frequency == .minutely, !rule.setPositions.isEmpty {
      return rule.setPositions.contains { abs($0) <= max(1, rule.seconds.count) }
    }
    // A weekly BYSETPOS: dateutil counts in the part of the first week from the start on, RFC 5545 in the whole week.
    if rule.frequency == .weekly, !rule.setPositions.isEmpty { return start.date.weekday == rule.weekStart }
    return true
  }
}
