import BelfryModel
import Foundation
import RecurrenceRules

extension StoreConformance {
  static let lists: [Case] = [
    Case("a list is found by number, by identity and by name") { fixture in
      let store = try fixture.open()
      let list = try store.write { transaction in
        try transaction.addSampleList("Other")
        return try transaction.addSampleList("Groceries")
      }
      let reopened = try fixture.open()
      try Check.equal(reopened.read { try $0.list(id: list.id) }, list, "the list by number")
      try Check.equal(reopened.read { try $0.list(uuid: list.uuid) }, list, "the list by identity")
      try Check.equal(reopened.read { try $0.list(named: "Groceries") }, list, "the list by name")
      try Check.equal(reopened.read { try $0.list(id: 99) }, nil, "a list that is not there")
      try Check.equal(reopened.read { try $0.list(uuid: Sample.uuid("none")) }, nil, "a list that is not there")
      try Check.equal(reopened.read { try $0.list(named: "Grocerie") }, nil, "a list that is not there")
    },
    Case("names are compared without regard to case, in every script, and kept as they were written") { fixture in
      let names = ["Groceries", "ÄRGER und Öl", "ЖУРНАЛ дел", "Ελληνικά", "Ǆungla"]
      let store = try fixture.open()
      try store.write { transaction in
        for name in names { try transaction.addSampleList(name) }
      }
      let reopened = try fixture.open()
      for (index, name) in names.enumerated() {
        for spelling in [name, name.uppercased(), name.lowercased()] {
          let found = try Check.present(reopened.read { try $0.list(named: spelling) }, "'\(spelling)'")
          try Check.equal(found.id, Int64(index + 1), "the list '\(spelling)'")
          try Check.sameBytes(found.name, name, "the name")
        }
      }
    },
    Case("a name has the same key composed and decomposed, and is kept byte for byte") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleList("Cafe\u{301}") }
      let found = try Check.present(store.read { try $0.list(named: "CAF\u{c9}") }, "the list")
      try Check.sameBytes(found.name, "Cafe\u{301}", "the name")
    },
    Case("lists come in the order in which they were made, whatever they are called later") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for name in ["b", "c", "a"] { try transaction.addSampleList(name) }
        var first = try Check.present(transaction.list(id: 1))
        first.name = "z"
        try transaction.update(first)
      }
      try Check.equal(fixture.open().read { try $0.lists().map(\.name) }, ["z", "c", "a"], "the names")
    },
    Case("a list that was renamed is found by its new name only, also when only the case changed") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        var list = try transaction.addSampleList("Old")
        list.name = "New"
        list.updatedAt = Sample.now + 5
        try transaction.update(list)
      }
      try Check.equal(store.read { try $0.list(named: "old") }, nil, "the old name")
      let renamed = try Check.present(store.read { try $0.list(named: "new") }, "the new name")
      try Check.equal(renamed.updatedAt, Sample.now + 5, "the time of the change")
      try Check.equal(renamed.createdAt, Sample.now, "the time of making")
      try store.write { transaction in
        var list = renamed
        list.name = "NEW"
        try transaction.update(list)
      }
      try Check.equal(store.read { try $0.list(named: "new")?.name }, "NEW", "the name")
    },
    Case("a deleted list is gone, and its name is free") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList("a")
        try transaction.deleteList(id: 1)
        try Check.equal(transaction.list(named: "a"), nil, "the deleted list")
        _ = try transaction.addList(name: "A", uuid: Sample.uuid("other"), at: Sample.now)
      }
      try Check.equal(fixture.open().read { try $0.lists().map(\.name) }, ["A"], "the names")
    },
    Case("a list's colour, icon and place are kept and go, and lists are in the order of their places") { fixture in
      let store = try fixture.open()
      try store.write { transaction in for name in ["a", "b", "c"] { try transaction.addSampleList(name) } }
      try store.write { transaction in
        var list = try Check.present(transaction.list(id: 3))
        (list.color, list.icon) = (try ListColor(parsing: "#Abc"), try ListIcon(parsing: "\u{1F6D2}"))
        list.position = -1
        try transaction.update(list)
        try Check.equal(transaction.lists().map(\.id), [3, 1, 2], "the order inside")
      }
      let kept = try Check.present(fixture.open().read { try $0.list(id: 3) })
      try Check.equal(kept.color?.hex, "#aabbcc", "the colour")
      try Check.equal(kept.icon?.text, "\u{1F6D2}", "the icon")
      try Check.equal(fixture.open().read { try $0.lists().map(\.id) }, [3, 1, 2], "the order")
      try Check.equal(
        fixture.open().read { try $0.listSummaries(now: Sample.now).map(\.list.id) }, [3, 1, 2], "the summaries")
      try store.write { transaction in
        var list = kept
        (list.color, list.icon, list.position) = (nil, nil, list.id)
        try transaction.update(list)
      }
      let plain = try Check.present(fixture.open().read { try $0.list(id: 3) })
      try Check.equal(plain.color == nil && plain.icon == nil, true, "that colour and icon are gone")
      try Check.equal(fixture.open().read { try $0.lists().map(\.id) }, [1, 2, 3], "the order")
    },
    Case("a list's own reminder keeps every field, and goes") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleList() }
      let due = try Sample.due(90)
      for reminder in [
        ListReminder(
          due: due, zone: .fixed("Europe/Zurich"),
          recurrence: Recurrence(
            rule: try RecurrenceRule("FREQ=WEEKLY;BYDAY=SA;COUNT=9"), start: due.local.adding(days: -7)),
          message: "Shop – jetzt!", category: "shopping"),
        ListReminder(due: due, zone: .floating), nil,
      ] {
        try store.write { transaction in
          var list = try Check.present(transaction.list(id: 1))
          list.reminder = reminder
          try transaction.update(list)
        }
        try Check.equal(fixture.open().read { try $0.list(id: 1)?.reminder }, reminder, "the reminder")
      }
    },
  ]

  static let summaries: [Case] = [
    Case("a summary counts items, unchecked and overdue ones of each list") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for name in ["a", "b", "c"] { try transaction.addSampleList(name) }
        try transaction.addSampleItem(to: 1, due: -1)
        try transaction.addSampleItem(to: 1, due: 0)
        try transaction.addSampleItem(to: 1, due: -1, isChecked: true)
        try transaction.addSampleItem(to: 1)
        try transaction.addSampleItem(to: 2, isChecked: true)
      }
      let summaries = try store.read { try $0.listSummaries(now: Sample.now) }
      try Check.equal(summaries.map(\.list.name), ["a", "b", "c"], "the lists")
      try Check.equal(summaries.map(\.items), [4, 1, 0], "the items")
      try Check.equal(summaries.map(\.remaining), [3, 0, 0], "the unchecked items")
      try Check.equal(summaries.map(\.overdue), [1, 0, 0], "what was due before now")
      let later = try store.read { try $0.listSummaries(now: Sample.now + 0.5) }
      try Check.equal(later.map(\.overdue), [2, 0, 0], "what was due before half a second past")
      let apart = try store.read { view in
        try (1...4 as ClosedRange<Int64>).map { try view.listSummaries(of: $0, now: Sample.now) }
      }
      try Check.equal(apart, summaries.map { [$0] } + [[]], "the summaries of one list each")
    },
    Case("a summary names the next reminder of a list or of an item on it") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for name in ["a", "b", "c"] { try transaction.addSampleList(name) }
        for list in [1, 1, 2] as [Int64] { try transaction.addSampleItem(to: list) }
        try transaction.put(Sample.reminder(of: .item(1), at: 30))
        try transaction.put(Sample.reminder(of: .item(2), at: 20))
        try transaction.put(Sample.reminder(of: .item(2), at: 10, state: .cancelled))
        try transaction.put(Sample.reminder(of: .list(2), at: 5))
        try transaction.put(Sample.reminder(of: .item(3), at: 6))
      }
      let dates = try store.read { try $0.listSummaries(now: Sample.now).map(\.nextFireDate) }
      let apart = try store.read { view in
        try (1...3 as ClosedRange<Int64>).flatMap { try view.listSummaries(of: $0, now: Sample.now) }
      }
      try Check.equal(apart.map(\.nextFireDate), dates, "the next reminders of one list each")
      try Check.equal(dates, [Sample.fireDate(20), Sample.fireDate(5), nil], "the next fire dates")
    },
  ]
}
