import BelfryEngine
import BelfryModel
import Foundation

extension StoreConformance {
  private struct Refused: Error, Equatable { let reason: String }

  static let transactions: [Case] = [
    Case("reading a store that is not there finds nothing and makes nothing") { fixture in
      let store = try fixture.open()
      try store.read { view in
        try Check.equal(view.plannedZone(), nil, "the zone")
        try Check.equal(view.lists(), [], "the lists")
        try Check.equal(view.listSummaries(now: Sample.now), [], "the summaries")
        try Check.equal(view.items(), [], "the items")
        try Check.equal(view.uncheckedCount(listID: nil, dueBefore: nil), 0, "the unchecked items")
        try Check.equal(view.counters().nextItemID, 0, "the next number")
        try Check.equal(view.pending(), [], "what is pending")
        try Check.equal(view.dueReminders(at: .distantFuture, limit: 1), [], "what is due")
        try Check.equal(view.deliveries(), [], "the deliveries")
      }
      try Check.equal(fixture.names(), [], "what there is on disk")
    },
    Case("the zone of the plan is kept and replaced") { fixture in
      let store = try fixture.open()
      try store.write { try $0.setPlannedZone("Europe/Zurich") }
      try Check.equal(fixture.open().read { try $0.plannedZone() }, "Europe/Zurich", "the zone")
      try store.write { try $0.setPlannedZone("America/Argentina/Buenos_Aires") }
      try Check.equal(fixture.open().read { try $0.plannedZone() }, "America/Argentina/Buenos_Aires", "the zone")
    },
    Case("how to undo and redo the last changes is kept and forgotten, and goes with a change that is undone") {
      fixture in
      func kept(_ direction: UndoRecord.Direction = .undo) throws -> UndoRecord? {
        try fixture.open().read { try $0.undoRecords(direction).first }
      }
      let store = try fixture.open()
      try Check.equal(UndoRecord.Direction.allCases.map(kept), [nil, nil], "what was kept at first")
      let first = UndoRecord(date: Sample.now, content: "one\ntwo \u{1F514}")
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.add(first)
        try Check.equal(transaction.undoRecords(.undo), [first], "what is kept inside")
      }
      try Check.equal(kept(), first, "what was kept")
      try store.write { try $0.setPlannedZone("UTC") }
      try Check.equal(kept(), first, "what was kept, after a change that keeps nothing")
      let second = UndoRecord(date: Sample.now + 60, content: "")
      try store.write { try $0.add(second) }
      try Check.equal(kept(), second, "the newest that was kept")
      try? store.write { transaction in
        try transaction.add(first)
        try transaction.remove(first)
        throw Refused(reason: "no")
      }
      try Check.equal(kept(), second, "what was kept, after a change that was undone")
      let back = UndoRecord(date: Sample.now + 90, content: "back", direction: .redo)
      try store.write { transaction in
        try transaction.remove(second)
        try transaction.add(back)
      }
      try Check.equal(UndoRecord.Direction.allCases.map(kept), [first, back], "what was kept of both directions")
      try store.write { transaction in
        try transaction.remove(UndoRecord(date: back.date, content: back.content))
        try transaction.remove(back)
      }
      try Check.equal(UndoRecord.Direction.allCases.map(kept), [first, nil], "what was kept of one direction")
      try store.write { transaction in
        for number in 1...UndoRecord.mostKept {
          try transaction.add(UndoRecord(date: Sample.now, content: "\(number)"))
        }
      }
      for number in (1...UndoRecord.mostKept).reversed() {
        let newest = UndoRecord(date: Sample.now, content: "\(number)")
        try Check.equal(kept(), newest, "the newest of as many as are kept")
        try store.write { try $0.remove(newest) }
      }
      try Check.equal(kept(), nil, "what was forgotten, being too old")
      try store.write { try $0.add(first) }
      try store.write { try $0.removeEverything() }
      try Check.equal(kept(), nil, "what was forgotten with everything else")
    },
    Case("a request that was done is known for as long as it is wanted, and goes with a change that is undone") {
      fixture in
      func known() throws -> [String] {
        try fixture.open().read { view in try ["a.1", "b", "c"].filter { try view.isDone(request: $0) } }
      }
      let store = try fixture.open()
      try Check.equal(known(), [], "what was done at first")
      try store.write { transaction in
        try transaction.note(request: "a.1", at: Sample.now, forgettingUntil: .distantPast)
        try Check.equal(transaction.isDone(request: "a.1"), true, "what was done inside")
      }
      try store.write { try $0.note(request: "b", at: Sample.now + 60, forgettingUntil: Sample.now - 1) }
      try Check.equal(known(), ["a.1", "b"], "what was done")
      try? store.write { transaction in
        try transaction.note(request: "c", at: Sample.now, forgettingUntil: Sample.now)
        throw Refused(reason: "no")
      }
      try store.write { try $0.setPlannedZone("UTC") }
      try Check.equal(known(), ["a.1", "b"], "what was done, after a change that was undone")
      try store.write { try $0.note(request: "c", at: Sample.now + 70, forgettingUntil: Sample.now) }
      try Check.equal(known(), ["b", "c"], "what was done, without what was forgotten")
      try store.write { try $0.removeEverything() }
      try Check.equal(known(), [], "what was done, after everything was removed")
    },
    Case("a change sees what it has done so far, others see it when it is done") { fixture in
      let store = try fixture.open()
      let result = try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem("a", to: 1, due: 5)
        try transaction.put(Sample.reminder(of: .item(1), at: 5))
        try Check.equal(transaction.items().map(\.text), ["a"], "the items inside")
        try Check.equal(transaction.pending().map(\.text), ["a"], "what is pending inside")
        try Check.equal(transaction.counters().nextItemID, 2, "the next number inside")
        return "result"
      }
      try Check.equal(result, "result", "what the change gave back")
      try Check.equal(fixture.open().read { try $0.items().map(\.text) }, ["a"], "the items after")
    },
    Case("a change that throws is undone whole, and the error comes out as it is") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addKeptItem()
        try transaction.setPlannedZone("UTC")
      }
      let before = try Contents(store)
      do {
        try store.write { transaction in try transaction.changeEverything(andThrow: Refused(reason: "no")) }
        throw ConformanceFailure(message: "nothing was thrown", file: #fileID, line: #line)
      } catch let error as Refused {
        try Check.equal(error, Refused(reason: "no"), "the error")
      }
      try Check.equal(Contents(store), before, "the content")
      try Check.equal(Contents(fixture.open()), before, "the content after reopening")
      try store.write { _ = try $0.addSampleItem("next", to: 1) }
      try Check.equal(store.read { try $0.items().map(\.id) }, [1, 2], "the numbers after that")
    },
    Case("a part of a change that throws is undone alone, and its numbers are given again") { fixture in
      let store = try fixture.open()
      try store.write { try $0.addKeptItem() }
      let before = try Contents(store)
      let undo = UndoRecord(date: Sample.now, content: "part")
      try store.write { transaction in
        let failed = try transaction.savepoint {
          try transaction.add(undo)
          try transaction.note(request: "part", at: Sample.now, forgettingUntil: .distantPast)
          try transaction.changeEverything(andThrow: Refused(reason: "no"))
        }
        guard case .failure(let error as Refused) = failed else {
          throw ConformanceFailure(message: "the part did not fail", file: #fileID, line: #line)
        }
        try Check.equal(error, Refused(reason: "no"), "the error")
        try Check.equal(transaction.undoRecords(.undo), [], "what could be undone inside")
        try Check.equal(transaction.isDone(request: "part"), false, "what was done inside")
        let made = try transaction.savepoint { try transaction.addSampleItem("next", to: 1).id }
        try Check.equal(made.get(), 2, "the next number")
      }
      try Check.equal(store.read { try $0.items().map(\.text) }, ["kept", "next"], "the items")
      try store.write { try $0.deleteItem(id: 2) }
      var after = try Contents(fixture.open())
      try Check.equal(after.nextItemID, 3, "the next number after that")
      after.nextItemID = before.nextItemID
      try Check.equal(after, before, "the rest")
    },
    Case("a part of a change that throws is undone alone, while the change itself can still be undone whole") {
      fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleList("kept") }
      try? store.write { transaction in
        _ = try transaction.savepoint { _ = try transaction.addSampleList("part") }
        throw Refused(reason: "no")
      }
      try Check.equal(fixture.open().read { try $0.lists().map(\.name) }, ["kept"], "the lists")
    },
    Case("a failed first change leaves a store that reads as empty") { fixture in
      let store = try fixture.open()
      try? store.write { transaction in
        try transaction.addSampleList()
        throw Refused(reason: "no")
      }
      try Check.equal(fixture.open().read { try $0.lists() }, [], "the lists")
      try Check.equal(store.write { try $0.addSampleList().id }, 1, "the first list's number")
    },
    Case("what one opened store wrote, another one reads at once") { fixture in
      let (one, other) = (try fixture.open(), try fixture.open())
      try one.write { _ = try $0.addSampleList("0") }
      for round in 1...5 {
        try (round.isMultiple(of: 2) ? one : other).write { _ = try $0.addSampleList("\(round)") }
        for store in [one, other] {
          try Check.equal(store.read { try $0.lists().count }, round + 1, "the lists in round \(round)")
        }
      }
      try Check.equal(fixture.names().isEmpty, !fixture.isDurable, "whether there is nothing on disk")
    },
    Case("a read sees one state, whatever is written meanwhile") { fixture in
      let (one, other) = (try fixture.open(), try fixture.open())
      try one.write { _ = try $0.addSampleList("a") }
      try one.read { view in
        try Check.equal(view.lists().count, 1, "the lists")
        try other.write { _ = try $0.addSampleList("b") }
        try Check.equal(view.lists().count, 1, "the lists after another change")
        try Check.equal(view.list(named: "b"), nil, "the new list")
      }
      try Check.equal(one.read { try $0.lists().count }, 2, "the lists in the next read")
    },
  ]
}

