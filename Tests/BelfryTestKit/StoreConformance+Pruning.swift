import BelfryModel
import Foundation

extension StoreConformance {
  static let pruning: [Case] = [
    Case("messages whose deliveries all ended before the cut-off are forgotten, others stay") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for item in 1...4 { try transaction.addSampleMessage(about: Int64(item), recipients: ["a", "b"]) }
      }
      try store.close(store.read { try $0.deliveries().filter { [1, 2, 3, 5].contains($0.id) } }, at: Sample.now)
      try store.close(store.read { try $0.deliveries().filter { $0.id == 6 } }, at: Sample.now + 60)
      // Messages 1 and 2 have ended; of 3 and 4 one delivery is open; of 5 and 6 one ended later; 7 and 8 are open.
      let count = try store.write { try $0.prune(endedBefore: Sample.now + 60, limit: 100) }
      try Check.that(count > 0, "nothing was said to be pruned")
      let reopened = try fixture.open()
      try Check.equal(reopened.read { try $0.deliveries().map(\.id) }, [8, 7, 6, 5, 4, 3], "the deliveries left")
      for item in 1...4 {
        let message = try reopened.read { try $0.message(id: Sample.message(itemID: Int64(item)).id) }
        try Check.equal(message == nil, item == 1, "whether the message about item \(item) is gone")
      }
      _ = try store.write { try $0.prune(endedBefore: Sample.now + 61, limit: 100) }
      try Check.equal(
        store.read { try $0.deliveries().map(\.id) }, [8, 7, 4, 3], "the deliveries left after the second")
    },
    Case("reminders that ended before the cut-off are forgotten, scheduled ones never") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
        for (index, state) in Reminder.State.allCases.enumerated() {
          try transaction.put(
            Sample.reminder(of: .item(1), at: index, state: state, changedAt: Sample.now - 1))
          try transaction.put(
            Sample.reminder(of: .item(1), at: 10 + index, state: state, changedAt: Sample.now))
        }
      }
      let count = try store.write { try $0.prune(endedBefore: Sample.now, limit: 100) }
      try Check.equal(count, 3, "how many rows went")
      let left = try fixture.open().read { try $0.reminders(of: .item(1)) }
      try Check.equal(left.count, 5, "how many are left")
      try Check.equal(
        left.filter { $0.changedAt < Sample.now }.map(\.state), [.scheduled], "the old ones that are left")
    },
    Case("pruning takes about so many at a time, and comes to an end") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for item in 1...20 { try transaction.addSampleMessage(about: Int64(item), recipients: ["a", "b"]) }
        for minutes in 1...20 {
          try transaction.put(Sample.reminder(of: .item(1), at: minutes, state: .fired, changedAt: Sample.now - 1))
        }
      }
      try store.close(store.read { try $0.deliveries() }, at: Sample.now - 1)
      var rounds = 0
      while try store.write({ try $0.prune(endedBefore: Sample.now, limit: 5) }) > 0 {
        rounds += 1
        try Check.that(rounds < 100, "pruning does not come to an end")
      }
      try Check.that(rounds >= 4, "the limit was passed over: \(rounds) rounds")
      try Check.equal(store.read { try $0.deliveries().count }, 0, "the deliveries left")
      try Check.equal(store.read { try $0.reminders(of: .item(1)).count }, 0, "the reminders left")
    },
    Case("items and lists are never pruned") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1, due: -9_999, isChecked: true)
        try transaction.setPlannedZone("Europe/Zurich")
      }
      try Check.equal(store.write { try $0.prune(endedBefore: .distantFuture, limit: 100) }, 0, "how many rows went")
      try Check.equal(store.read { try $0.items().count }, 1, "the items")
      try Check.equal(store.read { try $0.lists().count }, 1, "the lists")
      try Check.equal(store.read { try $0.plannedZone() }, "Europe/Zurich", "the zone")
    },
  ]
}
