import FoundationEssentials
import OrderedJSON

/// What a store keeps of a change so that it can be taken back.
struct UndoContent {
  /// One item or list.
  struct Entry {
    let id: Int64
    /// The record of what there was; `nil` where there was none.
    let before: String?
    /// The snoozes and nags that were scheduled then.
    let extraRinging: [UUID]
    /// The mark of what the change left; `nil` where it left none.
    let after: String?
  }

  // Another program may keep something else.
  private static let version: Int64 = 2

  /// The command that made the change, as it is typed behind `belfry`.
  let command: String
  let items: [Entry]
  let lists: [Entry]
  /// Deliveries that were called off.
  let discarded: [Int64]
  /// Whether everything that the change touched is here; nothing is where it was too much.
  let isComplete: Bool

  init(_ notes: UndoNotes, command: String) {
    self.command = command
    isComplete = notes.isComplete
    items = isComplete ? notes.items.map { Entry($0, image: \.undoImage, mark: \.undoMark) } : []
    lists = isComplete ? notes.lists.map { Entry($0, image: \.undoImage, mark: \.undoMark) } : []
    discarded = isComplete ? notes.discarded : []
  }

  /// What ``text`` has written; `nil` for anything else.
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
  }

  var text: String {
    let json: JSONValue = [
      "version": .integer(Self.version), "command": .string(command), "is_complete": .bool(isComplete),
      "items": .array(items.map(\.json)),
      "lists": .array(lists.map(\.json)), "discarded": .array(discarded.map { .integer($0) }),
    ]
    return json.serialized()
  }
}

extension UndoContent.Entry {
  fileprivate init<Value>(
    _ touched: UndoNotes.Touched<Value>, image: (Value) -> String, mark: (Value) -> String
  ) {
    self.init(
      id: touched.id, before: touched.before.map(image), extraRinging: touched.extraRinging,
      after: touched.after.map(mark))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.integerValue, let before = json["before"],
      let extra = json["extra_ringing"]?.arrayValue, let after = json["after"]
    else { return nil }
    self.init(
      id: id, before: before.stringValue,
      extraRinging: extra.compactMap { $0.stringValue.flatMap(UUID.init(uuidString:)) }, after: after.stringValue)
  }

  fileprivate var json: JSONValue {
    [
      "id": .integer(id), "before": .optional(before), "extra_ringing": .array(extraRinging.map { .uuid($0) }),
      "after": .optional(after),
    ]
  }
}
