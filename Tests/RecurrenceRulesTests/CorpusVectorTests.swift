import CivilTime
import Foundation
import RecurrenceRules
import TestSupport
import Testing

/// A published recurrence with the result that its source expects.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
  let id: Int
  let rrule: String?
  let ical: String?
  let dtstart: String?
  let tz: String?
  let expected: [String]?
  let prefixOnly: Bool?
  let expectError: String?
  let after: String?
  let test: String

  enum CodingKeys: String, CodingKey {
    case id, rrule, ical, dtstart, tz, expected, after, test
    case prefixOnly = "prefix_only"
    case expectError = "expect_error"
  }

  var testDescription: String { "\(id) \(test): \(rrule ?? ical ?? "")" }

  static let all: [Vector] = {
    let decoder = JSONDecoder()
    let published = try? String(contentsOf: Corpus.file("rrule/vectors.jsonl"), encoding: .utf8)
    return (OwnVectors.lines + "\n" + (published ?? "")).split(separator: "\n").compactMap {
      try? decoder.decode(Vector.self, from: Data($0.utf8))
    }
  }()

  static let unsupported = all.filter { $0.rrule?.contains("FREQ=SECONDLY") == true }
  static let refused = all.filter { $0.expectError != nil }
  static let properties = all.filter { $0.ical != nil }
  static let contested = all.filter { ContestedVector.all[$0.id] != nil }
  static let agreed = all.filter {
    $0.rrule != nil && $0.expectError == nil && $0.rrule?.contains("FREQ=SECONDLY") == false
      && ContestedVector.all[$0.id] == nil
  }

  /// The start in RFC 5545 form.
  var start: String { (dtstart ?? "").filter { $0 != "-" && $0 != ":" } }

  /// The expected times in RFC 5545 form.
  var expectedTexts: [String] { (expected ?? []).map { $0.filter { $0 != "-" && $0 != ":" } } }
}

struct CorpusVectorTests {
  @Test("all 319 published vectors are there, where the corpus is, and all are looked at")
  func complete() {
    let own = OwnVectors.lines.split(separator: "\n").count
    #expect(Vector.all.count == own + (Corpus.isThere ? 319 : 0))
    let groups = [Vector.unsupported, Vector.refused, Vector.properties, Vector.contested, Vector.agreed]
    #expect(groups.reduce(0) { $0 + $1.count } == Vector.all.count)
    #expect(groups.allSatisfy { !$0.isEmpty })
    #expect(!Corpus.isThere || Vector.contested.count == ContestedVector.all.count)
  }

  @Test("a vector on which no source disagrees gives what is expected", arguments: Vector.agreed)
  func agreed(vector: Vector) throws {
    let set = try recurrence(vector.start, try #require(vector.rrule))
    let expected = vector.expectedTexts
    let from = try vector.after.map { try time($0.filter { $0 != "-" && $0 != ":" }) }
    let end = try time("99991231T235959")
    let occurrences = set.occurrences(from: try from ?? time(vector.start), through: end)
    let found = occurrences.prefix(expected.count + (vector.prefixOnly == true ? 0 : 1))
    #expect(found.map { inZone(vector.tz, $0).description } == expected)
  }

  @Test("a vector that must be refused is refused", arguments: Vector.refused)
  func refused(vector: Vector) throws {
    let text = try #require(vector.rrule)
    #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(text) }
  }

  @Test("FREQ=SECONDLY is refused by name", arguments: Vector.unsupported)
  func unsupported(vector: Vector) throws {
    let text = try #require(vector.rrule)
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(text) }
    #expect(error?.position == 5)
    #expect(error?.message == "FREQ=SECONDLY is not supported; the finest is MINUTELY")
  }

  @Test("iCalendar properties give what is expected", arguments: Vector.properties)
  func properties(vector: Vector) throws {
    var text = try #require(vector.ical)
    // The zone, the unfolding and the values that the source passes beside the text are up to the caller.
    text = text.replacingOccurrences(of: ";TZID=America/New_York", with: "")
    if vector.test == "testStrUnfold" { text = text.replacingOccurrences(of: "\n ", with: "") }
    if !text.lowercased().contains("dtstart") {
      text = "DTSTART:19970902T090000\n" + (text.hasPrefix("RRULE:") ? "" : "RRULE:") + text
    }
    let set = try text.contains("EXRULE") ? withoutEXRULE(text) : RecurrenceSet(text)
    #expect(texts(set, vector.expectedTexts.count) == vector.expectedTexts)
  }

  /// A set without EXRULE, which RFC 5545 has dropped: it is refused, and its occurrences become EXDATEs.
  private func withoutEXRULE(_ text: String) throws -> RecurrenceSet {
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceSet(text) }
    #expect(error?.message.contains("use EXDATE") == true)
    let lines = text.split(separator: "\n")
    let excluding = try #require(lines.first { $0.hasPrefix("EXRULE:") }).dropFirst("EXRULE:".count)
    let rest = try RecurrenceSet(lines.filter { !$0.hasPrefix("EXRULE:") }.joined(separator: "\n"))
    let excluded = RecurrenceSet(start: rest.start, rule: try RecurrenceRule(String(excluding)))
    return RecurrenceSet(start: rest.start, rules: rest.rules, dates: rest.dates, exceptions: Array(excluded))
  }

  @Test("a contested vector follows the stance", arguments: Vector.contested)
  func contested(vector: Vector) throws {
    let contested = try #require(ContestedVector.all[vector.id])
    let set = try recurrence(vector.start, try #require(vector.rrule))
    #expect(texts(set, contested.ours.count + 1).prefix(contested.ours.count) == contested.ours[...])
    #expect(Array(contested.ours) != Array(vector.expectedTexts.prefix(contested.ours.count)) || contested.ours.isEmpty)
    if contested.isAll { #expect(texts(set, contested.ours.count + 1) == contested.ours) }
  }

  /// A wall-clock time as the zone shows it: Zurich skips 02:00 to 03:00 on the last Sunday of March.
  private func inZone(_ zone: String?, _ time: CivilDateTime) -> CivilDateTime {
    let isGap = time.date.month == 3 && time.date.day > 24 && time.date.weekday == .sunday && time.hour == 2
    guard zone == "Europe/Zurich", isGap else { return time }
    return CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + 3_600)
  }
}
