import BelfryModel
import CivilTime
import Foundation

extension Sample {
  /// An answer to a reminder of an item or list; `name` tells its reminder from others.
  ///
  /// - Throws: `DateError`, where this file is wrong.
  public static func answer(
    _ name: String = "1", owner: ReminderOwner = .item(1), operation: ActionOperation.Word = .check,
    channel: Answer.Channel = .link, externalID: String? = nil, effect: Answer.Effect = .done, at date: Date = now
  ) throws -> Answer {
    Answer(
      id: 0, reminderID: uuid("reminder \(name)"), ring: uuid("ring \(name)"), owner: owner,
      wallTime: try due(30).local, lead: .zero, listName: "Groceries", text: "Buy milk", action: operation.rawValue,
      operation: operation, channel: channel, externalID: externalID, date: date, effect: effect, reply: "checked")
  }

  /// Answers with every field said and unsaid, of every operation, channel and effect.
  static func everyAnswer() throws -> [Answer] {
    // The stores' files of earlier versions hold these.
    let channels = ["cli", "web", "link", "ntfy", "telegram", "desktop", "api"].map { Answer.Channel($0, words: $0) }
    var answers: [Answer] = []
    for (index, operation) in ActionOperation.Word.allCases.enumerated() {
      let effect = Answer.Effect.allCases[index % Answer.Effect.allCases.count]
      let channel = channels[index % channels.count]
      answers.append(
        try answer("\(index)", owner: index % 2 == 0 ? .item(40) : .list(7), operation: operation, channel: channel)
          .numbered(Int64(index + 3)).with(effect: effect))
    }
    answers.append(
      Answer(
        id: 9_000, reminderID: uuid("answered"), ring: uuid("rang"), owner: .item(2), wallTime: try due(-9).local,
        lead: CalendarDuration(days: 2, minutes: 5), listName: "Work <&>", text: " caf\u{e9} cafe\u{301} ]]> ",
        action: "sp\u{e4}ter <&>", operation: .snooze, person: 9_007_199_254_740_993, channel: channels[4],
        externalID: "update 12 «\u{1D11E}»", date: now + 7, effect: .done, reply: "line 1\nline 2 <b>",
        snooze: uuid("snooze"), takenBackAt: now + 90, image: "{\"version\":2}"))
    return answers
  }
}

extension Answer {
  fileprivate func with(effect: Effect) -> Answer {
    Answer(
      id: id, reminderID: reminderID, ring: ring, owner: owner, wallTime: wallTime, lead: lead, listName: listName,
      text: text, action: action, operation: operation, channel: channel, date: date, effect: effect, reply: reply)
  }
}
