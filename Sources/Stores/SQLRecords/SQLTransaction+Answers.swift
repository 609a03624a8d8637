import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

extension SQLTransaction {
  private static let columns = """
    id, reminder_uuid, ring_uuid, owner_is_list, owner_id, wall_time, lead_days, lead_minutes, list, text, action,
    operation, person, channel, external_id, given_at, effect, reply, snooze_uuid, taken_back_at, image,
    unknown
    """
  private static let everyAnswer = "SELECT \(columns) FROM answer"

  package func answer(id: Int64) throws -> Answer? {
    try firstRow("\(Self.everyAnswer) WHERE id = ?", id, make: answer)
  }

  package func answers(of owner: ReminderOwner) throws -> [Answer] {
    try rows(
      "\(Self.everyAnswer) WHERE owner_is_list = ? AND owner_id = ? ORDER BY id", owner.isList, owner.number,
      make: answer)
  }

  package func latestAnswer(by channel: Answer.Channel, externalID: String) throws -> Answer? {
    try firstRow(
      "\(Self.everyAnswer) WHERE channel = ? AND external_id = ? ORDER BY id DESC LIMIT 1", channel.name,
      externalID, make: answer)
  }

  package func visitAnswers(limit: Int?, _ body: (Answer) throws -> VisitResult) throws {
    try visitRows("\(Self.everyAnswer) ORDER BY id DESC LIMIT ?", limit ?? .max) { try body(answer($0)) }
  }

  func visitAnswersByNumber(_ body: (Answer) throws -> Void) throws {
    try forEachRow("\(Self.everyAnswer) ORDER BY id") { try body(answer($0)) }
  }

  package func add(_ answer: Answer) throws -> Answer {
    let answer = answer.numbered(try take(.answer))
    try insert(answer)
    return answer
  }

  package func update(_ answer: Answer) throws {
    try execute(
      "UPDATE answer SET taken_back_at = ?, image = ? WHERE id = ?", answer.takenBackAt?.stored, answer.image,
      answer.id)
  }

  /// Keeps an answer under its number.
  func insert(_ answer: Answer) throws {
    try reserve(answer.id, .answer)
    try execute(
      "INSERT INTO answer (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      answer.id, answer.reminderID, answer.ring, answer.owner.isList, answer.owner.number,
      answer.wallTime.minutesSinceEpoch, answer.lead.days, answer.lead.minutes, answer.listName, answer.text,
      answer.action, answer.operation.rawValue, answer.person, answer.channel.name, answer.externalID,
      answer.date.stored, answer.effect.rawValue, answer.reply, answer.snooze, answer.takenBackAt?.stored,
      answer.image, answer.unknown?.object)
  }

  /// Forgets answers that were given before an instant. Returns how many.
  func forgetAnswers(before cutoff: Date, limit: Int) throws -> Int {
    try execute(
      "DELETE FROM answer WHERE id IN (SELECT id FROM answer WHERE given_at < ? LIMIT ?)", cutoff.stored, limit)
  }

  private func answer(_ row: SQLRow) throws -> Answer {
    guard let operation = ActionOperation.Word(rawValue: try row.at(11)) else {
      throw StoredValueFault("an unknown operation", 11)
    }
    guard let channel = Answer.Channel(kept: try row.at(13)) else {
      throw StoredValueFault("an unknown channel", 13)
    }
    guard let effect = Answer.Effect(rawValue: try row.at(16)) else { throw StoredValueFault("an unknown effect", 16) }
    var answer = try Answer(
      id: row.at(0), reminderID: row.at(1), ring: row.at(2),
      owner: ReminderOwner(isList: row.at(3), number: row.at(4)), wallTime: WallTime(minutesSinceEpoch: row.at(5)),
      lead: CalendarDuration(days: row.at(6), minutes: row.at(7)), listName: row.at(8), text: row.at(9),
      action: row.at(10), operation: operation, person: row.at(12), channel: channel, externalID: row.at(14),
      date: Date(stored: row.at(15)), effect: effect, reply: row.at(17), snooze: row.at(18),
      takenBackAt: (row.at(19) as Int64?).map(Date.init(stored:)), image: row.at(20))
    answer.unknown = try UnknownFields(stored: row.at(21), of: AnswerRecord.form.kind)
    return answer
  }
}
