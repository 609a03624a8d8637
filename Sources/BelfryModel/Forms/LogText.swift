import CivilTime
import FoundationEssentials

/// An event as one line of text: `2026-11-21T08:00:00Z later HTTP 503`.
struct LogText {
  /// The time, in whole seconds.
  let instant: Date
  /// The kind of event, one word.
  let word: String
  /// The remaining text; may be empty.
  let rest: String

  init(_ instant: Date, _ word: String, _ rest: String) {
    (self.instant, self.word, self.rest) = (instant, word, rest)
  }

  /// The parts of a text; `nil` unless it begins with an instant and a word.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let instant = DateText.instant(String(parts[0])) else { return nil }
    self.init(instant, String(parts[1]), parts.count == 3 ? String(parts[2]) : "")
  }

  /// The text.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an instant outside the years 0000 to 9999.
  func text() throws(BelfryError) -> String {
    var bytes: [UInt8] = []
    do throws(DateError) {
      try DateText.append(instant, withFraction: false, to: &bytes)
    } catch {
      throw BelfryError(.badInput, "the time of \"\(word)\" cannot be stored: \(error)")
    }
    return String(decoding: bytes, as: UTF8.self) + " \(word)" + (rest.isEmpty ? "" : " \(rest)")
  }
}

extension AttemptRecord {
  /// The attempt as text, as in the history of its delivery's record.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an instant outside the years 0000 to 9999.
  func text() throws(BelfryError) -> String { try LogText(startedAt, outcome.name, words ?? "").text() }

  /// The attempt that a text describes, as ``text()`` writes it; `nil` for any other text.
  init?(_ text: String, of deliveryID: Int64) {
    guard let log = LogText(text), let outcome = Outcome.allCases.first(where: { $0.name == log.word }) else {
      return nil
    }
    self.init(
      deliveryID: deliveryID, startedAt: log.instant, outcome: outcome, words: log.rest.isEmpty ? nil : log.rest)
  }
}

extension SinkProblem {
  /// The problem as two texts, since a sink's name may have blanks.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an instant outside the years 0000 to 9999.
  func texts() throws(BelfryError) -> [String] { [try LogText(since, kind.name, sink).text(), reason] }

  /// The problem that two texts describe, as ``texts()`` writes them; `nil` for any other texts.
  init?(_ text: String, reason: String) {
    guard let log = LogText(text), let kind = Kind.allCases.first(where: { $0.name == log.word }) else { return nil }
    self.init(sink: log.rest, kind: kind, since: log.instant, reason: reason)
  }
}
