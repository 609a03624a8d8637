import BelfryModel
import CivilTime
import FoundationEssentials

/// The tasks that Outlook exports as CSV, including those of Microsoft To Do's lists.
///
/// Dates are in the form of the machine's region: the first number above 12 shows whether days or months come first.
struct OutlookTable: TaskTable {
  enum Column: String {
    case subject, notes, categories, priority, status
    case due = "due date"
    case hasReminder = "reminder on/off"
    case reminderDate = "reminder date"
    case reminderTime = "reminder time"
    case completed = "date completed"
    case percent = "% complete"
  }

  static let program = "OUTLOOK"
  static let header = "the header of tasks from Outlook in English, \"Subject\",\"Start Date\",\"Due Date\",…"
  static let rowsBeforeHeader = 0

  private let context: ImportContext
  private let dates: OutlookDates

  init(_ bytes: ByteSource, context: ImportContext) throws {
    self.context = context
    dates = OutlookDates(sample: try bytes.peek(1 << 16))
  }

  static func isHeader(_ names: [String]) -> Bool {
    Set([Column.subject, .due].map(\.rawValue)).isSubset(of: names)
      && !Set([Column.percent, .completed, .hasReminder].map(\.rawValue)).isDisjoint(with: names)
  }

  func meaning(of column: Column) -> String? {
    switch column {
    case .subject: "the text"
    case .notes: "the notes"
    case .categories: "the tags"
    case .priority: "the priority: high for High, low for Low"
    case .status, .percent: "checked, for Completed and 100 %"
    case .due: "the due date, read as \(dates.order)"
    case .hasReminder, .reminderDate, .reminderTime: "the alert, read as \(dates.order)"
    case .completed: "the day of the check, read as \(dates.order)"
    }
  }

  func entry(_ row: NamedRow<Column>) throws(EntryFault) -> ImportEntry {
    let parts = try ItemText(row[.subject] ?? "", field: "Subject")
    var item = ImportedItem(parts.content(notes: row[.notes], reminds: false), place: row.place)
    item.isChecked = row[.status]?.lowercased() == "completed" || ["1", "100", "100%"].contains(row[.percent])
    if item.isChecked {
      item.checkedAt = row[.completed].flatMap(dates.date).map(context.planner.floatingZone.start)
    }
    let isDated = setDates(of: row, in: &item)
    keepOthers(row, isDated: isDated, in: &item)
    item.content.takeFields()
    return .item(item, list: context.defaultListName)
  }

  /// Sets the due date and the alert; false if a date cannot be read.
  private func setDates(of row: NamedRow<Column>, in item: inout ImportedItem) -> Bool {
    let day = row[.due].flatMap(dates.date)
    let reminder = reminds(row) ? row[.reminderDate] : nil
    let ring = reminder.flatMap { dates.time(date: $0, clock: row[.reminderTime]) }
    let isRead = (row[.due] == nil) == (day == nil) && (reminder == nil) == (ring == nil)
    guard let ring else {
      guard let day else { return isRead }
      let due = WallTime(date: day, time: context.defaultTime)
      item.due = .local(due, .floating)
      item.properties.append(BelfryProperty.dateOnlyLine(minute: due.time.minutesSinceMidnight))
      return isRead
    }
    let usual = day.map { WallTime(date: $0, time: context.defaultTime) } ?? ring
    // A reminder on the day itself rings when the item is due.
    let due = ring.date == usual.date ? ring : usual
    item.due = .local(due, .floating)
    item.shouldRemind = true
    let lead = due.minutesSinceEpoch - ring.minutesSinceEpoch
    item.alerts = [CalendarDuration(days: lead / 1_440, minutes: lead % 1_440)]
    if lead < 0 {
      (item.due, item.alerts) = (.local(ring, .floating), [.zero])
      return false
    }
    return isRead
  }

  // Without this column, each reminder date is a reminder.
  private func reminds(_ row: NamedRow<Column>) -> Bool { row[.hasReminder].map { $0.lowercased() == "true" } ?? true }

  private static let empty: Set = ["0", "false", "none", "normal", "0/0/00", "0.0.00"]

  private func keepOthers(_ row: NamedRow<Column>, isDated: Bool, in item: inout ImportedItem) {
    item.properties += ContentLine.categories(row[.categories], separators: [";", ","])
    let priorities = ["high": 1, "low": 9]
    if let value = row[.priority], let priority = priorities[value.lowercased()] {
      item.properties.append("PRIORITY:\(priority)")
    }
    let (reminds, day) = (reminds(row), row[.reminderDate].flatMap(dates.date))
    let ring = row[.reminderDate].flatMap { dates.time(date: $0, clock: row[.reminderTime]) }
    for (name, value) in row.values where !Self.empty.contains(value.lowercased()) {
      let use: ColumnUse =
        switch Column(rawValue: name.lowercased()) {
        case .subject, .notes, .categories: .taken
        case .priority: ["high", "low"].contains(value.lowercased()) ? .taken : .notUnderstood
        case .status: ["completed", "not started"].contains(value.lowercased()) ? .taken : .kept
        case .percent: ["1", "100", "100%", "0%"].contains(value) ? .taken : .kept
        case .due: isDated ? .taken : dates.date(value) == nil ? .notUnderstood : .kept
        case .reminderDate where isDated && item.shouldRemind, .reminderTime where isDated && item.shouldRemind: .taken
        case .reminderDate: reminds && (day == nil || row[.reminderTime] == nil) ? .notUnderstood : .kept
        case .reminderTime: reminds && day != nil && ring == nil ? .notUnderstood : .kept
        case .hasReminder: value.lowercased() == "true" ? .taken : .kept
        case .completed: item.checkedAt == nil ? .kept : .taken
        case nil: .kept
        }
      item.keep(value, of: name, by: Self.program, as: use)
    }
  }
}
