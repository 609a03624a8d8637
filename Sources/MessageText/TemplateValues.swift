import BelfryEngine
import BelfryModel
import ConfigKeys
import OrderedJSON

/// The values of the names in a template: the members of a webhook's body, and those of its `data` without that prefix.
///
/// Also `text` (the item's text; for a list's own reminder its message, or `3 open`; after an answer the news of it),
/// `list` (the list's name), `due`, `due_in`, `late` and `escalation.words`; `message_id`; and `reminders`, each with
/// all of these names, and their `count`. If messages carry links: `answer_url`, and for each of `actions` its `link`
/// and, unless it needs a sign-in, its `token`.
package struct TemplateValues: Sendable {
  let root: TemplateObject

  /// The values of an attempt.
  package init(_ attempt: DeliveryAttempt, words: [ReminderWords]) {
    var bytes: [UInt8] = []
    attempt.writeBody(into: &bytes, withLinks: true)
    // The body was written here and is valid JSON.
    let body = (try? JSONValue(parsing: bytes))?.objectValue ?? [:]
    let data = body["reminders"]?.arrayValue ?? [body["data"]].compactMap(\.self)
    let reminders = zip(zip(attempt.message.contents, data), words).map { reminder, words in
      Self.members(reminder.0, reminder.1, words)
    }
    var root = reminders.first ?? [:]
    for member in body.members where root[member.key] == nil { root[member.key] = .json(member.value) }
    root["message_id"] = .json(.string(attempt.message.id.text))
    root["count"] = .json(.integer(Int64(reminders.count)))
    root["reminders"] = .objects(reminders.map(TemplateObject.init))
    self.root = TemplateObject(root)
  }

  private static func members(
    _ content: ReminderContent, _ data: JSONValue, _ words: ReminderWords
  ) -> [String: TemplateValue] {
    var members: [String: TemplateValue] = [:]
    for member in data.objectValue?.members ?? [] { members[member.key] = .json(member.value) }
    // A template written for reminders must not say that an answered one rings again.
    members["text"] = .json(.string(words.news ?? content.wording))
    members["list"] = .list(name: content.listName, data["list"]?.objectValue)
    members["due"] = .json(.string(words.due))
    members["due_in"] = .json(.string(words.relative))
    if let links = words.links { members["actions"] = .json(linked(data["actions"], links)) }
    if var escalation = data["escalation"]?.objectValue {
      escalation["words"] = words.escalation.map { .string($0) } ?? .null
      members["escalation"] = .json(.object(escalation))
    }
    members["late"] = .json(words.late.map { .string($0) } ?? .null)
    return members
  }

  private static func linked(_ actions: JSONValue?, _ links: ReminderLinks) -> JSONValue {
    .array(
      zip(actions?.arrayValue ?? [], links.actions).map { action, link in
        var action = action.objectValue ?? [:]
        action["link"] = .string(link.url)
        return .object(action)
      })
  }
}
