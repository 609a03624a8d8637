import BelfryCore
import OrderedJSON

/// What the names of a template stand for: those of a webhook's body, its `data` also without that word before it.
///
/// Beside them: `text` and `list`, the item's text (or what the list's own reminder says) and the list's name; `due`,
/// `due_in` and `late` in words; `message_id`; and `reminders`, each with all of these, of which there are `count`.
public struct TemplateValues: Sendable {
  let root: TemplateObject

  /// What an attempt says.
  public init(_ attempt: DeliveryAttempt, words: [ReminderWords]) {
    let body = attempt.body()
    let reminders = zip(attempt.message.contents, words).map { content, words in
      Self.members(content, words, lateSeconds: attempt.lateSeconds)
    }
    var root = reminders.first ?? [:]
    for (name, value) in body.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] where root[name] == nil {
      root[name] = .json(value)
    }
    root["message_id"] = .json(.string(attempt.message.id.text))
    root["count"] = .json(.integer(Int64(reminders.count)))
    root["reminders"] = .objects(reminders.map(TemplateObject.init))
    self.root = TemplateObject(root)
  }

  private static func members(
    _ content: ReminderContent, _ words: ReminderWords, lateSeconds: Int
  ) -> [String: TemplateValue] {
    var members: [String: TemplateValue] = [:]
    for member in content.data.members { members[member.key] = .json(member.value) }
    members["late_seconds"] = .json(.integer(Int64(lateSeconds)))
    members["text"] = .json(.string(content.text))
    members["list"] = .list(name: content.listName, content.data["list"]?.objectValue)
    members["due"] = .json(.string(words.due))
    members["due_in"] = .json(.string(words.relative))
    members["late"] = .json(words.late.map { .string($0) } ?? .null)
    return members
  }
}
