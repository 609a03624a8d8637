import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// Lists and reminders as lines of a chat.
struct ChatView {
  /// The most items or reminders that are shown.
  private static let mostLines = 60
  /// The most reminders of one item.
  private static let mostOfOne = 14
  /// The days of an agenda.
  private static let days = 7

  private let reading: Reading

  /// A view of one state.
  init(_ reading: Reading) { self.reading = reading }

  /// The unchecked items of a list, by due date, or those with tags or of a priority, on a list (`Groceries @shop !high`)
  /// or on all (`@shop`).
  ///
  /// - Parameter defaultList: the list for an empty text, which is made with its first item.
  /// - Throws: ``BelfryError`` `.notFound` for an unknown list, and errors of the store.
  func list(_ text: String, orElse defaultList: String) throws -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    // The name of a list may end like a filter.
    let isName = try reading.view.list(named: text) != nil
    let filters = isName ? [] : words.reversed().prefix { Self.isFilter($0) }.reversed()
    if filters.isEmpty { return try items(on: text.isEmpty ? defaultList : text, orElse: defaultList) }
    let name = words.dropLast(filters.count).joined(separator: " ")
    return try items(filters, on: name.isEmpty ? nil : reading.view.knownList(named: name))
  }

  private func items(on name: String, orElse defaultList: String) throws -> String {
    if name == defaultList, try reading.view.list(named: name) == nil { return nothing(on: name) }
    let list = try reading.view.knownList(named: name)
    var lines = try reading.view.listings(ItemQuery(listID: list.id, limit: Self.mostLines)).map { line($0.item) }
    let beyond = try reading.view.uncheckedCount(listID: list.id, dueBefore: nil) - lines.count
    if beyond > 0 { lines.append("… and \(beyond) more") }
    return lines.isEmpty ? nothing(on: list.name) : "\(list.name)\n\(lines.joined(separator: "\n"))"
  }

  private func items(_ filters: [Substring], on list: Checklist?) throws -> String {
    var query = ItemQuery(listID: list?.id, limit: Self.mostLines + 1)
    query.tags = try ItemTags(filters.filter { $0.first == "@" }.map { String($0.dropFirst()) })
    query.priority = filters.compactMap(Self.level).last
    let found = try reading.view.listings(query)
    var lines = found.prefix(Self.mostLines).map { listing in
      line(listing.item) + (list == nil ? " · \(listing.listName)" : "")
    }
    if found.count > lines.count { lines.append("… and more") }
    let title = ([list?.name].compactMap(\.self) + filters.map(String.init)).joined(separator: " ")
    return lines.isEmpty ? nothing(on: title) : "\(title)\n\(lines.joined(separator: "\n"))"
  }

  private static func isFilter(_ word: Substring) -> Bool {
    word.first == "@" && word.count > 1 || level(word) != nil
  }

  private static func level(_ word: Substring) -> ItemPriority.Level? {
    word.first == "!" ? ItemPriority.Level(rawValue: word.dropFirst().lowercased()) : nil
  }

  private func line(_ item: Item) -> String {
    "• \(item.text)" + (item.due.map { " · \(moment.short($0.instant.date))" } ?? "")
  }

  private func nothing(on list: String) -> String { "Nothing to do on '\(list)'." }

  /// The overdue items, and the rings of a week by day.
  func agenda() throws -> String {
    let zone = reading.planner.floatingZone
    let end = zone.wallTime(at: reading.now).date.adding(days: Self.days)
    let outlook = try reading.preview(
      from: reading.now, until: zone.start(of: end) - 1, limit: Self.mostLines,
      limitOfOne: Self.mostOfOne)
    let overdue = try reading.view.listings(ItemQuery(dueBefore: reading.now, limit: Self.mostLines)).compactMap {
      row in
      row.item.due.map { "• \(moment.short($0.instant.date)) · \(row.item.text)" }
    }
    let byDay = Dictionary(grouping: outlook.rings) { zone.wallTime(at: $0.fireDate.date).date }
    let days = byDay.sorted { $0.key < $1.key }.map { day, rings in
      [Moment.day(day)] + rings.map { "• \(zone.wallTime(at: $0.fireDate.date).time) · \($0.text)" }
    }
    let parts = (overdue.isEmpty ? [] : [["Overdue"] + overdue]) + days + (outlook.hasMore ? [["… and more"]] : [])
    return parts.isEmpty
      ? "Nothing rings within a week." : parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private var moment: Moment { Moment(zone: reading.planner.floatingZone, now: reading.now) }
}
