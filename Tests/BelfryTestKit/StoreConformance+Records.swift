import BelfryEngine
import BelfryModel
import Foundation
import OrderedJSON

extension StoreConformance {
  private struct Refused: Error {}

  static let records: [Case] = [
    Case("everything that another store hands on is kept as it is, and handed on again") { fixture in
      let everything = try Sample.everything()
      try fixture.open().write { transaction in
        for record in everything { try transaction.restore(record) }
      }
      let found = try fixture.open().records()
      try Check.equal(RecordSet(found), RecordSet(everything), "what is handed on")
      try checkOrder(found)
    },
    Case("a new store hands on its counters and nothing else") { fixture in
      let records = try fixture.open().records()
      try Check.equal(RecordSet(records), RecordSet([.counters(StoreCounters())]), "what is handed on")
    },
    Case("what was taken from another store can be found at once and after reopening") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for record in try Sample.everything() { try transaction.restore(record) }
        try checkViews(of: transaction)
      }
      try fixture.open().read { try checkViews(of: $0) }
    },
    Case("numbers go on from the counters that were taken over") { fixture in
      try fixture.open().write { transaction in
        for record in try Sample.everything() { try transaction.restore(record) }
      }
      let store = try fixture.open()
      try store.write { transaction in
        try Check.equal(transaction.addSampleItem(to: 1).id, 9_007_199_254_740_993, "the next item's number")
        try Check.equal(transaction.addSampleList("new").id, 70_000, "the next list's number")
        try transaction.addSampleMessage(about: 1)
        try Check.equal(transaction.deliveries(limit: 1).first?.id, 5_000_000_000, "the next delivery's number")
        try Check.equal(transaction.addPerson(named: "ben").number, 700, "the next person's number")
      }
    },
    Case("the highest number that there is, which no counter can follow, is refused") { fixture in
      let store = try fixture.open()
      _ = try store.write { try $0.addSampleList() }
      let last = Sample.list(id: .max, name: "last")
      try Check.throwsError(.badInput) { try store.write { try $0.restore(.list(last)) } }
      try Check.equal(fixture.open().read { try $0.lists().map(\.id) }, [1], "the lists' numbers")
      try store.write { try $0.restore(.counters(StoreCounters(nextListID: .max))) }
      try Check.throwsError(.storeFailed) { _ = try store.write { try $0.addSampleList("further") } }
    },
    Case("removing everything leaves a store that is as good as new") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for record in try Sample.everything() { try transaction.restore(record) }
      }
      try store.write { try $0.removeEverything() }
      let records = try fixture.open().records()
      try Check.equal(RecordSet(records), RecordSet([.counters(StoreCounters())]), "what is left")
      try store.write { transaction in
        try Check.equal(transaction.addSampleList().id, 1, "the first list's number")
        try Check.equal(transaction.addSampleItem(to: 1).id, 1, "the first item's number")
        try transaction.addSampleMessage(about: 1)
        try Check.equal(transaction.deliveries(limit: 1).first?.id, 1, "the first delivery's number")
        try Check.equal(transaction.addPerson(named: "ben").number, 1, "the first person's number")
      }
    },
    Case("one change removes everything and takes in something else") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.setPlannedZone("Asia/Tokyo")
        for name in ["a", "b"] { try transaction.addSampleList(name) }
        for id in 1...20 { try transaction.addSampleItem("\(id)", to: 1, due: id) }
        try transaction.put(Sample.reminder(of: .item(3), at: 3))
        try transaction.addSampleMessage(about: 3, recipients: ["a", "b"])
      }
      let everything = try Sample.everything()
      try store.write { transaction in
        try transaction.removeEverything()
        for record in everything { try transaction.restore(record) }
        try checkViews(of: transaction)
      }
      try Check.equal(RecordSet(fixture.open().records()), RecordSet(everything), "what there is now")
    },
    Case("a change that fails after removing everything and taking in half leaves what there was") { fixture in
      let store = try fixture.open()
      let everything = try Sample.everything()
      try store.write { transaction in
        for record in everything { try transaction.restore(record) }
      }
      for count in [0, 1, 5, everything.count] {
        do {
          try store.write { transaction in
            try transaction.removeEverything()
            for record in everything.prefix(count) { try transaction.restore(record) }
            throw Refused()
          }
          throw ConformanceFailure(message: "nothing was thrown", file: #fileID, line: #line)
        } catch is Refused {}
        try Check.equal(RecordSet(store.records()), RecordSet(everything), "what there is after \(count) records")
      }
      try Check.equal(RecordSet(fixture.open().records()), RecordSet(everything), "what there is after reopening")
    },
    Case("counts are of everything that there is") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.counts() }, StoreCounts(), "the counts of nothing")
      try store.write { transaction in
        for record in try Sample.everything() { try transaction.restore(record) }
      }
      var expected = StoreCounts()
      (expected.lists, expected.items, expected.unchecked, expected.scheduled) = (3, 5, 4, 8)
      expected.deliveries = [.pending: 2, .delivered: 2, .dead: 2, .discarded: 2]
      try Check.equal(fixture.open().read { try $0.counts() }, expected, "the counts")
    },
    Case("what Belfry writes itself is never taken for edited elsewhere") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.isEditedElsewhere() }, false, "whether a new store is edited")
      for name in ["a", "b"] {
        try store.write { transaction in
          try transaction.addSampleList(name)
          try Check.equal(transaction.isEditedElsewhere(), false, "whether it is edited, inside")
        }
        try Check.equal(fixture.open().read { try $0.isEditedElsewhere() }, false, "whether it is edited")
      }
      try store.write { try $0.acknowledgeEdits() }
      try store.tidy()
      try Check.equal(fixture.open().read { try $0.isEditedElsewhere() }, false, "whether it is edited after tidying")
    },
    Case("a store tells its size, version and last write, and finds no damage in itself") { fixture in
      let store = try fixture.open()
      try Check.equal(store.info(), StoreInfo(), "what there is to say of a new store")
      try Check.equal(store.damage(), [], "the damage of a new store")
      try Check.equal(fixture.names(), [], "what there is on disk after that")
      try store.write { transaction in
        for record in try Sample.everything() { try transaction.restore(record) }
      }
      try Check.equal(fixture.open().damage(), [], "the damage")
      guard fixture.isDurable else { return }
      let info = try fixture.open().info()
      try Check.that((info.version ?? 0) >= 1, "the version is \(info.version ?? 0)")
      try Check.that(info.sizeBytes > 1_000, "the size is \(info.sizeBytes)")
      try Check.that(info.lastWrite != nil, "there is no last write")
    },
  ]

  // Each record refers only to earlier ones.
  private static func checkOrder(_ records: [StoreRecord]) throws {
    try Check.equal(records.map(\.rank), records.map(\.rank).sorted(), "the order of the kinds")
    try Check.equal(records.first?.rank, 0, "the first kind")
  }

  private static func checkViews(of view: any StoreView) throws {
    try Check.equal(view.plannedZone(), "Europe/Zurich", "the zone")
    try Check.equal(view.list(named: "GROCERIES")?.id, 1, "the list found by its name")
    try Check.equal(view.list(uuid: Sample.uuid("list 7"))?.id, 7, "the list found by its identity")
    try Check.equal(view.item(uuid: Sample.uuid("item 40"))?.item.id, 40, "the item found by its identity")
    let key = try Check.present(view.item(id: 40)?.item.key, "the key of an item")
    try Check.equal(view.item(key: key)?.item.id, 40, "the item found by its key")
    try Check.equal(view.endPosition(listID: 7), (1 << 40) + 1, "the place behind the last item")
    try Check.equal(view.items(ItemQuery(checked: .unchecked)).map(\.id), [0, 40, 5, 3], "the items by due date")
    try Check.equal(view.reminders(of: .item(40)).count, 16, "the reminders of an item")
    try Check.equal(view.reminders(of: .item(2)).map(\.state), [.fired], "the reminders of an item that is gone")
    try Check.equal(view.pending().count, 8, "what is pending")
    try Check.equal(view.dueReminders(at: Sample.fireDate(30).date, limit: 9).count, 2, "what is due")
    try Check.equal(view.sinksWithPendingDeliveries(), ["mail", "chat ✉"], "the sinks with something to do")
    try Check.equal(
      view.attemptableDeliveries(sink: "mail", at: Sample.now + 30, besides: [], limit: 9).map(\.0.id), [4],
      "what to try")
    try Check.equal(view.deliveries(of: .item(40), state: nil).count, 4, "the deliveries of an item")
    try Check.equal(view.deliveries(of: .list(7), state: .dead).count, 1, "the dead deliveries of a list")
    try Check.equal(view.attempts(of: 14).map(\.outcome), AttemptRecord.Outcome.allCases, "the attempts of a delivery")
    try Check.equal(view.sinkProblems().map(\.sink), ["chat ✉", "mail"], "the sinks with a problem")
    try Check.equal(view.inboxes(), Sample.everyInbox, "the ways back through sinks")
    try Check.equal(view.people(), Sample.everyPerson, "the people")
    for person in Sample.everyPerson {
      try Check.equal(view.person(named: person.name), person, "person \(person.number)")
    }
  }
}

