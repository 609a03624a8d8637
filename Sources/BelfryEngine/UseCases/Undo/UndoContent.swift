import FoundationEssentials
import OrderedJSON

/// The record with which a store can undo a change.
struct UndoContent {
  struct Entry {
    let id: Int64
    /// The record before the change, as JSON; `nil` if there was none.
    let before: String?
    /// The snoozes, nags and steps that were scheduled before the change.
    var extraRinging: [UUID]
    /// The snoozes, nags and steps that were scheduled after it; `nil` if they were not recorded.
    let ringingAfter: [UUID]?
    /// The mark of the record after the change, to detect later changes; `nil` if the record was deleted.
    let after: String?
  }

  // The version of the format, which another version of Belfry may not share.
  private static let version: Int64 = 2

  /// The command that made the change, as typed after `belfry`.
  let command: String
  var items: [Entry]
  var lists: [Entry]
  /// The deliveries that the change discarded.
  var discarded: [Int64]
  /// True if everything is recorded. If the change touched too much, nothing is recorded.
  let isComplete: Bool

  /// The number of the answer that made the change and holds the data to reverse it.
  private(set) var answer: Int64?
  /// The name of the author of the change; `nil` for a command.
  let author: String?

  init(_ notes: UndoNotes, command: String, author: String? = nil) {
    self.command = command
    self.author = author
    isComplete = notes.isComplete
    items = isComplete ? notes.items.map { Entry($0, image: \.undoImage, mark: \.undoMark) } : []
    lists = isComplete ? notes.lists.map { Entry($0, image: \.undoImage, mark: \.undoMark) } : []
    discarded = isComplete ? notes.discarded : []
  }

  /// The content for a command that gave an answer: undoing it takes the answer back.
  init(takingBack answer: Int64, command: String) {
    self.init(UndoNotes(), command: command)
    self.answer = answer
  }

  /// Parses the result of ``text``; `nil` for anything else.
  init?(parsing text: String) {
    guard let json = try? JSONValue(parsing: text.utf8), json["version"] == .integer(Self.version),
      let command = json["command"]?.stringValue,
      let isComplete = json["is_complete"]?.boolValue,
      let items = json["items"]?.arrayValue?.compactMap(Entry.init),
      let lists = json["lists"]?.arrayValue?.compactMap(Entry.init),
      let discarded = json["discarded"]?.arrayValue?.compactMap(\.integerValue)
    else { return nil }
    self.command = command
    self.isComplete = isComplete
    self.items = items
    self.lists = lists
    self.discarded = discarded
    answer = json["answer"]?.integerValue
    author = json["author"]?.stringValue
  }

  var text: String {
    var json: JSONObject = [
      "version": .integer(Self.version), "command": .string(command), "is_complete": .bool(isComplete),
      "items": .array(items.map(\.json)),
      "lists": .array(lists.map(\.json)), "discarded": .array(discarded.map { .integer($0) }),
    ]
    if let answer { json.append("answer", .integer(answer)) }
    if let author { json.append("author", .string(author)) }
    return JSONValue.object(json).serialized()
  }
}

extension UndoContent.Entry {
  fileprivate init<Value>(
    _ touched: UndoNotes.Touched<Value>, image: (Value) -> String, mark: (Value) -> String
  ) {
    self.init(
      id: touched.id, before: touched.before.map(image), extraRinging: touched.extraRinging,
      ringingAfter: touched.ringingAfter, after: touched.after.map(mark))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.integerValue, let before = json["before"],
      let extra = json["extra_ringing"]?.arrayValue, let after = json["after"]
    else { return nil }
    self.init(
      id: id, before: before.stringValue,
      extraRinging: Self.reminders(extra), ringingAfter: json["ringing_after"]?.arrayValue.map(Self.reminders),
      after: after.stringValue)
  }

  fileprivate var json: JSONValue {
    var json: JSONObject = [
      "id": .integer(id), "before": before.map { .string($0) } ?? .null,
      "extra_ringing": .array(extraRinging.map { .string($0.text) }), "after": after.map { .string($0) } ?? .null,
    ]
    if let ringingAfter { json.append("ringing_after", .array(ringingAfter.map { .string($0.text) })) }
    return .object(json)
  }

  private static func reminders(_ values: [JSONValue]) -> [UUID] {
    values.compactMap { $0.stringValue.flatMap(UUID.init(uuidString:)) }
  }
}
