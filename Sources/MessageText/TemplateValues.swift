import BelfryCore
import Mustache
import OrderedJSON

/// What the names of a template stand for: those of a webhook's body, its `data` also without that word before it.
///
/// Beside them: `text` and `list`, the item's text (or what the list's own reminder says) and the list's name; `due`,
/// `due_in` and `late` in words; `message_id`; and `reminders`, each with all of these, of which there are `count`.
public struct TemplateValues: Sendable {
  /// The most bytes that one value has; what is longer is cut.
  static let longestValue = 65_536

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
    members["list"] = .list(content.listName, content.data["list"]?.objectValue)
    members["due"] = .json(.string(words.due))
    members["due_in"] = .json(.string(words.relative))
    members["late"] = .json(words.late.map { .string($0) } ?? .null)
    return members
  }
}

/// A value that a template can reach.
enum TemplateValue: Sendable {
  case json(JSONValue)
  /// A list: its name, and what else there is about it where the reminder is the list's own.
  case list(String, JSONObject?)
  case objects([TemplateObject])

  /// The value as the library takes it.
  var mustache: Any {
    switch self {
    case .list(let name, let object): TemplateList(name: name, object: object)
    case .objects(let objects): objects
    case .json(.null): TemplateNull()
    case .json(.bool(let value)): value
    case .json(.integer(let value)): value
    case .json(.number(let value)): value
    case .json(.string(let text)): text.bounded(toBytes: TemplateValues.longestValue)
    case .json(.array(let elements)): elements.map { TemplateValue.json($0).mustache }
    case .json(.object(let object)): TemplateObject(object)
    }
  }
}

/// Named values.
struct TemplateObject: MustacheParent, MustacheCustomRenderable, Sendable {
  private let members: [String: TemplateValue]

  init(_ members: [String: TemplateValue]) { self.members = members }

  init(_ object: JSONObject) {
    members = Dictionary(object.members.map { ($0.key, .json($0.value)) }) { first, _ in first }
  }

  func child(named name: String) -> Any? { members[name]?.mustache }
  var renderText: String { "" }
  var isNull: Bool { false }
}

/// A list, which prints as its name; a section of it is there only for the list's own reminder.
struct TemplateList: MustacheParent, MustacheCustomRenderable, Sendable {
  let name: String
  let object: JSONObject?

  func child(named member: String) -> Any? {
    if let value = object?[member] { return TemplateValue.json(value).mustache }
    return member == "name" ? name : nil
  }

  var renderText: String { name.bounded(toBytes: TemplateValues.longestValue) }
  var isNull: Bool { object == nil }
}

/// Nothing: it prints as nothing, and the search for its name ends here.
private struct TemplateNull: MustacheCustomRenderable {
  var renderText: String { "" }
  var isNull: Bool { true }
}
