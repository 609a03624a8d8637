import BelfryEngine
import BelfryModel

extension StoreConformance {
  static let deliveryQueries: [Case] = [
    Case("deliveries are visited by sink and list, from a number downwards") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        let lists = try ["One", "Two"].map { try transaction.addSampleList($0) }
        for list in lists { try transaction.addSampleItem(to: list.id) }
        for (minutes, item) in [Int64(1), 2, 1, 3].enumerated() {
          try transaction.addSampleMessage(about: item, at: minutes, sink: minutes == 2 ? "other" : "sink")
        }
        try transaction.add(
          Sample.groupMessage(), recipients: ["a", "b"], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
      }
      try fixture.open().read { view in
        func ids(_ query: DeliveryQuery) throws -> [Int64] {
          var ids: [Int64] = []
          try view.visitDeliveries(query) { delivery, message in
            try Check.equal(message.id, delivery.messageID, "the message's identity")
            ids.append(delivery.id)
            return .next
          }
          return ids
        }
        try Check.equal(ids(DeliveryQuery()), [6, 5, 4, 3, 2, 1], "all")
        try Check.equal(ids(DeliveryQuery(lists: [1])), [6, 5, 3, 1], "those of the items of a list")
        try Check.equal(ids(DeliveryQuery(lists: [2])), [6, 5, 2], "those of a list and its item")
        try Check.equal(ids(DeliveryQuery(lists: [1, 2, 7])), [6, 5, 3, 2, 1], "those of some lists")
        try Check.equal(ids(DeliveryQuery(lists: [])), [], "those of no list")
        try Check.equal(ids(DeliveryQuery(sink: "other")), [3], "those of a sink")
        try Check.equal(ids(DeliveryQuery(before: 5, limit: 2)), [4, 3], "two before a number")
        try Check.equal(ids(DeliveryQuery(lists: [1], before: 3, limit: 2)), [1], "those of a list before a number")
        let query = DeliveryQuery(state: .pending, sink: "mail", lists: [2], before: 6, limit: 1)
        try Check.equal(ids(query), [5], "the first of a state, sink and list before a number")
        try Check.equal(ids(DeliveryQuery(state: .dead, lists: [1])), [], "the dead ones of a list")
      }
    }
  ]
}
