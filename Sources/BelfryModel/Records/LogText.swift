import CivilTime
import FoundationEssentials

/// What happened when, as one text for people: `2026-11-21T08:00:00Z later HTTP 503`.
struct LogText {
  /// When, in whole seconds.
  let instant: Date
  /// One of a few words.
  let word: String
  /// All that follows; empty where nothing does.
  let rest: String

  init(_ instant: Date, _ word: String, _ rest: String) {
    (self.instant, self.word, self.rest) = (instant, word, rest)
  }

  /// The parts of a text; `nil` for one that does not begin with an instant and a word.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let instant = DateText.instant(String(parts[0])) else { return nil }
    self.init(instant, String(parts[1]), parts.count == 3 ? String(parts[2]) : "")
  }

  /// The text.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an instant beyond the years 0000 to 9999.
  func text() throws(BelfryError) -> String {
    var bytes: [UInt8] = []
    do throws(DateError) {
      try DateText.append(instant, withFraction: false, to: &bytes)
    } catch {
      throw BelfryError(.badInput, "when it was \(word) cannot be kept: \(error)")
    }
    return String(decoding: bytes, as: UTF8.self) + " \(word)" + (rest.isEmpty ? "" : " \(rest)")
  }
}

extension AttemptRecord {
  /// The attempt as its delivery's record holds it.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an instant beyond the years 0000 to 9999.
  func text() throws(BelfryError) -> String { try LogText(startedAt, outcome.name, words ?? "").text() }

  /// The attempt that a text says; `nil` where it says none.
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
  /// - Throws: ``BelfryError`` `.badInput` for an instant beyond the years 0000 to 9999.
  func texts() throws(BelfryError) -> [String] { [try LogText(since, kind.name, sink).text(), reason] }

  /// The problem that two texts say; `nil` where they say none.
  init?(_ text: String, reason: String) {
    guard let log = LogText(text), let kind = Kind.allCases.first(where: { $0.name == log.word }) else { return nil }
    self.init(sink: log.rest, kind: kind, since: log.instant, reason: reason)
  }
}
