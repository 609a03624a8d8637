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

  /// The unchecked items of a list, by due date.
  ///
  /// - Parameter defaultList: the list for an empty name, which is made with its first item.
  /// - Throws: ``BelfryError`` `.notFound` for an unknown list, and errors of the store.
  func list(_ name: String, orElse defaultList: String) throws -> String {
    let name = name.isEmpty ? defaultList : name
    if name == defaultList, try reading.view.list(named: name) == nil { return nothing(on: name) }
    let list = try reading.view.knownList(named: name)
    var lines = try items(ItemQuery(listID: list.id, limit: Self.mostLines)).map { item in
      let due = item.due.map { " · \(moment.short($0.instant.date))" } ?? ""
      return "• \(item.text)\(due)"
    }
    let beyond = try reading.view.uncheckedCount(listID: list.id, dueBefore: nil) - lines.count
    if beyond > 0 { lines.append("… and \(beyond) more") }
    return lines.isEmpty ? nothing(on: list.name) : "\(list.name)\n\(lines.joined(separator: "\n"))"
  }

  private func nothing(on list: String) -> String { "Nothing to do on '\(list)'." }

  /// The overdue items, and the rings of a week by day.
  func agenda() throws -> String {
    let zone = reading.planner.floatingZone
    let end = zone.wallTime(at: reading.now).date.adding(days: Self.days)
    let outlook = try reading.preview(
      from: reading.now, until: zone.start(of: end) - 1, limit: Self.mostLines,
      limitOfOne: Self.mostOfOne)
    let overdue = try items(ItemQuery(dueBefore: reading.now, limit: Self.mostLines)).compactMap { item in
      item.due.map { "• \(moment.short($0.instant.date)) · \(item.text)" }
    }
    let byDay = Dictionary(grouping: outlook.rings) { zone.wallTime(at: $0.fireDate.date).date }
    let days = byDay.sorted { $0.key < $1.key }.map { day, rings in
      [Moment.day(day)] + rings.map { "• \(zone.wallTime(at: $0.fireDate.date).time) · \($0.text)" }
    }
    let parts = (overdue.isEmpty ? [] : [["Overdue"] + overdue]) + days + (outlook.hasMore ? [["… and more"]] : [])
    return parts.isEmpty
      ? "Nothing rings within a week." : parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func items(_ query: ItemQuery) throws -> [Item] {
    try reading.view.listings(query).map(\.item)
  }

  private var moment: Moment { Moment(zone: reading.planner.floatingZone, now: reading.now) }
}