extension StoreTransaction {
  /// Adds an item on a list, with a reminder and a message.
  fileprivate func addKeptItem() throws {
    try addSampleList("kept")
    try addSampleItem("kept", to: 1, due: 5)
    try put(Sample.reminder(of: .item(1), at: 5))
    try addSampleMessage(about: 1)
  }

  /// Adds, changes and deletes records of each kind, and throws.
  fileprivate func changeEverything(andThrow error: any Error) throws {
    try addSampleList("new")
    var list = try Check.present(list(id: 1))
    list.name = "renamed"
    try update(list)
    try addSampleItem("new", to: 2)
    try deleteItem(id: 1)
    try put(Sample.reminder(of: .item(1), at: 5, state: .cancelled))
    try put(Sample.reminder(of: .item(1), at: 6))
    try addSampleMessage(about: 1, at: 6)
    var delivery = try Check.present(delivery(id: 1))
    delivery.state = .discarded
    delivery.nextAttemptAt = nil
    delivery.closedAt = Sample.now
    try update(delivery)
    try add(AttemptRecord(deliveryID: 1, startedAt: Sample.now, outcome: .later))
    try put(SinkProblem(sink: "sink", kind: .paused, since: Sample.now, reason: "no"))
    try setPlannedZone("Asia/Tokyo")
    _ = try prune(endedBefore: .distantFuture, limit: 9)
    throw error
  }
}

/// The whole content of a store, to compare.
private struct Contents: Equatable {
  var zone: String?
  var nextItemID: Int64
  var lists: [Checklist]
  var items: [Item]
  var reminders: Set<Reminder>
  var deliveries: [Delivery]

  init(_ store: any ItemStore) throws {
    self = try store.read { view in
      Contents(
        zone: try view.plannedZone(), nextItemID: try view.counters().nextItemID, lists: try view.lists(),
        items: try view.items(), reminders: Set(try view.reminders(of: .item(1))), deliveries: try view.deliveries())
    }
  }

  private init(
    zone: String?, nextItemID: Int64, lists: [Checklist], items: [Item], reminders: Set<Reminder>,
    deliveries: [Delivery]
  ) {
    self.zone = zone
    self.nextItemID = nextItemID
    self.lists = lists
    self.items = items
    self.reminders = reminders
    self.deliveries = deliveries
  }
}