extension ItemStore {
  /// All records that the store exports, in its order.
  public func records() throws -> [StoreRecord] {
    try read { view in
      var records: [StoreRecord] = []
      try view.forEachRecord { records.append($0) }
      return records
    }
  }
}

extension StoreRecord {
  fileprivate var rank: Int {
    switch self {
    case .counters: 0
    case .list: 1
    case .item: 2
    case .reminder: 3
    case .message: 4
    case .delivery: 5
    case .attempt: 6
    case .problem: 7
    case .answer: 8
    case .inbox: 9
    case .person: 10
    }
  }
}

/// Every field of every record in a store, regardless of order, to compare and to describe differences.
public struct RecordSet: Hashable, Sendable, CustomStringConvertible {
  // Bytes, since strings that are canonically equivalent compare as equal.
  private let lines: [[UInt8]]

  /// The records, in any order.
  public init(_ records: [StoreRecord]) {
    lines = records.map { Array(Self.line($0).utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The records, one on each line.
  public var description: String { lines.map { "\n\(String(decoding: $0, as: UTF8.self))" }.joined() + "\n" }

  /// The lines that only one of both has, those of this record first.
  public func difference(from other: RecordSet) -> String {
    func text(_ lines: [[UInt8]]) -> String {
      lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
    let (mine, others) = (Set(lines), Set(other.lines))
    return
      "\(text(lines.filter { !others.contains($0) }))\nin place of\n\(text(other.lines.filter { !mine.contains($0) }))"
  }

  private static func line(_ record: StoreRecord) -> String {
    switch record {
    case .message(let message):
      let contents = message.contents.map { String(decoding: $0.json, as: UTF8.self) }
      return "message \(message.id) \(message.sink) \(message.createdAt) \(message.domain ?? "") \(contents)"
        + " \(message.tokens.map { "\($0)" } ?? "") \(message.isWithdrawable) \(message.person) \(message.unknown?.text ?? "")"
    // The description of an owner does not include its rule.
    case .list(let list): return "\(list) \(list.reminder?.recurrence?.rule.description ?? "")"
    case .item(let item): return "\(item) \(item.recurrence?.rule.description ?? "")"
    // Stores do not keep the words of a channel.
    case .answer(let answer): return "\(record)".replacing("words: \"\(answer.channel.words)\"", with: "")
    default: return "\(record)"
    }
  }
}
