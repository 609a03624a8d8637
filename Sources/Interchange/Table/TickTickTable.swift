import BelfryModel
import FoundationEssentials

/// The tasks of a TickTick backup, a CSV with a few lines about the file before its header.
struct TickTickTable: TaskTable {
  enum Column: String {
    case title, content, tags, kind, priority, status, reminder, timezone
    case list = "list name"
    case isChecklist = "is check list"
    case start = "start date"
    case due = "due date"
    case rule = "repeat"
    case created = "created time"
    case completed = "completed time"
    case isAllDay = "is all day"
    case isFloating = "is floating"
    case id = "taskid"
    case parent = "parentid"
  }

  static let program = "TICKTICK"
  static let header = "the header of a TickTick backup, \"List Name\",\"Title\",…"
  static let rowsBeforeHeader = 20

  private let context: ImportContext

  init(_ bytes: ByteSource, context: ImportContext) { self.context = context }

  static func isHeader(_ names: [String]) -> Bool {
    Set([Column.list, .title].map(\.rawValue)).isSubset(of: names)
  }

  func meaning(of column: Column) -> String? {
    switch column {
    case .title: "the text"
    case .content: "the notes"
    case .list: "the list"
    case .tags: "the tags"
    case .priority: "the priority: high, medium and low for 5, 3 and 1"
    case .status: "checked, for 1 and 2; STATUS:CANCELLED, for -1"
    case .due, .timezone, .isAllDay, .isFloating: "the due date and its zone"
    case .start: "the due date where there is no other, and the time from which reminders and the repeat count"
    case .reminder: "the alerts"
    case .rule: "the repeat"
    case .created: "the time of creation"
    case .completed: "the time of the check"
    case .id: "the identity, by which a second import knows the task"
    case .parent: "RELATED-TO"
    case .kind, .isChecklist: nil
    }
  }

  func entry(_ row: NamedRow<Column>) throws(EntryFault) -> ImportEntry {
    let parts = try ItemText(row[.title] ?? row[.content] ?? "", field: "Title")
    let notes = row[.title] == nil ? nil : row[.content]?.replacing(scalar: "\r", with: "\n")
    var item = ImportedItem(
      parts.content(notes: notes, reminds: false), uuid: row[.id].map(Self.uuid), place: row.place)
    item.createdAt = row[.created].flatMap(TickTickSchedule.instant)
    item.isChecked = ["1", "2", "-1"].contains(row[.status])
    if item.isChecked { item.checkedAt = row[.completed].flatMap(TickTickSchedule.instant) }
    let schedule = TickTickSchedule(row, context: context)
    schedule?.set(in: &item)
    item.properties += Self.fields(row)
    keepOthers(row, schedule, in: &item)
    item.content.takeFields()
    let list = try row[.list].map { list throws(EntryFault) in try ItemText.singleLine(list, field: "List Name") }
    return .item(item, list: list ?? context.defaultListName)
  }

  private static func uuid(_ id: String) -> UUID { UUID(namespace: .belfry, name: "ticktick \(id)") }

  // The properties that become fields of the item.
  private static func fields(_ row: NamedRow<Column>) -> [String] {
    var lines = ContentLine.categories(row[.tags], separators: [","])
    let priorities = ["5": 1, "3": 5, "1": 9]
    if let value = row[.priority], let priority = priorities[value] { lines.append("PRIORITY:\(priority)") }
    if row[.status] == "-1" { lines.append("STATUS:CANCELLED") }
    if let parent = row[.parent] { lines.append("RELATED-TO:\(uuid(parent).text)") }
    return lines
  }

  private func keepOthers(_ row: NamedRow<Column>, _ schedule: TickTickSchedule?, in item: inout ImportedItem) {
    let due = row[.due].flatMap(TickTickSchedule.instant)
    func unless(_ isUnderstood: Bool) -> ColumnUse { isUnderstood ? .taken : .notUnderstood }
    for (name, value) in row.values {
      let use: ColumnUse =
        switch Column(rawValue: name.lowercased()) {
        case .title, .content, .list, .tags, .isFloating, .isAllDay, .id, .parent: .taken
        case .kind: value == "TEXT" ? .taken : .kept
        case .isChecklist: value == "Y" ? .kept : .taken
        case .priority: unless(["0", "1", "3", "5"].contains(value))
        case .status: unless(["0", "1", "2", "-1"].contains(value))
        case .start:
          TickTickSchedule.instant(value).map { (due ?? $0) == $0 ? .taken : .kept } ?? .notUnderstood
        case .due: unless(due != nil)
        case .created: unless(item.createdAt != nil)
        case .completed: item.checkedAt == nil ? .kept : .taken
        case .timezone: unless(context.planner.zone(ifKnown: value) != nil)
        case .reminder: unless(schedule?.alerts != nil)
        // A checked task no longer repeats.
        case .rule: item.rule != nil ? .taken : item.isChecked ? .kept : .notUnderstood
        case nil: .kept
        }
      item.keep(value, of: name, by: Self.program, as: use)
    }
  }
}
