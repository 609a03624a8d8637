import BelfryCore
import Foundation
import RecurrenceRules

extension StoreConformance {
  static let items: [Case] = [
    Case("an item keeps every field") { fixture in
      let store = try fixture.open()
      let variants = try Sample.itemVariants()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.addSampleList("b")
        for item in variants {
          let kept = try transaction.addItem(listID: item.listID, preferredID: nil) { id, position in
            try Check.equal(id, item.id, "the number given")
            try Check.equal(position, item.position, "the place given")
            return item
          }
          try Check.equal(kept, item, "the item as it was kept")
        }
      }
      let reopened = try fixture.open()
      for item in variants {
        let listing = try Check.present(reopened.read { try $0.item(id: item.id) }, "item \(item.id)")
        try Check.equal(listing.item, item, "item \(item.id)")
        try Check.equal(listing.listName, item.listID == 1 ? "a" : "b", "the list's name")
        try Check.equal(reopened.read { try $0.item(uuid: item.uuid) }, listing, "item \(item.id) by identity")
      }
      try Check.equal(reopened.read { try $0.item(id: 99) }, nil, "an item that is not there")
      try Check.equal(reopened.read { try $0.item(uuid: Sample.uuid("none")) }, nil, "an item that is not there")
    },
    Case("an update replaces every field that can change") { fixture in
      let store = try fixture.open()
      let variants = try Sample.itemVariants()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.addSampleList("b")
        try transaction.addSampleItem(to: 1)
      }
      for variant in variants {
        let item = Item(
          id: 1, uuid: Sample.uuid("item 1"), listID: variant.listID, position: variant.position + 7,
          text: variant.text, notes: variant.notes, isChecked: variant.isChecked, due: variant.due,
          zone: variant.zone, shouldRemind: variant.shouldRemind, alerts: variant.alerts,
          recurrence: variant.recurrence, lastChecked: variant.lastChecked, nag: variant.nag,
          category: variant.category, createdAt: Sample.now, updatedAt: variant.updatedAt,
          checkedAt: variant.checkedAt)
        try store.write { try $0.update(item) }
        try Check.equal(fixture.open().read { try $0.item(id: 1)?.item }, item, "the item")
      }
      try Check.equal(store.read { try $0.items().count }, 1, "the number of items")
    },
    Case("a deleted item is gone from everywhere but the record") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem("a", to: 1, due: 10)
        try transaction.addSampleItem("b", to: 1)
        try transaction.put(Sample.reminder(of: .item(1), at: 10, state: .cancelled))
        try transaction.put(Sample.reminder(of: .item(1), at: 5, state: .fired))
        try transaction.addSampleMessage(about: 1)
        try transaction.deleteItem(id: 1)
      }
      let reopened = try fixture.open()
      try reopened.read { view in
        try Check.equal(view.item(id: 1), nil, "the item by number")
        try Check.equal(view.item(uuid: Sample.uuid("item 1")), nil, "the item by identity")
        try Check.equal(view.items().map(\.text), ["b"], "the items")
        try Check.equal(view.uncheckedCount(listID: nil, dueBefore: nil), 1, "the unchecked items")
        try Check.equal(
          Set(view.reminders(of: .item(1)).map(\.state)), [.cancelled, .fired], "the states of its reminders")
        try Check.equal(view.deliveries().count, 1, "the deliveries about it")
      }
    },
    Case("a new item comes at the end of its list, behind checked ones too") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.addSampleList("b")
        try transaction.addSampleItem("1", to: 1)
        try transaction.addSampleItem("2", to: 1, isChecked: true)
        try transaction.addSampleItem("other", to: 2)
        try transaction.addSampleItem("3", to: 1)
        var moved = try Check.present(transaction.item(id: 1)).item
        moved.listID = 2
        moved.position = try transaction.endPosition(listID: 2)
        try transaction.update(moved)
        try transaction.addSampleItem("4", to: 1)
        try transaction.addSampleItem("5", to: 2)
      }
      try fixture.open().read { view in
        let texts = try [1, 2].map { try view.items(ItemQuery(listID: $0, checked: .any)).map(\.text) }
        try Check.equal(texts, [["2", "3", "4"], ["other", "1", "5"]], "the items in list order")
      }
    },
    Case("an item's next fire date is that of its first scheduled reminder") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...2 { try transaction.addSampleItem(to: 1) }
        try transaction.put(Sample.reminder(of: .item(1), at: 30))
        try transaction.put(Sample.reminder(of: .item(1), at: 20))
        try transaction.put(Sample.reminder(of: .item(1), at: 10, state: .fired))
        try transaction.put(Sample.reminder(of: .list(1), at: 5))
      }
      try Check.equal(store.read { try $0.item(id: 1)?.nextFireDate }, Sample.fireDate(20), "the next fire date")
      try Check.equal(store.read { try $0.item(id: 2)?.nextFireDate }, nil, "the next fire date")
      var dates: [FireDate?] = []
      try store.read { try $0.visitItems(ItemQuery()) { dates.append($0.nextFireDate) } }
      try Check.equal(dates, [Sample.fireDate(20), nil], "the next fire dates")
    },
  ]

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
              let query = ItemQuery(listID: listID, checked: checked, dueBefore: dueBefore)
              let expected = all.filter { query.matches($0) }.map(\.text)
              try Check.equal(view.items(query).map(\.text), expected, "\(query)")
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
    Case("what a visitor throws ends the visit and comes out") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...3 { try transaction.addSampleItem(to: 1) }
      }
      var seen = 0
      try Check.throwsError(.refused) {
        try store.read { view in
          try view.visitItems(ItemQuery()) { _ in
            seen += 1
            if seen == 2 { throw BelfryError(.refused, "enough") }
          }
        }
      }
      try Check.equal(seen, 2, "the items seen")
      try Check.equal(store.read { try $0.items().count }, 3, "the items after that")
    },
    Case("a visit inside a visit sees everything") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...3 { try transaction.addSampleItem(to: 1, due: 5) }
      }
      var pairs: [[Int64]] = []
      try store.read { view in
        try view.visitItems(ItemQuery()) { outer in
          _ = try view.item(id: outer.item.id)
          try view.visitItems(ItemQuery()) { pairs.append([outer.item.id, $0.item.id]) }
        }
      }
      try Check.equal(
        pairs, [1, 2, 3].flatMap { outer in [1, 2, 3].map { [outer, $0] } }, "the pairs")
    },
  ]
}

