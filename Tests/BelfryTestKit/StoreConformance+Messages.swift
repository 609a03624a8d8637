import BelfryModel
import Foundation

extension StoreConformance {
  static let messages: [Case] = [
    Case("a message keeps its content, every reminder of it, and its identity") { fixture in
      let store = try fixture.open()
      let single = try Sample.message(text: "Milk \"fresh\" \\ 100 % \u{1F95B}", sink: "chat")
      let group = try Sample.groupMessage()
      try store.write { transaction in
        try transaction.add(single, recipients: [nil], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
        try transaction.add(
          group, recipients: ["a@example.org"], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
      }
      let reopened = try fixture.open()
      for message in [single, group] {
        try Check.equal(reopened.read { try $0.message(id: message.id) }, message, "the message")
      }
      try Check.equal(reopened.read { try $0.message(id: Sample.uuid("none")) }, nil, "an unknown message")
    },
    Case("a message keeps the key and the expiry of its tokens, and whether it can be withdrawn") { fixture in
      let store = try fixture.open()
      let tokens = [
        MessageTokens(key: 0, expiry: 0), MessageTokens(key: 31, expiry: 0xff_ffff),
        MessageTokens(key: 7, expiry: 60_500), nil,
      ]
      try Check.equal(store.read { try $0.hasMessageWithTokens() }, false, "whether there are tokens at first")
      try store.write { _ = try $0.addSampleMessage(about: 1, at: 99) }
      try Check.equal(store.read { try $0.hasMessageWithTokens() }, false, "whether a message without them counts")
      for (index, tokens) in tokens.enumerated() {
        let plain = try Sample.message(at: index)
        let message = Message(
          id: plain.id, sink: plain.sink, contents: plain.contents, createdAt: plain.createdAt, tokens: tokens,
          isWithdrawable: index.isMultiple(of: 2))
        try store.write {
          _ = try $0.add(message, recipients: [nil], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
        }
        let kept = try Check.present(fixture.open().read { try $0.message(id: plain.id) })
        try Check.equal(kept, message, "the message")
        try Check.equal(kept.tokens, tokens, "what its tokens are made with")
        try Check.equal(fixture.open().read { try $0.hasMessageWithTokens() }, true, "whether there are tokens")
        try Check.equal(kept.isWithdrawable, index.isMultiple(of: 2), "whether it can be withdrawn")
      }
    },
    Case("each recipient gets a pending delivery of its own, due when the message is claimed") { fixture in
      let store = try fixture.open()
      let message = try Sample.message(at: -3, sink: "mail")
      let added = try store.write { transaction in
        try transaction.add(
          message, recipients: ["a@example.org", "b@example.org"], fireDate: Sample.fireDate(-3),
          permittedFrom: Sample.now)
          + transaction.add(
            Sample.message(at: -2, sink: "chat"), recipients: [nil], fireDate: Sample.fireDate(-2),
            permittedFrom: Sample.now)
      }
      let reopened = try fixture.open()
      let expected = try [(1, "mail", "a@example.org", -3), (2, "mail", "b@example.org", -3), (3, "chat", nil, -2)].map
      {
        (id: Int64, sink: String, recipient: String?, minutes: Int) in
        Delivery(
          id: id, messageID: try Sample.message(at: minutes, sink: sink).id, sink: sink, recipient: recipient,
          fireDate: try Sample.fireDate(minutes), permittedFrom: Sample.now,
          nextAttemptAt: Sample.now)
      }
      try Check.equal(added, expected, "the deliveries as they were added")
      try Check.equal(reopened.read { try $0.deliveries() }, expected.reversed(), "the deliveries, newest first")
      for delivery in expected {
        try Check.equal(reopened.read { try $0.delivery(id: delivery.id) }, delivery, "delivery \(delivery.id)")
      }
      try Check.equal(reopened.read { try $0.delivery(id: 99) }, nil, "an unknown delivery")
    },
    Case("a delivery that was put off is first tried when it is permitted") { fixture in
      let store = try fixture.open()
      let added = try store.write {
        try $0.add(
          Sample.message(), recipients: [nil], fireDate: Sample.fireDate(), permittedFrom: Sample.now + 3_600)
      }
      let delivery = try Check.present(store.read { try $0.delivery(id: 1) })
      try Check.equal(added, [delivery], "the delivery as it was added")
      try Check.equal(delivery.nextAttemptAt, Sample.now + 3_600, "the first attempt")
      try Check.equal(delivery.permittedFrom, Sample.now + 3_600, "the instant from which it is permitted")
      try Check.equal(delivery.fireDate, Sample.fireDate(), "the fire date")
    },
    Case("an update replaces every field of a delivery that can change") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1, recipients: ["a", "b"]) }
      var delivery = try Check.present(store.read { try $0.delivery(id: 1) })
      for (attempts, state) in Delivery.State.allCases.enumerated() {
        delivery.state = state
        delivery.attempts = attempts
        delivery.permittedFrom = Sample.now + Double(attempts)
        delivery.nextAttemptAt = state == .pending ? Sample.now + 30 : nil
        delivery.lastAttemptAt = Sample.now + Double(10 * attempts)
        delivery.closedAt = state == .pending ? nil : Sample.now + 60
        delivery.lastError = attempts == 1 ? nil : "450 4.2.1 «busy», \u{1F614}"
        try store.write { try $0.update(delivery) }
        try Check.equal(fixture.open().read { try $0.delivery(id: 1) }, delivery, "the delivery")
      }
      try Check.equal(store.read { try $0.delivery(id: 2)?.attempts }, 0, "the other recipient's attempts")
    },
    Case("a pending delivery is closed as delivered, one attempt later and without its error") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1, recipients: ["a", "b"]) }
      var delivery = try Check.present(store.read { try $0.delivery(id: 1) })
      (delivery.attempts, delivery.lastError) = (2, "busy")
      try store.write { try $0.update(delivery) }
      let isClosed = try store.write {
        try $0.closeDelivered(by: Sample.success(1, at: Sample.now + 10), at: Sample.now + 12)
      }
      try Check.equal(isClosed, true, "whether it was pending")
      (delivery.state, delivery.attempts, delivery.lastError) = (.delivered, 3, nil)
      (delivery.nextAttemptAt, delivery.lastAttemptAt, delivery.closedAt) = (nil, Sample.now + 10, Sample.now + 12)
      try Check.equal(fixture.open().read { try $0.delivery(id: 1) }, delivery, "the delivery")
      try Check.equal(store.read { try $0.delivery(id: 2)?.state }, .pending, "the other recipient's")
    },
    Case("what is closed already, or unknown, is not closed as delivered") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1) }
      for state in Delivery.State.allCases where state != .pending {
        var delivery = try Check.present(store.read { try $0.delivery(id: 1) })
        (delivery.state, delivery.closedAt, delivery.nextAttemptAt) = (state, Sample.now + 5, nil)
        let isClosed = try store.write { transaction in
          try transaction.update(delivery)
          return try transaction.closeDelivered(by: Sample.success(1, at: Sample.now + 10), at: Sample.now + 12)
        }
        try Check.equal(isClosed, false, "whether one that is \(state.name) was pending")
        try Check.equal(fixture.open().read { try $0.delivery(id: 1) }, delivery, "the delivery")
      }
      let isClosed = try store.write { try $0.closeDelivered(by: Sample.success(99), at: Sample.now) }
      try Check.equal(isClosed, false, "whether an unknown one was pending")
    },
  ]

  static let deliveries: [Case] = [
    Case("deliveries are visited newest first, by state and limit, each with its message") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for minutes in 1...4 { try transaction.addSampleMessage(about: 1, at: minutes) }
      }
      try store.close(store.read { try [$0.delivery(id: 2), $0.delivery(id: 3)].compactMap { $0 } })
      try fixture.open().read { view in
        try Check.equal(view.deliveries().map(\.id), [4, 3, 2, 1], "all")
        try Check.equal(view.deliveries(limit: 2).map(\.id), [4, 3], "the newest two")
        try Check.equal(view.deliveries(.pending).map(\.id), [4, 1], "the pending ones")
        try Check.equal(view.deliveries(.delivered, limit: 1).map(\.id), [3], "the newest delivered one")
        try Check.equal(view.deliveries(.dead), [], "the dead ones")
        try view.forEachDelivery(state: nil, limit: nil) { delivery, message in
          try Check.equal(message.id, delivery.messageID, "the message's identity")
          try Check.equal(message, try Sample.message(at: Int(delivery.id)), "the message")
        }
      }
    },
    Case("what can be tried comes by next attempt, then number, up to and with the instant") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for (index, minutes) in [-1, -5, -5, 0, 1].enumerated() {
          try transaction.addSampleMessage(about: Int64(index), at: minutes)
        }
        try transaction.addSampleMessage(about: 1, at: -9, sink: "other")
      }
      try store.close(store.read { try [$0.delivery(id: 3)].compactMap { $0 } })
      try fixture.open().read { view in
        func ids(_ sink: String, _ now: Date, _ limit: Int = 9, besides busy: Set<Int64> = []) throws -> [Int64] {
          try view.attemptableDeliveries(sink: sink, at: now, besides: busy, limit: limit).map(\.0.id)
        }
        try Check.equal(ids("sink", Sample.now), [2, 1, 4], "by now")
        try Check.equal(ids("sink", Sample.now, 2), [2, 1], "the first two")
        try Check.equal(ids("sink", Sample.now, 2, besides: [2, 5]), [1, 4], "the first two beside what is busy")
        try Check.equal(ids("sink", Sample.now, 9, besides: [1, 2, 4]), [], "beside all")
        try Check.equal(ids("sink", Sample.now - 1), [2, 1], "a second ago")
        try Check.equal(ids("sink", Sample.now + 60), [2, 1, 4, 5], "in a minute")
        try Check.equal(ids("other", Sample.now), [6], "another sink's")
        try Check.equal(ids("none", Sample.now), [], "an unknown sink's")
        let (delivery, message) = try Check.present(
          view.attemptableDeliveries(sink: "sink", at: Sample.now, besides: [], limit: 1).first)
        try Check.equal(delivery, view.delivery(id: 2), "the delivery")
        try Check.equal(message, view.message(id: delivery.messageID), "the message")
      }
    },
    Case("equal next attempts are ordered by number, and a later attempt moves a delivery back") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for item in 1...3 { try transaction.addSampleMessage(about: Int64(item)) }
        var first = try Check.present(transaction.delivery(id: 1))
        first.nextAttemptAt = Sample.now + 5
        try transaction.update(first)
      }
      let ids = try store.read {
        try $0.attemptableDeliveries(sink: "sink", at: Sample.now + 5, besides: [], limit: 9).map(\.0.id)
      }
      try Check.equal(ids, [2, 3, 1], "the order")
    },
    Case("the next attempt is the earliest pending one of the sink after the instant") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for minutes in [5, 2, 0] { try transaction.addSampleMessage(about: 1, at: minutes) }
        try transaction.addSampleMessage(about: 1, at: 1, sink: "other")
        try transaction.addSampleMessage(about: 1, at: 3)
      }
      try store.close(store.read { try [$0.delivery(id: 2)].compactMap { $0 } })
      try store.read { view in
        try Check.equal(view.nextAttempt(sink: "sink", after: Sample.now), Sample.fireDate(3).date, "after now")
        try Check.equal(view.nextAttempt(sink: "sink", after: Sample.now - 1), Sample.now, "after a second ago")
        try Check.equal(view.nextAttempt(sink: "sink", after: Sample.fireDate(5).date), nil, "after the last")
        try Check.equal(view.nextAttempt(sink: "none", after: Sample.now), nil, "of an unknown sink")
      }
    },
    Case("what is ahead of a clock that was set back is found, by its last attempt or claim") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for (id, held) in [0.0, 60, 0, 0, 0, 0].enumerated() {
          try transaction.addSampleMessage(about: Int64(id), permittedFrom: Sample.now + held)
        }
        // Attempted after the claim, the last one before the clock was set back again.
        for (id, seconds) in [(Int64(3), 30.0), (4, 90), (5, -90)] {
          var delivery = try Check.present(transaction.delivery(id: id))
          (delivery.attempts, delivery.lastAttemptAt) = (1, Sample.now + seconds)
          delivery.nextAttemptAt = Sample.now + seconds + 5
          try transaction.update(delivery)
        }
      }
      try store.close(store.read { try [$0.delivery(id: 6)].compactMap { $0 } })
      try fixture.open().read { view in
        func ids(_ seconds: Double) throws -> [Int64] { try view.deliveries(aheadOf: Sample.now + seconds) }
        try Check.equal(ids(-91), [1, 3, 4, 5], "of a clock before everything")
        try Check.equal(ids(-1), [1, 3, 4], "of a clock before the claim")
        try Check.equal(ids(-0.5), [1, 3, 4], "of a clock within the second before the claim")
        try Check.equal(ids(0), [3, 4], "of a clock at the claim")
        try Check.equal(ids(30), [4], "of a clock at an attempt")
        try Check.equal(ids(90), [], "of a clock after everything")
      }
    },
    Case("the sinks with something pending are known") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.sinksWithPendingDeliveries() }, [], "at first")
      try store.write { transaction in
        for sink in ["mail", "chat", "mail"] {
          try transaction.addSampleMessage(about: Int64(transaction.deliveries().count), sink: sink)
        }
      }
      try Check.equal(store.read { try $0.sinksWithPendingDeliveries() }, ["mail", "chat"], "with both pending")
      try store.close(store.read { try $0.deliveries().filter { $0.sink == "chat" } })
      try Check.equal(store.read { try $0.sinksWithPendingDeliveries() }, ["mail"], "with one pending")
    },
    Case("the deliveries about an item or list are found, oldest first, also those of a group") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleMessage(about: 1, recipients: ["a", "b"])
        try transaction.addSampleMessage(about: 2)
        try transaction.add(
          Sample.groupMessage(), recipients: [nil], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
        try transaction.addSampleMessage(about: 1, at: 7)
      }
      try store.close(store.read { try [$0.delivery(id: 2), $0.delivery(id: 5)].compactMap { $0 } })
      try fixture.open().read { view in
        func ids(_ owner: ReminderOwner, _ state: Delivery.State?) throws -> [Int64] {
          try view.deliveries(of: owner, state: state).map(\.0.id)
        }
        try Check.equal(ids(.item(1), nil), [1, 2, 4, 5], "about item 1")
        try Check.equal(ids(.item(1), .pending), [1, 4], "pending about item 1")
        try Check.equal(ids(.item(1), .delivered), [2, 5], "delivered about item 1")
        try Check.equal(ids(.item(2), .pending), [3], "about item 2")
        try Check.equal(ids(.list(2), .pending), [4], "about list 2")
        try Check.equal(ids(.list(1), nil), [], "about list 1")
        for (delivery, message) in try view.deliveries(of: .item(2), state: nil) {
          try Check.equal(delivery, view.delivery(id: 3), "the delivery")
          try Check.equal(message, view.message(id: delivery.messageID), "its message")
        }
      }
    },
  ]
}

extension Sample {
  /// A message about item 1 and list 2.
  static func groupMessage() throws -> Message {
    let item = try reminder(of: .item(1))
    let own = try reminder(of: .list(2))
    let listing = ItemListing(item: Sample.item(id: 5, listID: 2, text: "Hammer"), listName: "Tools", nextFireDate: nil)
    let milk = ItemListing(item: Sample.item(id: 1), listName: "Groceries", nextFireDate: try fireDate(5))
    return Message(
      id: Message.id(sink: "mail", reminders: [item.id, own.id]), sink: "mail",
      contents: [
        content(item, about: .item(milk)),
        content(own, about: .list(list(id: 2, name: "Tools"), unchecked: [listing])),
      ], createdAt: now)
  }
}
