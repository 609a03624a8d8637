import BelfryEngine
import BelfryModel
import CivilTime
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
        var item = variant
        (item.id, item.uuid, item.createdAt) = (1, Sample.uuid("item 1"), Sample.now)
        item.position += 7
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
    Case("the place behind the last item follows what the same change has deleted and moved away") { fixture in
      try fixture.open().write { transaction in
        for name in ["a", "b"] { try transaction.addSampleList(name) }
        for text in ["1", "2", "3"] { try transaction.addSampleItem(text, to: 1) }
        try Check.equal(transaction.endPosition(listID: 1), 4, "the place behind three")
        try transaction.deleteItem(id: 3)
        try Check.equal(transaction.endPosition(listID: 1), 3, "the place behind what was deleted")
        var moved = try Check.present(transaction.item(id: 2)).item
        moved.listID = 2
        moved.position = try transaction.endPosition(listID: 2)
        try transaction.update(moved)
        try Check.equal(transaction.endPosition(listID: 1), 2, "the place behind what was moved away")
        try Check.equal(transaction.endPosition(listID: 2), 2, "the place behind what came")
        try Check.equal(transaction.addSampleItem("4", to: 1).position, 2, "the place given")
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
      try store.read { try $0.forEachItem(ItemQuery()) { dates.append($0.nextFireDate) } }
      try Check.equal(dates, [Sample.fireDate(20), nil], "the next fire dates")
    },
  ]
}

extension Sample {
  /// Items 1, 2, … that together set and omit every field.
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
        nag: CalendarDuration(days: 0, minutes: 15), category: "bills", key: "rent",
        properties: ["X-A;X-B=c:d"], createdAt: now - 86_400, updatedAt: now - 1, checkedAt: now),
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