extension ItemQuery {
  /// Whether an item is among what is asked for, limit aside.
  fileprivate func matches(_ item: Item) -> Bool {
    if let listID, item.listID != listID { return false }
    if checked != .any, item.isChecked != (checked == .checked) { return false }
    guard let dueBefore else { return true }
    guard let due = item.due else { return false }
    return due.instant.date < dueBefore
  }
}

extension Sample {
  /// Items 1, 2, … that between them fill and leave open every field.
  fileprivate static func itemVariants() throws -> [Item] {
    let lead = [CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 1_440), .zero]
    return [
      item(id: 1),
      Item(
        id: 2, uuid: uuid("item 2"), listID: 2, position: 1, text: "Pay rent", notes: "two\nlines\tand a tab",
        isChecked: true, due: try due(90), zone: .fixed("America/New_York"), shouldRemind: true, alerts: lead,
        recurrence: Recurrence(
          rule: try RecurrenceRule("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1"), start: try due(90).local, origin: .done),
        lastChecked: CheckedOccurrence(due: try due(10).local, start: try due(5).local),
        nag: CalendarDuration(days: 0, minutes: 15), category: "bills", createdAt: now - 86_400, updatedAt: now - 1,
        checkedAt: now),
      Item(
        id: 3, uuid: uuid("item 3"), listID: 1, position: 2, text: "x", notes: " ", due: try due(-90),
        shouldRemind: false, alerts: [CalendarDuration(days: 2, minutes: 90)],
        recurrence: Recurrence(
          rule: try RecurrenceRule("FREQ=DAILY;UNTIL=20270101T000000Z"), start: try due(-1_530).local),
        nag: CalendarDuration(days: 1, minutes: 0), createdAt: now, updatedAt: now + 3),
      Item(
        id: 4, uuid: uuid("item 4"), listID: 1, position: 3, text: "no date", zone: .fixed("UTC"), shouldRemind: true,
        alerts: [.zero, CalendarDuration(days: 0, minutes: 10)], createdAt: now, updatedAt: now),
    ]
  }
}
