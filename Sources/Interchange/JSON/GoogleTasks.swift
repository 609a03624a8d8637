import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// Makes items of Google's tasks.
struct GoogleTasks {
  let context: ImportContext
  private(set) var entries: [ImportEntry] = []
  private(set) var fields: [String] = []

  init(context: ImportContext) { self.context = context }

  static func meaning(of field: String) -> String {
    switch field {
    case "title": "the text"
    case "notes": "the notes"
    case "status": "checked, for completed"
    case "due", "scheduled_time": "the due date, with a reminder"
    case "completed": "the time of the check"
    case "created": "the time of creation"
    case "updated": "the time of the last change"
    case "id": "the identity, by which a second import knows the task"
    case "parent": "RELATED-TO"
    case "deleted", "kind", "etag", "selfLink": "nothing"
    default: ContentLine.name("GOOGLE-TASKS", field)
    }
  }

  /// Adds a list with its tasks.
  ///
  /// - Parameter number: its number in the file, from 1.
  mutating func add(_ list: JSONValue, number: Int) {
    guard list.objectValue != nil else {
      entries.append(.refusal(ImportRefusal(place: "list \(number)", reason: "it is \(list.kind), not an object")))
      return
    }
    let title = list["title"]?.stringValue ?? ""
    let name = (try? ItemText.singleLine(title, field: "title")) ?? context.defaultListName
    entries.append(.list(ImportedList(name: name)))
    let key = list["items"] == nil ? "tasks" : "items"
    if let tasks = list[key], tasks.arrayValue == nil, !tasks.isNull {
      let reason = "its \"\(key)\" is \(tasks.kind), not an array"
      entries.append(.refusal(ImportRefusal(place: "list \(inQuotes(name))", reason: reason)))
    }
    for (index, task) in (list[key]?.arrayValue ?? []).enumerated() {
      let place = "list \(inQuotes(name)), task \(index + 1)"
      do throws(EntryFault) {
        entries.append(try entry(JSONFields(task), place: place, list: name))
      } catch {
        entries.append(.refusal(ImportRefusal(place: place, reason: error.reason)))
      }
    }
  }

  private mutating func entry(_ task: JSONFields, place: String, list: String) throws(EntryFault) -> ImportEntry {
    for key in task.object.keys where !fields.contains(key) && fields.count < 100 { fields.append(key) }
    guard task.value("deleted") != .bool(true) else { return .leftOut("deleted") }
    let (title, notes) = (try task.text("title") ?? "", try task.text("notes") ?? "")
    guard !(title + notes).trimmingWhitespace().isEmpty else { return .leftOut("empty") }
    let parts = try ItemText(title.trimmingWhitespace().isEmpty ? notes : title, field: "title")
    let (rest, due) = (title.trimmingWhitespace().isEmpty ? "" : notes, try self.due(task))
    var item = ImportedItem(
      parts.content(notes: rest, reminds: due != nil), uuid: try task.text("id").map(Self.uuid),
      isChecked: try task.text("status") == "completed", due: due, place: place)
    if item.isChecked { item.checkedAt = try instant("completed", of: task) }
    item.createdAt = try instant("created", of: task)
    item.updatedAt = try instant("updated", of: task)
    if let parent = try task.text("parent") { item.properties.append("RELATED-TO:\(Self.uuid(parent).text)") }
    for member in task.object.members where !member.value.isNull {
      let name = Self.meaning(of: member.key)
      guard name.hasPrefix("X-") else { continue }
      item.properties.append(ContentLine.text(name, member.value.stringValue ?? member.value.serialized()))
    }
    return .item(item, list: list)
  }

  private static func uuid(_ id: String) -> UUID { UUID(namespace: .belfry, name: "google task \(id)") }

  private func instant(_ name: String, of task: JSONFields) throws(EntryFault) -> Date? {
    try task.converted(name, wanted: "a time like 2026-11-21T08:00:00Z", parseRFC3339)
  }

  // `due` is a day at midnight in UTC. A task with a time of day has it in `scheduled_time`.
  private func due(_ task: JSONFields) throws(EntryFault) -> ImportedDue? {
    let scheduled = try scheduledStart(of: task)
    let day = try instant("due", of: task)
    guard let time = scheduled ?? day else { return nil }
    let wall = Zone.utc.wallTime(at: time)
    guard wall.time.minutesSinceMidnight == 0 else { return .instant(time) }
    return .local(WallTime(date: wall.date, time: context.defaultTime), .floating)
  }

  private func scheduledStart(of task: JSONFields) throws(EntryFault) -> Date? {
    guard let field = task.value("scheduled_time") else { return nil }
    guard let times = field.arrayValue else { throw task.mismatch("scheduled_time", field, wanted: "an array") }
    guard let current = times.first(where: { $0["current"] == .bool(true) }) ?? times.last else { return nil }
    guard let start = current["start"]?.stringValue.flatMap(parseRFC3339) else {
      throw EntryFault(reason: "its \"scheduled_time\" has no \"start\" like 2026-11-21T08:00:00Z")
    }
    return start
  }
}
