import BelfryModel
import Foundation

extension StoreConformance {
  static let attempts: [Case] = [
    Case("every attempt of a delivery is kept in order, with what was said") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1, recipients: ["a", "b"]) }
      let attempts = try Sample.attempts(of: 1)
      for attempt in attempts { try store.write { try $0.add(attempt) } }
      try store.write { transaction in
        try transaction.add(AttemptRecord(deliveryID: 2, startedAt: Sample.now, outcome: .delivered))
        try Check.equal(transaction.attempts(of: 1), attempts, "the attempts inside")
      }
      let reopened = try fixture.open()
      try Check.equal(reopened.read { try $0.attempts(of: 1) }, attempts, "the attempts")
      try Check.equal(reopened.read { try $0.attempts(of: 2).map(\.words) }, [nil], "what the other one was told")
      try Check.equal(reopened.read { try $0.attempts(of: 99) }, [], "the attempts of an unknown delivery")
    },
    Case("the attempt that closes a delivery is kept with it, and only if it was pending") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1) }
      let attempt = AttemptRecord(deliveryID: 1, startedAt: Sample.now + 1, outcome: .delivered, words: "HTTP 200")
      try Check.equal(store.write { try $0.closeDelivered(by: attempt, at: Sample.now + 2) }, true, "whether it closed")
      try Check.equal(store.write { try $0.closeDelivered(by: attempt, at: Sample.now + 3) }, false, "once more")
      try Check.equal(fixture.open().read { try $0.attempts(of: 1) }, [attempt], "the attempts")
      // Updating a delivery leaves its attempts unchanged.
      try store.close(store.read { try $0.deliveries() }, at: Sample.now + 9)
      try Check.equal(fixture.open().read { try $0.attempts(of: 1) }, [attempt], "the attempts after an update")
    },
    Case("a delivery waits for its follow-up until that is noted") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1, recipients: ["a", "b", "c"]) }
      try Check.equal(store.read { try $0.deliveriesToFollowUp() }, [], "at first")
      try store.write { transaction in
        for id in [Int64(3), 1] {
          var delivery = try Check.present(transaction.delivery(id: id))
          (delivery.state, delivery.nextAttemptAt, delivery.closedAt) = (.dead, nil, Sample.now)
          delivery.awaitsFollowUp = true
          try transaction.update(delivery)
        }
        try Check.equal(transaction.deliveriesToFollowUp().map(\.id), [1, 3], "inside")
      }
      let waiting = try fixture.open().read { try $0.deliveriesToFollowUp() }
      try Check.equal(waiting, store.read { try $0.deliveries() }.filter { $0.id != 2 }.reversed(), "after reopening")
      try store.write { transaction in
        for var delivery in waiting {
          delivery.awaitsFollowUp = false
          try transaction.update(delivery)
        }
      }
      try Check.equal(fixture.open().read { try $0.deliveriesToFollowUp() }, [], "once it is done")
    },
    Case("attempts go with a change that is undone, and with their delivery") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for item in 1...2 { try transaction.addSampleMessage(about: Int64(item)) }
        for id in 1...2 { for attempt in try Sample.attempts(of: Int64(id)) { try transaction.add(attempt) } }
      }
      try? store.write { transaction in
        try transaction.add(AttemptRecord(deliveryID: 1, startedAt: Sample.now, outcome: .unknown))
        throw Refused()
      }
      try Check.equal(fixture.open().read { try $0.attempts(of: 1).count }, 3, "the attempts after what was undone")
      try store.close(store.read { try [$0.delivery(id: 1)].compactMap(\.self) })
      _ = try store.write { try $0.prune(endedBefore: Sample.now + 1, limit: 9) }
      try Check.equal(fixture.open().read { try $0.attempts(of: 1) }, [], "the attempts of what was pruned")
      try Check.equal(fixture.open().read { try $0.attempts(of: 2).count }, 3, "the attempts of what stays")
    },
    Case("what is wrong with a sink is kept, replaced and forgotten, sink by sink") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.sinkProblems() }, [], "at first")
      let chat = SinkProblem(sink: "chat ✉", kind: .paused, since: Sample.now, reason: "HTTP 410: «gone»")
      var mail = SinkProblem(sink: "mail", kind: .needsAttention, since: Sample.now, reason: "535 5.7.8 no")
      try store.write { transaction in
        try transaction.put(mail)
        try transaction.put(chat)
        try Check.equal(transaction.sinkProblems(), [chat, mail], "inside")
      }
      try Check.equal(fixture.open().read { try $0.sinkProblems() }, [chat, mail], "after reopening")
      mail = SinkProblem(sink: "mail", kind: .paused, since: Sample.now + 60, reason: "")
      try store.write { try $0.put(mail) }
      try Check.equal(fixture.open().read { try $0.sinkProblems() }, [chat, mail], "after one was replaced")
      try store.write { transaction in
        for sink in ["chat ✉", "none"] { try transaction.endProblem(ofSink: sink) }
      }
      try Check.equal(fixture.open().read { try $0.sinkProblems() }, [mail], "after one was forgotten")
    },
  ]

  private struct Refused: Error {}
}

extension Sample {
  static func success(_ deliveryID: Int64, at instant: Date = now) -> AttemptRecord {
    AttemptRecord(deliveryID: deliveryID, startedAt: instant, outcome: .delivered)
  }

  /// Three attempts of a delivery, the last of which succeeded.
  static func attempts(of deliveryID: Int64) throws -> [AttemptRecord] {
    [
      AttemptRecord(deliveryID: deliveryID, startedAt: now, outcome: .later, words: "HTTP 503: « busy »  later"),
      AttemptRecord(deliveryID: deliveryID, startedAt: now, outcome: .unknown),
      AttemptRecord(deliveryID: deliveryID, startedAt: now + 35, outcome: .delivered, words: "250 2.0.0 Ok"),
    ]
  }
}
