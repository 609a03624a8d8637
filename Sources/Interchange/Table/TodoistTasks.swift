import BelfryModel
import CivilTime
import FoundationEssentials
import NaturalDates
import RecurrenceRules

/// Makes items of the tasks of a Todoist export.
struct TodoistTasks {
  let context: ImportContext

  private static let program = "TODOIST"

  /// The name of the property that keeps a column's value.
  static func property(_ column: String) -> String { ContentLine.name(program, column) }

  /// The number of the level of a row, from 1; `nil` if it has none.
  static func indent(of row: TodoistRow) -> Int? { row[.indent].flatMap { Int($0) }.flatMap { $0 < 1 ? nil : $0 } }

  /// The entry of a row with a task.
  ///
  /// - Parameter depth: the number of tasks above it that are items.
  func entry(_ row: TodoistRow, section: String?, depth: Int) -> ImportEntry {
    do {
      var item = try item(row, section: section)
      item.depth = depth
      return .item(item, list: context.defaultListName)
    } catch {
      return .refusal(ImportRefusal(place: row.place, reason: error.reason))
    }
  }

  private func item(_ row: TodoistRow, section: String?) throws(EntryFault) -> ImportedItem {
    let (content, labels) = Self.split(row[.content] ?? "")
    let parts = try ItemText(content, field: "CONTENT")
    var item = ImportedItem(parts.content(notes: row[.description], reminds: false), place: row.place)
    let isDated = setDate(of: row, in: &item)
    item.shouldRemind = item.due != nil
    if !labels.isEmpty { item.properties.append(ContentLine.texts("CATEGORIES", labels)) }
    if let priority = row[.priority].flatMap({ ["1": 1, "2": 5, "3": 9][$0] }) {
      item.properties.append("PRIORITY:\(priority)")
    }
    if let section { item.properties.append(ContentLine.text(Self.property("section"), section)) }
    for (name, value) in row.values {
      let use: ColumnUse =
        switch TodoistSource.Column(rawValue: name.lowercased()) {
        case .type, .content, .description: .taken
        case .priority: ["1", "2", "3", "4"].contains(value) ? .taken : .notUnderstood
        case .indent: Self.indent(of: row) == nil ? .notUnderstood : .taken
        case .date: isDated ? .taken : .notUnderstood
        case .language: row[.date] == nil || isDated ? .taken : .kept
        case .timezone:
          row[.date] == nil
            ? .taken : context.planner.zone(ifKnown: value) == nil ? .notUnderstood : isDated ? .taken : .kept
        case .author, .responsible, nil: .kept
        }
      item.keep(value, of: name, by: Self.program, as: use)
    }
    item.content.takeFields()
    return item
  }

  // Labels are words such as @phone, anywhere in the text.
  private static func split(_ content: String) -> (text: String, labels: [String]) {
    var labels: [String] = []
    let words = content.split(separator: " ", omittingEmptySubsequences: false).filter { word in
      guard let label = word.rest(after: "@"), label.first?.isLetter == true, !label.contains("@") else { return true }
      labels.append(String(label))
      return false
    }
    // A text of only labels is kept as text.
    return words.contains { !$0.isEmpty } ? (words.joined(separator: " "), labels) : (content, [])
  }

  // MARK: Dates

  private static let longestDate = 200

  /// Sets the due date and the repeat from Todoist's words; false if they are not understood.
  private func setDate(of row: TodoistRow, in item: inout ImportedItem) -> Bool {
    guard let words = row[.date] else { return true }
    guard words.utf8.count <= Self.longestDate else { return false }
    let zone = row[.timezone].flatMap { context.planner.zone(ifKnown: $0) } ?? context.planner.floatingZone
    let parser = WhenParser(now: context.now, zone: zone, defaultTime: context.defaultTime)
    let isEnglish = row[.language].map { $0.lowercased().hasPrefix("en") } ?? true
    guard isEnglish || words.utf8.allSatisfy({ 0x20...0x3A ~= $0 || $0 == UInt8(ascii: "T") }) else { return false }
    guard let date = date(words.lowercased(), parser, now: zone.wallTime(at: context.now)) else { return false }
    let isHere = zone.identifier == context.planner.floatingZone.identifier
    item.due = .local(date.due, isHere ? .floating : .fixed(zone.identifier))
    (item.rule, item.repeatOrigin) = (date.rule, date.origin)
    return true
  }

  private typealias TaskDate = (due: WallTime, rule: RecurrenceRule?, origin: Recurrence.Origin)

  private func date(_ words: String, _ parser: WhenParser, now: WallTime) -> TaskDate? {
    if case .at(let time)? = try? parser.parse(words) { return (time, nil, .due) }
    // `every!` counts from completion.
    let origin: Recurrence.Origin = words.hasPrefix("every!") ? .done : .due
    let repeated = words.replacing("every! ", with: "every ", maxReplacements: 1)
    // Such as `every day 9am` and `every monday at 18:00`.
    let parts = repeated.split(separator: " ")
    for count in 1...3 where parts.count > count {
      let clock = parts.suffix(count).joined(separator: " ")
      let time = clock.hasPrefix("at ") ? String(clock.dropFirst(3)) : clock
      guard time.contains(":") || time.hasSuffix("am") || time.hasSuffix("pm"),
        let rule = try? RecurrenceRule(words: parts.dropLast(count).joined(separator: " ")),
        case .at(let at)? = try? parser.parse(time)
      else { continue }
      return first(of: rule, origin, now, at: at.time)
    }
    return (try? RecurrenceRule(words: repeated)).flatMap { first(of: $0, origin, now, at: context.defaultTime) }
  }

  // The first occurrence from now on.
  private func first(
    of rule: RecurrenceRule, _ origin: Recurrence.Origin, _ now: WallTime, at time: TimeOfDay
  ) -> TaskDate? {
    let start = WallTime(date: now.date, time: time)
    let due = RecurrenceSet(start: start.civil, rule: rule).next(atOrAfter: now.civil).map(WallTime.init(civil:))
    return due.map { ($0, rule, origin) }
  }
}
