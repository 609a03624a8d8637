import SQLRecords

/// The statements of a store, in which a flaw leaves out a condition.
struct FlawedDialect: SQLDialect {
  /// The error of a statement without the words that a flaw replaces.
  struct NothingToBreak: Error {
    let statement: String
  }

  private let sound: any SQLDialect
  let beginning: String?
  let attemptable: String?

  init(_ sound: any SQLDialect, _ flaw: Flaw) throws {
    self.sound = sound
    let (begin, attempt) = (sound.beginning ?? "", sound.attemptable ?? "")
    switch flaw {
    case .recordsFirst:
      let delivered = "SET state = 1, closed_at = ?2, next_attempt_at = NULL, begun_at"
      beginning = try Self.replacing(/SET begun_at/, in: begin, with: delivered)
      attemptable = attempt
    case .memoryQueue:
      beginning = try Self.replacing(
        /AND state = 0 AND next_attempt_at <= \?3/, in: begin, with: "AND ?3::float8 IS NOT NULL")
      attemptable = try Self.replacing(
        /AND state = 0 AND next_attempt_at <= \?2/, in: attempt, with: "AND ?2::float8 IS NOT NULL")
    case .noPoll, .wideBegin, .lateSecond: (beginning, attemptable) = (begin, attempt)
    }
  }

  private static func replacing(_ words: Regex<Substring>, in statement: String, with others: String) throws -> String {
    let broken = statement.replacing(words, with: others)
    guard broken != statement else { throw NothingToBreak(statement: statement) }
    return broken
  }

  var no: String { sound.no }
  var begun: String? { sound.begun }
  var holding: String? { sound.holding }
  var leading: String? { sound.leading }
  var locking: String { sound.locking }

  func reading(_ note: SQLNote) -> String? { sound.reading(note) }
  func writing(_ notes: [SQLNote]) -> String { sound.writing(notes) }
  func removing(_ notes: [SQLNote]) -> String { sound.removing(notes) }
}
