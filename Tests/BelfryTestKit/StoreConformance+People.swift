import BelfryModel
import Foundation

extension StoreConformance {
  static let people: [Case] = [
    Case("a person gets a number at the first use of the name and keeps it, byte for byte") { fixture in
      let store = try fixture.open()
      try Check.equal(store.read { try $0.people() }, [], "at first")
      try Check.equal(store.read { try $0.person(named: "anna") }, nil, "a person who was never named")
      let names = ["anna", "caf\u{e9}", "cafe\u{301}", "Anna", "O'Neil \"<&> ✉"]
      try store.write { transaction in
        for (index, name) in names.enumerated() {
          try Check.equal(transaction.addPerson(named: name).number, Int64(index + 1), "the number of \(name)")
        }
        try Check.equal(transaction.addPerson(named: "caf\u{e9}").number, 2, "the number of a known name, inside")
      }
      let reopened = try fixture.open()
      try reopened.read { view in
        try Check.equal(view.people().map(\.number), [1, 2, 3, 4, 5], "the numbers")
        for (person, name) in zip(try view.people(), names) {
          try Check.sameBytes(person.name, name, "the name of person \(person.number)")
          try Check.equal(view.person(named: name), person, "the person by name")
        }
      }
      try Check.equal(reopened.write { try $0.addPerson(named: "cafe\u{301}").number }, 3, "the number of a known name")
      try Check.equal(reopened.write { try $0.addPerson(named: "ben").number }, 6, "the next number")
    },
    Case("a person is kept with the rest of a change or not at all") { fixture in
      let store = try fixture.open()
      _ = try store.write { try $0.addPerson(named: "anna") }
      try? store.write { transaction in
        _ = try transaction.addPerson(named: "ben")
        throw Refused()
      }
      try Check.equal(fixture.open().read { try $0.people().map(\.name) }, ["anna"], "the people")
    },
    Case("the highest number is given to one person, and none after it; who has one is still found") { fixture in
      let store = try fixture.open()
      let last = KnownPerson.highestNumber
      try store.write { try $0.restore(.counters(StoreCounters(nextPersonNumber: last))) }
      try Check.equal(store.write { try $0.addPerson(named: "last").number }, last, "the last number")
      try Check.throwsError(.storeFailed) { _ = try store.write { try $0.addPerson(named: "further") } }
      try Check.equal(fixture.open().write { try $0.addPerson(named: "last").number }, last, "the last number again")
      try Check.equal(fixture.open().read { try $0.people().map(\.name) }, ["last"], "the people")
    },
    Case("people outlive what is pruned") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        _ = try transaction.addPerson(named: "anna")
        _ = try transaction.add(Sample.answer())
      }
      try Check.equal(store.write { try $0.prune(endedBefore: .distantFuture, limit: 9) }, 1, "what was pruned")
      try Check.equal(fixture.open().read { try $0.people().map(\.name) }, ["anna"], "the people")
    },
    Case("a message keeps the person whom it goes to, and what it says of an escalation") { fixture in
      let store = try fixture.open()
      for (index, person) in [0, 1, KnownPerson.highestNumber].enumerated() {
        let plain = try Sample.message(at: index)
        let contents = plain.contents.map { content in
          ReminderContent(
            reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
            category: nil, actions: content.actions, timeZone: "UTC",
            escalation: Sample.escalation(step: index + 1, asked: index == 0 ? [] : ["anna", "phone"]))
        }
        let message = Message(
          id: plain.id, sink: plain.sink, person: person, contents: contents, createdAt: plain.createdAt)
        try store.write {
          _ = try $0.add(message, recipients: [nil], fireDate: Sample.fireDate(index), permittedFrom: Sample.now)
        }
        let (_, kept) = try Check.present(fixture.open().read { try $0.deliveries(of: .item(1), state: nil).last })
        try Check.equal(kept, message, "the message")
        try Check.equal(kept.person, person, "its person")
        try Check.equal(kept.contents.first?.escalation, contents.first?.escalation, "its escalation")
      }
    },
  ]

  private struct Refused: Error {}
}
