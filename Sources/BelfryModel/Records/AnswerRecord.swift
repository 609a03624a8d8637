import CivilTime
import FoundationEssentials

/// An answer as stored in files.
package struct AnswerRecord: Record {
  package static let form = RecordForm<AnswerRecord>(7, "answer") { form in
    form.add("id", \.fields.id, .number)
    form.add("reminder_id", \.fields.reminderID, .identity)
    form.add("ring", \.fields.ring, .identity)
    form.add("item_id", \.itemID, .integer)
    form.add("list_id", \.listID, .integer)
    form.add("due_local", \.fields.wallTime, .wallTime)
    form.add("lead", \.fields.lead, .duration, unless: .zero)
    form.add("list", \.fields.listName, .sharedText)
    form.add("text", \.fields.text, .text)
    form.add("action", \.fields.action, .sharedText)
    form.add("do", \.fields.operation, WordCodec(ActionOperation.Word.self, \.rawValue))
    form.add("person", \.fields.person, .number, unless: 0)
    form.add("channel", \.fields.channel, ChannelCodec())
    form.add("external_id", \.fields.externalID, .text)
    form.add("at", \.fields.date, .instant)
    form.add("effect", \.fields.effect, WordCodec(Answer.Effect.self, \.name))
    form.add("reply", \.fields.reply, .text)
    form.add("snooze_id", \.fields.snooze, .identity)
    form.add("taken_back_at", \.fields.takenBackAt, .instant)
    form.add("image", \.fields.image, .text)
  }

  private var fields = Answer(
    id: 0, reminderID: .belfry, ring: .belfry, owner: .item(0), wallTime: WallTime(minutesSinceEpoch: 0),
    lead: .zero, listName: "", text: "", action: "", operation: .none, channel: .cli, date: .distantPast,
    effect: .done, reply: "")
  private var itemID: Int64?
  private var listID: Int64?

  package init() {}

  /// The record of an answer.
  package init(_ answer: Answer) {
    fields = answer
    switch answer.owner {
    case .item(let id): itemID = id
    case .list(let id): listID = id
    }
  }

  package var unknown: UnknownFields? {
    get { fields.unknown }
    set { fields.unknown = newValue }
  }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    guard (itemID == nil) != (listID == nil) else {
      let names = (reader.name("item_id", raw), reader.name("list_id", raw))
      throw reader.fault(raw, "this answer must have either \"\(names.0)\" or \"\(names.1)\"")
    }
  }

  /// The answer of a record that was checked.
  package var answer: Answer {
    var answer = fields
    answer.owner = itemID.map(ReminderOwner.item) ?? .list(listID ?? 0)
    return answer
  }
}
