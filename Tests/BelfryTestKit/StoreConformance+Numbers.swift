import BelfryEngine
import BelfryModel
import Foundation

extension StoreConformance {
  private struct Refused: Error {}

  static let numbers: [Case] = [
    Case("the number of changes, where there is one, grows with each change that is kept, and with nothing else") {
      fixture in
      let store = try fixture.open()
      guard var last = try store.read({ try $0.changeNumber() }) else { return }
      func expectNext(_ isHigher: Bool, _ what: String) throws {
        let number = try Check.present(try fixture.open().read { try $0.changeNumber() }, "the number after \(what)")
        try Check.equal(number > last, isHigher, "a higher number after \(what): \(number), not \(last)")
        if !isHigher { try Check.equal(number, last, "the number after \(what)") }
        last = number
      }
      let list = try store.write { try $0.addSampleList() }
      try expectNext(true, "a new list")
      try store.write { _ = try $0.addSampleItem(to: list.id) }
      try expectNext(true, "a new item")
      _ = try store.read { try $0.lists() }
      try store.write { _ = try $0.lists() }
      try expectNext(false, "readings")
      try? store.write { transaction in
        try transaction.deleteItem(id: 1)
        throw Refused()
      }
      try expectNext(false, "a change that failed")
      try store.write { try $0.removeEverything() }
      try expectNext(true, "the removal of everything")
    },
    Case("the first item is number 1 and each further one gets the next number") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.counters().nextItemID }, 0, "the next number of a new store")
      let ids = try store.write { transaction in
        let list = try transaction.addSampleList()
        return try (1...3).map { try transaction.addSampleItem("\($0)", to: list.id).id }
      }
      try Check.equal(ids, [1, 2, 3], "the numbers in one change")
      let further = try store.write { try $0.addSampleItem(to: 1).id }
      try Check.equal(further, 4, "the number in the next change")
      try Check.equal(store.read { try $0.counters().nextItemID }, 5, "the next number")
    },
    Case("an item's number is not used again after it was deleted, nor after reopening") { fixture in
      try fixture.open().write { transaction in
        let list = try transaction.addSampleList()
        for _ in 1...3 { try transaction.addSampleItem(to: list.id) }
        try transaction.deleteItem(id: 3)
        try transaction.deleteItem(id: 2)
        try transaction.deleteItem(id: 1)
      }
      let id = try fixture.open().write { try $0.addSampleItem(to: 1).id }
      try Check.equal(id, 4, "the number after a deletion")
    },
    Case("a change that failed gives no number away") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
      }
      try? store.write { transaction in
        for _ in 1...5 { try transaction.addSampleItem(to: 1) }
        throw Refused()
      }
      try Check.equal(store.read { try $0.counters().nextItemID }, 2, "the next number")
      try Check.equal(store.write { try $0.addSampleItem(to: 1).id }, 2, "the number after a failed change")
    },
    Case("an item that cannot be made takes no number, also where its change goes on without it") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for preferredID in [nil, 500] as [Int64?] {
          _ = try? transaction.addItem(listID: 1, preferredID: preferredID) { _, _ in throw Refused() }
        }
        try transaction.addSampleItem("kept", to: 1)
      }
      try Check.equal(store.read { try $0.items().map(\.text) }, ["kept"], "what is kept")
      try Check.equal(store.read { try $0.items().map(\.id) }, [1], "its number")
      try Check.equal(store.read { try $0.counters().nextItemID }, 2, "the next number")
    },
    Case("a preferred number is kept, and the next one comes after the highest") { fixture in
      let store = try fixture.open()
      let ids = try store.write { transaction in
        try transaction.addSampleList()
        return try [40, 7, nil, 12, nil].map { try transaction.addSampleItem(to: 1, preferredID: $0).id }
      }
      try Check.equal(ids, [40, 7, 41, 12, 42], "the numbers")
      try Check.equal(fixture.open().read { try $0.counters().nextItemID }, 43, "the next number")
      try Check.equal(store.read { try $0.items().map(\.id) }, [40, 7, 41, 12, 42], "the items in list order")
    },
    Case("number 0 can come in, and the next one is then 1") { fixture in
      let store = try fixture.open()
      let ids = try store.write { transaction in
        try transaction.addSampleList()
        return try [0, nil].map { try transaction.addSampleItem(to: 1, preferredID: $0).id }
      }
      try Check.equal(ids, [0, 1], "the numbers")
      try Check.equal(Check.present(store.read { try $0.item(id: 0) }, "item 0").item.id, 0)
    },
    Case("a list's number is not used again after it was deleted, nor after reopening") { fixture in
      try fixture.open().write { transaction in
        let ids = try ["a", "b", "c"].map { try transaction.addSampleList($0).id }
        try Check.equal(ids, [1, 2, 3], "the lists' numbers")
        try transaction.deleteList(id: 3)
        try transaction.deleteList(id: 2)
      }
      let id = try fixture.open().write { try $0.addSampleList("d").id }
      try Check.equal(id, 4, "the number after a deletion")
    },
    Case("a delivery's number is not used again after it was pruned, nor after reopening") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
        try transaction.addSampleMessage(about: 1, at: 0)
      }
      try store.close(try store.read { try $0.deliveries() })
      _ = try store.write { try $0.prune(endedBefore: .distantFuture, limit: 10) }
      try Check.equal(store.read { try $0.deliveries().count }, 0, "the count after pruning")
      try fixture.open().write { _ = try $0.addSampleMessage(about: 1, at: 1) }
      try Check.equal(store.read { try $0.deliveries().map(\.id) }, [2], "the numbers after pruning")
    },
  ]
}

extension ItemStore {
  /// Marks deliveries as delivered at an instant.
  func close(_ deliveries: [Delivery], at instant: Date = Sample.now) throws {
    try write { transaction in
      for var delivery in deliveries {
        delivery.state = .delivered
        delivery.nextAttemptAt = nil
        delivery.closedAt = instant
        try transaction.update(delivery)
      }
    }
  }
}
