import BelfryModel
import Foundation

extension StoreConformance {
  static let inboxes: [Case] = [
    Case("the way back through a sink is kept, replaced and removed, sink by sink") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.inboxes() }, [], "at first")
      try Check.equal(store.read { try $0.inbox(ofSink: "mail") }, nil, "the inbox of a sink, at first")
      let every = Sample.everyInbox
      try store.write { transaction in
        for inbox in every.reversed() { try transaction.put(inbox) }
        try Check.equal(transaction.inboxes(), every, "inside")
        try Check.equal(transaction.inbox(ofSink: "telegram"), every[3], "the inbox of a sink, inside")
      }
      let reopened = try fixture.open()
      try Check.equal(reopened.read { try $0.inboxes() }, every, "after reopening")
      for inbox in every {
        try Check.equal(reopened.read { try $0.inbox(ofSink: inbox.sink) }, inbox, "the inbox of \(inbox.sink)")
      }
      let moved = SinkInbox(
        sink: "telegram", position: "9007199254740994", problem: "HTTP 401", needsAttention: true,
        changedAt: Sample.now + 180)
      try store.write { try $0.put(moved) }
      try Check.equal(fixture.open().read { try $0.inboxes() }, every.prefix(3) + [moved], "after one was replaced")
      try store.write { transaction in
        for sink in ["mail", "none", "ntfy"] { try transaction.removeInbox(ofSink: sink) }
        try Check.equal(transaction.inbox(ofSink: "mail"), nil, "the inbox that was removed, inside")
      }
      try Check.equal(fixture.open().read { try $0.inboxes() }, [every[0], moved], "after two were removed")
    },
    Case("a position is kept with its answer or not at all") { fixture in
      let store = try fixture.open()
      let first = SinkInbox(sink: "phone", position: "1", changedAt: Sample.now)
      try store.write { transaction in
        _ = try transaction.add(Sample.answer(channel: .phone, externalID: "1"))
        try transaction.put(first)
      }
      try? store.write { transaction in
        _ = try transaction.add(Sample.answer(channel: .phone, externalID: "2"))
        try transaction.put(SinkInbox(sink: "phone", position: "2", changedAt: Sample.now + 1))
        throw Refused()
      }
      try fixture.open().read { view in
        try Check.equal(view.inbox(ofSink: "phone"), first, "the inbox after a change that failed")
        try Check.equal(view.latestAnswer(by: .phone, externalID: "2"), nil, "the answer of that change")
      }
      try? store.write { transaction in
        try transaction.removeInbox(ofSink: "phone")
        throw Refused()
      }
      try Check.equal(fixture.open().read { try $0.inboxes() }, [first], "the inboxes after a removal that failed")
    },
    Case("the way back through a sink outlives what is pruned") { fixture in
      let store = try fixture.open()
      let inbox = SinkInbox(sink: "phone", position: "1", problem: "HTTP 401", changedAt: Sample.now)
      try store.write { transaction in
        _ = try transaction.add(Sample.answer())
        try transaction.put(inbox)
      }
      try Check.equal(store.write { try $0.prune(endedBefore: .distantFuture, limit: 9) }, 1, "what was pruned")
      try Check.equal(fixture.open().read { try $0.inboxes() }, [inbox], "the inboxes")
    },
  ]

  private struct Refused: Error {}
}
