import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import RecurrenceRules

@testable import Interchange

/// Reproducible random items of every shape, with texts that resemble the syntax of some format.
struct RandomItems {
  private var generator: SeededGenerator
  private let now = Sample.now

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A store with this many items on a few lists.
  mutating func belfry(items: Int) throws -> Belfry {
    let belfry = Contents.belfry()
    let names = ["Inbox", "Garden party", "a.b.c", "100% + @home, \"x\"", "Überfluß\u{1F6D2}", "due:2026-01-01"]
    try belfry.store.write { transaction in
      try transaction.setPlannedZone("Europe/Zurich")
      for (number, name) in names.enumerated() {
        var list = try transaction.addList(name: name, uuid: uuid(), at: day(number))
        if chance(2) { list.reminder = try listReminder() }
        list.updatedAt = day(number + 3)
        try transaction.update(list)
      }
      for _ in 0..<items {
        let listID = Int64(pick(1...names.count))
        _ = try transaction.addItem(listID: listID, preferredID: nil) { id, position in
          try item(id: id, listID: listID, position: position)
        }
      }
    }
    return belfry
  }

  private mutating func item(id: Int64, listID: Int64, position: Int64) throws -> Item {
    let zone: ItemZone = chance(4) ? .fixed(pick(["America/New_York", "UTC", "Asia/Kathmandu"])) : .floating
    let due = chance(2) ? try due(in: zone) : nil
    let isChecked = chance(3)
    var item = Item(
      id: id, uuid: uuid(), listID: listID, position: position, text: text(), notes: chance(3) ? notes() : nil,
      isChecked: isChecked, due: due, zone: due == nil ? .floating : zone, shouldRemind: chance(2),
      alerts: alerts(), nag: chance(5) ? CalendarDuration(days: 0, minutes: pick(1...90)) : nil,
      category: chance(5) ? text() : nil, key: chance(5) ? "\(id) \(text())" : nil, properties: properties(),
      createdAt: day(-pick(0...900)), updatedAt: day(-pick(0...5)), checkedAt: isChecked ? day(-pick(0...5)) : nil)
    item.content.takeFields()
    if chance(4) { item.tags = try ItemTags([pick(["home", "Über", "e\u{301}"]), pick(["x+y", "a;b", "c\\d"])]) }
    if chance(4) { item.priority = ItemPriority(number: Int64(pick(1...9))) }
    if let due, chance(3) {
      let start = chance(2) ? due.local : due.local.adding(days: -pick(1...400))
      item.recurrence = Recurrence(rule: try rule(), start: start, origin: chance(2) ? .due : .done)
      if chance(2) { item.lastChecked = CheckedOccurrence(due: start, start: start) }
    }
    return item
  }

  private mutating func due(in zone: ItemZone) throws -> DueDate {
    let local = WallTime(minutesSinceEpoch: pick(0...40_000_000))
    let time = chance(3) ? WallTime(date: local.date, time: Settings().defaultTime) : local
    return try Contents.planner.resolve(time, in: Contents.planner.zone(zone))
  }

  private mutating func listReminder() throws -> ListReminder {
    let due = try due(in: .floating)
    return ListReminder(
      due: due, zone: .floating, recurrence: Recurrence(rule: try rule(), start: due.local),
      message: chance(2) ? text() : nil, category: chance(2) ? "home" : nil)
  }

  private mutating func rule() throws -> RecurrenceRule {
    try RecurrenceRule(
      pick([
        "FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=12",
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=DAILY;UNTIL=20991224T173000Z", "FREQ=HOURLY;INTERVAL=7",
        "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
      ]))
  }

  private mutating func alerts() -> [CalendarDuration] {
    guard chance(4) else { return [.zero] }
    return [
      CalendarDuration(days: pick(1...9), minutes: pick(0...99)), CalendarDuration(days: 0, minutes: pick(1...50)),
      .zero,
    ]
  }

  private mutating func properties() -> [String] {
    guard chance(3) else { return [] }
    let all = [
      "CATEGORIES:home,a b,c\\,d", "PRIORITY:\(pick(1...9))", "X-TODOTXT-PRIORITY:Z", "X-TODOTXT-T:2026-12-01",
      "X-TODOTXT-PROJECT:Other list", "X-A;B=\"c:d\":e f", "CATEGORIES;LANGUAGE=de:Haus", "PRIORITY:0", "CATEGORIES:",
      "X-TODOTXT-T:soon", "X-B:100%20",
    ]
    return all.filter { _ in chance(4) }
  }

  /// One non-empty line, trimmed.
  mutating func text() -> String {
    let words = [
      "x", "(A)", "2026-11-21", "2026-02-30", "+p", "@c", "+", "@", "due:2026-01-01", "due:never", "rec:1w",
      "t:2026-01-01",
      "pri:A", "uuid:1", "\u{2060}+p", "\u{2060}x", "belfry-text:x", "belfry-property:y", "a:b", "http://x.y/?z=1",
      "100%", "%20", "é", "e\u{301}",
      "\u{1F468}\u{200D}\u{1F469}", "\"q\"", "a,b;c", "\\", "\\n", "a\tb", "", "Milk", "buy", "\u{A0}y", "{", "]",
      "BEGIN:VTODO",
    ]
    let text = (0..<pick(1...6)).map { _ in pick(words) }.joined(separator: " ").trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? "Milk" : text
  }

  private mutating func notes() -> String {
    (0..<pick(1...3)).map { _ in text() }.joined(separator: "\n")
  }

  private mutating func day(_ days: Int) -> Date { (now + Double(days * 86_400 + pick(0...80_000))).wholeSeconds }

  private mutating func uuid() -> UUID { Sample.uuid("random \(generator.next())") }

  private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

  private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }
}
