import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// Makes items of Taskwarrior's tasks.
///
/// A recurring task is a parent, which is never done, and its instances. Each instance becomes an item; the parent
/// becomes a repeating item that continues after the last instance, so that no occurrence rings twice and none is lost.
struct TaskwarriorTasks {
  let context: ImportContext

  func entry(_ fields: JSONFields, line: Int) throws(EntryFault) -> ImportEntry {
    let status = try status(fields)
    guard status != .deleted else { return .leftOut("deleted") }
    let parts = try ItemText(try fields.requiredText("description"), field: "description")
    let annotations = try annotations(fields)
    let notes = ([parts.notes] + annotations).filter { !$0.isEmpty }.joined(separator: "\n")
    let due = try date(fields, "due")
    var item = ImportedItem(
      ItemContent(
        text: parts.text, notes: notes, shouldRemind: due != nil, alerts: [], nag: nil, category: nil, key: nil,
        tags: .empty, priority: nil, properties: try properties(fields, status)),
      uuid: try fields.uuid("uuid"), isChecked: status == .completed, due: due.map(ImportedDue.instant),
      place: "line \(line)")
    item.content.takeFields()
    item.createdAt = try date(fields, "entry")
    item.updatedAt = try date(fields, "modified")
    if status == .completed { item.checkedAt = try date(fields, "end") }
    if status == .recurring {
      guard try repeatParent(&item, fields) else { return .leftOut("recurring but already ended") }
    }
    return .item(item, list: try project(fields) ?? context.defaultListName)
  }

  // MARK: Fields

  private enum Status: String { case pending, completed, deleted, waiting, recurring }

  private func status(_ fields: JSONFields) throws(EntryFault) -> Status {
    try fields.converted("status", wanted: "one that Taskwarrior has") { Status(rawValue: $0) } ?? .pending
  }

  private func project(_ fields: JSONFields) throws(EntryFault) -> String? {
    guard let project = try fields.text("project"), project.contains(where: { !$0.isWhitespace }) else { return nil }
    return try ItemText.singleLine(project, field: "project")
  }

  private func date(_ fields: JSONFields, _ name: String) throws(EntryFault) -> Date? {
    guard let value = fields.value(name) else { return nil }
    let text =
      switch value {
      case .string(let text): text
      case .integer(let seconds): "\(seconds)"
      default: throw fields.mismatch(name, value, wanted: "a date like 20261224T173000Z")
      }
    guard let date = TaskwarriorDate.instant(text, in: context.planner.floatingZone) else {
      throw EntryFault(reason: "its \"\(name)\" is \(inQuotes(text)), not a date like 20261224T173000Z")
    }
    return date
  }

  private func annotations(_ fields: JSONFields) throws(EntryFault) -> [String] {
    guard let value = fields.value("annotations") else { return [] }
    guard let elements = value.arrayValue else {
      throw fields.mismatch("annotations", value, wanted: "an array of annotations")
    }
    var texts: [String] = []
    for element in elements {
      guard let text = element["description"]?.stringValue else {
        throw EntryFault(reason: "its \"annotations\" hold \(element.kind) without a description")
      }
      texts.append(text)
    }
    return texts
  }

  private func tags(_ fields: JSONFields) throws(EntryFault) -> [String] {
    // Versions before 2 wrote them in one text.
    if let text = fields.value("tags")?.stringValue {
      return text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
    }
    return try fields.texts("tags")
  }

  private static let mostInstances = 100_000

  // Returns whether the parent has an occurrence left.
  private func repeatParent(_ item: inout ImportedItem, _ fields: JSONFields) throws(EntryFault) -> Bool {
    guard case .instant(let first)? = item.due, let text = try fields.text("recur") else {
      throw EntryFault(reason: "it is recurring, without \"due\" and \"recur\"")
    }
    let zone = context.planner.floatingZone
    let start = zone.wallTime(at: first)
    let until = try date(fields, "until").map { zone.wallTime(at: $0) }
    guard let rule = TaskwarriorPeriod.rule(text, from: start, until: until) else {
      throw EntryFault(reason: "its \"recur\" is \(inQuotes(text)), which is not a supported period")
    }
    // The mask has a letter for each instance.
    let made = try fields.text("mask")?.utf8.count ?? 0
    guard made <= Self.mostInstances else {
      throw EntryFault(reason: "its \"mask\" is of more than \(Self.mostInstances) instances")
    }
    guard let due = TaskwarriorPeriod.occurrence(made, of: rule, from: start) else { return false }
    item.rule = rule
    item.repeatStart = start
    item.due = .local(due, .floating)
    return true
  }

  // MARK: Properties without a field

  private static let kept: Set<String> = [
    "uuid", "description", "status", "project", "due", "entry", "modified", "tags",
  ]

  private func properties(_ fields: JSONFields, _ status: Status) throws(EntryFault) -> [String] {
    var lines: [String] = []
    let tags = try tags(fields)
    if !tags.isEmpty { lines.append(ContentLine.texts("CATEGORIES", tags)) }
    if status == .waiting || status == .recurring { lines.append("X-TASKWARRIOR-STATUS:\(status)") }
    for member in fields.object.members where !Self.kept.contains(member.key) && !member.value.isNull {
      if member.key == "end", status == .completed { continue }
      if member.key == "priority", let priority = Self.priority(member.value) {
        lines.append("PRIORITY:\(priority)")
      } else {
        lines.append(Self.line(member.key, member.value))
      }
    }
    return lines
  }

  private static func priority(_ value: JSONValue) -> Int? {
    switch value.stringValue {
    case "H": 1
    case "M": 5
    case "L": 9
    default: nil
    }
  }

  private static func line(_ key: String, _ value: JSONValue) -> String {
    let text = value.stringValue ?? value.serialized()
    let isName = !key.isEmpty && key.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    if isName { return ContentLine.text("X-TASKWARRIOR-\(key.uppercased())", text) }
    // A parameter cannot hold a quotation mark, not even escaped (RFC 5545, section 3.1).
    return ContentLine.text("X-TASKWARRIOR-UDA;X-NAME=\"\(key.replacing(scalar: "\"", with: "'"))\"", text)
  }
}
