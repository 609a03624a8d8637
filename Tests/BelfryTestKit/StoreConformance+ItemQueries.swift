import BelfryEngine
import BelfryModel
import Foundation
import RecurrenceRules

extension StoreConformance {
  static let itemQueries: [Case] = [
    Case("items come by due date, none last, then by list, then by place") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.addSampleList("b")
        let items: [(String, Int64, Int?)] = [
          ("i", 2, nil), ("g", 1, nil), ("h", 1, nil), ("e", 2, 5), ("c", 1, 5), ("d", 1, 5), ("a", 2, -1440),
          ("f", 1, 99_999), ("b", 2, 4),
        ]
        for (text, list, due) in items { try transaction.addSampleItem(text, to: list, due: due) }
      }
      let texts = try store.read { try $0.items().map(\.text).joined() }
      try Check.equal(texts, "abcdefghi", "the order")
      let first = try store.read { try $0.items(ItemQuery(checked: .any, limit: 4)).map(\.text).joined() }
      try Check.equal(first, "abcd", "the first four")
      let mixed = try store.read { try $0.items(ItemQuery(checked: .any, limit: 7)).map(\.text).joined() }
      try Check.equal(mixed, "abcdefg", "the first seven, an undated one among them")
      try Check.equal(store.read { try $0.items(ItemQuery(limit: 0)) }, [], "none")
    },
    Case("items come list by list and by place when asked to, whatever their marks and dates") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList("z")
        try transaction.addSampleList("empty")
        try transaction.addSampleList("a")
        let items: [(String, Int64, Int?, Bool)] = [
          ("a", 1, 9, false), ("e", 3, nil, true), ("b", 1, nil, true), ("f", 3, 1, false), ("c", 1, 2, false),
          ("d", 1, 1, true), ("g", 3, nil, true),
        ]
        for (text, list, due, isChecked) in items {
          try transaction.addSampleItem(text, to: list, due: due, isChecked: isChecked)
        }
      }
      try fixture.open().read { view in
        let texts = { try view.items($0).map(\.text).joined() }
        try Check.equal(texts(ItemQuery(checked: .any, order: .place)), "abcdefg", "all")
        try Check.equal(texts(ItemQuery(order: .place)), "acf", "the unchecked ones")
        try Check.equal(texts(ItemQuery(checked: .checked, order: .place)), "bdeg", "the checked ones")
        try Check.equal(texts(ItemQuery(listID: 3, checked: .any, order: .place)), "efg", "those of a list")
        try Check.equal(texts(ItemQuery(checked: .any, order: .place, limit: 5)), "abcde", "the first five")
        try Check.equal(texts(ItemQuery(checked: .any, dueBefore: Sample.now + 180, order: .place)), "cdf", "the early")
        let late = try texts(ItemQuery(checked: .any, dueFrom: Sample.now + 180))
        let all = try texts(ItemQuery(checked: .any))
        let dated = try texts(ItemQuery(checked: .any, dueBefore: .distantFuture))
        try Check.equal(late.sorted(), dated.filter { !"cdf".contains($0) }.sorted(), "those due from then on")
        try Check.equal(late, all.filter { late.contains($0) }, "their order")
      }
      try store.write { transaction in
        guard var last = try transaction.list(id: 3) else { return }
        last.position = 0
        try transaction.update(last)
      }
      let moved = try fixture.open().read { try $0.items(ItemQuery(checked: .any, order: .place)).map(\.text).joined() }
      try Check.equal(moved, "efgabcd", "all, the last list being the first")
    },
    Case("a query filters by list, mark and due date, in any combination") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.addSampleList("b")
        for list in [1, 2] as [Int64] {
          for due in [nil, -1, 0, 1] {
            for isChecked in [false, true] {
              try transaction.addSampleItem(
                "\(list)\(due.map { "\($0)" } ?? "–")\(isChecked ? "x" : "o")", to: list, due: due,
                isChecked: isChecked)
            }
          }
        }
      }
      try store.read { view in
        let all = try view.items()
        try Check.equal(all.count, 16, "the number of items")
        for listID in [nil, 1, 2, 3] as [Int64?] {
          for checked in [ItemQuery.Checked.any, .checked, .unchecked] {
            for dueBefore in [nil, Sample.now, Sample.now + 0.25, Sample.now + 60] {
              var query = ItemQuery(listID: listID, checked: checked, dueBefore: dueBefore)
              let expected = all.filter { query.matches($0) }
              try Check.equal(view.items(query), expected, "\(query)")
              query.order = .place
              let byPlace = expected.sorted { ($0.listID, $0.position) < ($1.listID, $1.position) }
              try Check.equal(view.items(query), byPlace, "\(query)")
            }
          }
        }
      }
    },
    Case("unchecked items are counted by list and due date") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.addSampleList("b")
        for due in [nil, -1, 0] { try transaction.addSampleItem(to: 1, due: due) }
        try transaction.addSampleItem(to: 1, due: -1, isChecked: true)
        try transaction.addSampleItem(to: 2, due: -5)
      }
      try store.read { view in
        try Check.equal(view.uncheckedCount(listID: nil, dueBefore: nil), 4, "all")
        try Check.equal(view.uncheckedCount(listID: 1, dueBefore: nil), 3, "on the list")
        try Check.equal(view.uncheckedCount(listID: 3, dueBefore: nil), 0, "on no list")
        try Check.equal(view.uncheckedCount(listID: nil, dueBefore: Sample.now), 2, "due before now")
        try Check.equal(view.uncheckedCount(listID: 1, dueBefore: Sample.now), 1, "on the list, due before now")
        try Check.equal(
          view.uncheckedCount(listID: 1, dueBefore: Sample.now + 0.25), 2, "due before a quarter of a second past")
      }
    },
    Case("events of calendars are asked for by themselves, and count nowhere as to-dos") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for name in ["a", "b"] { try transaction.addSampleList(name) }
        for (text, due, isChecked) in [("late", -1, false), ("over", -2, true), ("next", 9, false)] {
          var event = try transaction.addSampleItem("event \(text)", to: 1, due: due, isChecked: isChecked)
          event.properties = ["LOCATION:\"here\"", ItemContent.eventProperty]
          try transaction.update(event)
          try transaction.addSampleItem(text, to: 1, due: due, isChecked: isChecked)
        }
        var quoting = try transaction.addSampleItem("quoting", to: 2, due: -5)
        quoting.properties = ["X-A:\"\(ItemContent.eventProperty)\"", "X-\(ItemContent.eventProperty)"]
        try transaction.update(quoting)
      }
      try fixture.open().read { view in
        func texts(_ query: ItemQuery) throws -> [String] { try view.items(query).map(\.text) }
        try Check.equal(texts(ItemQuery()), ["quoting", "late", "next"], "the to-dos")
        try Check.equal(texts(ItemQuery(kind: .events)), ["event late", "event next"], "the events")
        try Check.equal(
          texts(ItemQuery(kind: .events, checked: .any, dueBefore: Sample.now, order: .place)),
          ["event late", "event over"], "the events of the past")
        try Check.equal(
          texts(ItemQuery(listID: 1, kind: .any, order: .place)), ["event late", "late", "event next", "next"], "both")
        try Check.equal(texts(ItemQuery(limit: 2)), ["quoting", "late"], "the first two")
        try Check.equal(view.uncheckedCount(listID: nil, dueBefore: nil), 3, "the unchecked")
        try Check.equal(view.uncheckedCount(listID: 1, dueBefore: nil), 2, "the unchecked of a list")
        try Check.equal(view.uncheckedCount(listID: nil, dueBefore: Sample.now), 2, "the overdue")
        try Check.equal(view.uncheckedCount(listID: 1, dueBefore: Sample.now), 1, "the overdue of a list")
        let summaries = try view.listSummaries(now: Sample.now)
        try Check.equal(summaries.map { [$0.items, $0.remaining, $0.overdue] }, [[3, 2, 1], [1, 1, 1]], "the lists")
        try Check.equal(view.listSummaries(of: 1, now: Sample.now), [summaries[0]], "one list")
        let counts = try view.counts()
        try Check.equal([counts.items, counts.unchecked], [4, 3], "the counts")
      }
    },
    Case("items that repeat can be asked for alone") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for due in [30, 10, 20] {
          var item = try transaction.addSampleItem("\(due)", to: 1, due: due, isChecked: due == 30)
          item.recurrence = Recurrence(rule: try RecurrenceRule("FREQ=DAILY"), start: try Sample.due(due).local)
          try transaction.update(item)
        }
        try transaction.addSampleItem("once", to: 1, due: 5)
        try transaction.addSampleItem("undated", to: 1)
      }
      try fixture.open().read { view in
        try Check.equal(view.items(ItemQuery(isRepeating: true)).map(\.text), ["10", "20"], "the unchecked ones")
        try Check.equal(
          view.items(ItemQuery(checked: .any, isRepeating: true, limit: 2)).map(\.text), ["10", "20"], "the first two")
        try Check.equal(
          view.items(ItemQuery(checked: .checked, isRepeating: true)).map(\.text), ["30"], "the checked one")
      }
    },
    Case("items with certain tags can be asked for alone, in any case") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        let tags = [["home"], [], ["Home", "\u{c9}t\u{e9}"], ["homes"], ["x", "HOME", "e\u{301}te\u{301}"]]
        for (index, names) in tags.enumerated() {
          var item = try transaction.addSampleItem("\(index)", to: 1, due: 9 - index)
          item.tags = try ItemTags(names)
          try transaction.update(item)
        }
      }
      try fixture.open().read { view in
        func texts(_ names: String..., order: ItemQuery.Order = .due, limit: Int? = nil) throws -> String {
          try view.items(ItemQuery(tags: ItemTags(names), order: order, limit: limit)).map(\.text).joined()
        }
        try Check.equal(texts("hoMe"), "420", "those at home")
        try Check.equal(texts("home", limit: 2), "42", "the first two")
        try Check.equal(texts("home", order: .place), "024", "by place")
        try Check.equal(texts("home", "\u{e9}t\u{e9}"), "42", "those with both")
        try Check.equal(texts("garden"), "", "none")
        try Check.equal(
          view.items().map(\.tags.names),
          [["x", "HOME", "e\u{301}te\u{301}"], ["homes"], ["Home", "\u{c9}t\u{e9}"], [], ["home"]], "as written")
      }
    },
    Case("items of a level of priority can be asked for alone") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for number in 0...9 as ClosedRange<Int64> {
          var item = try transaction.addSampleItem("\(number)", to: 1, due: 1)
          item.priority = ItemPriority(number: number)
          try transaction.update(item)
        }
      }
      try fixture.open().read { view in
        let texts = { (level: ItemPriority.Level?) in try view.items(ItemQuery(priority: level)).map(\.text).joined() }
        try Check.equal(texts(.high), "1234", "high")
        try Check.equal(texts(.medium), "5", "medium")
        try Check.equal(texts(.low), "6789", "low")
        try Check.equal(view.items().map(\.priority?.number), [nil, 1, 2, 3, 4, 5, 6, 7, 8, 9], "the exact numbers")
      }
    },
    Case("what a visitor throws ends the visit and comes out") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...3 { try transaction.addSampleItem(to: 1) }
      }
      var seen = 0
      try Check.throwsError(.refused) {
        try store.read { view in
          try view.forEachItem(ItemQuery()) { _ in
            seen += 1
            if seen == 2 { throw BelfryError(.refused, "enough") }
          }
        }
      }
      try Check.equal(seen, 2, "the items seen")
      try Check.equal(store.read { try $0.items().count }, 3, "the items after that")
    },
    Case("a visit ends where its body says so") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for due in [1, 2, nil, nil] { try transaction.addSampleItem(to: 1, due: due) }
        for due in 1...3 { try transaction.put(Sample.reminder(of: .item(1), at: due)) }
        try transaction.addSampleMessage(about: 1, recipients: ["a", "b", "c"])
        for identity in ["a", "b", "c"] { _ = try transaction.add(Sample.answer(identity)) }
      }
      try store.read { view in
        for most in 1...3 {
          var seen = 0
          func count() -> VisitResult {
            seen += 1
            return seen == most ? .stop : .next
          }
          for order in [ItemQuery.Order.due, .place] {
            seen = 0
            try view.visitItems(ItemQuery(order: order)) { _ in count() }
            try Check.equal(seen, most, "the items seen, by \(order)")
          }
          seen = 0
          try view.visitPending(limit: nil) { _ in count() }
          try Check.equal(seen, most, "the reminders seen")
          seen = 0
          try view.visitDeliveries(DeliveryQuery()) { _, _ in count() }
          try Check.equal(seen, most, "the deliveries seen")
          seen = 0
          try view.visitAnswers(limit: nil) { _ in count() }
          try Check.equal(seen, most, "the answers seen")
        }
        try Check.equal(view.items().count, 4, "the items after that")
      }
    },
    Case("a visit inside a visit sees everything") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...3 { try transaction.addSampleItem(to: 1, due: 5) }
      }
      var pairs: [[Int64]] = []
      try store.read { view in
        try view.forEachItem(ItemQuery()) { outer in
          _ = try view.item(id: outer.item.id)
          try view.forEachItem(ItemQuery()) { pairs.append([outer.item.id, $0.item.id]) }
        }
      }
      try Check.equal(
        pairs, [1, 2, 3].flatMap { outer in [1, 2, 3].map { [outer, $0] } }, "the pairs")
    },
  ]
}

extension ItemQuery {
  /// True if an item matches the query, apart from its limit.
  fileprivate func matches(_ item: Item) -> Bool {
    if let listID, item.listID != listID { return false }
    if checked != .any, item.isChecked != (checked == .checked) { return false }
    guard let dueBefore else { return true }
    guard let due = item.due else { return false }
    return due.instant.date < dueBefore
  }
}
